import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { returnStatuses } from '../../../domain/returns/return-status.ts';
import { tokenWith } from '../support/actors.ts';
import {
  expectRefused,
  invalidMove,
  newReturnBench,
  photoUrl,
  returnRecord,
  storedReturn,
  succeeded,
  type ReturnBench,
} from './return-fixture.ts';
import {
  call,
  refusal,
  startGateway,
  textOf,
  unknownId,
  type Call,
  type Gateway,
} from '../support/api.ts';

let gateway: Gateway;
let bench: ReturnBench;

beforeAll(async () => {
  gateway = await startGateway();
  bench = await newReturnBench(gateway);
});
afterAll(() => gateway.close());

const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const notFound = refusal('NOT_FOUND_RETURN_REQUEST');

describe('received', () => {
  test.each(returnStatuses)('of a return that is %s', async (status) => {
    const id = await bench.returnIn(status);
    if (status !== 'InTransit')
      return expectRefused(gateway, id, () => bench.receive(id), invalidMove(status, 'receive'));
    const answer = await bench.receive(id.toUpperCase());
    expect(answer).toMatchObject({
      status: 200,
      state: 'SUCCESS',
      details: {},
      payload: {
        id,
        status: 'Received',
        receivedAt: instant,
        inspectionStartedAt: null,
        inspection: {
          receivedAt: answer.payload?.['receivedAt'],
          inspectionWindowDeadline: null,
          evidence: [],
        },
      },
    });
    expect(await storedReturn(gateway, id)).toMatchObject({
      way: 'Pending > Approved > InTransit > Received',
      version: 4,
    });
  });

  test('a second receipt is refused, and the time of the first stays', async () => {
    const id = await bench.returnIn('Received');
    await expectRefused(gateway, id, () => bench.receive(id), invalidMove('Received', 'receive'));
  });

  test('the message to the workflow goes with it', async () => {
    const id = await bench.returnIn('InTransit');
    await succeeded(bench.receive(id));
    const [message] = await gateway.sql`
      select kind, payload->>'signal' as signal from outbox where subject_id = ${id} order by id desc limit 1`;
    expect(message).toEqual({ kind: 'returnInspection', signal: 'received' });
  });
});

const evidenceBody = { url: photoUrl, kind: 'Photo' };
const calls = [
  ['received', 'PATCH', 'received', undefined],
  ['evidence', 'POST', 'evidence', evidenceBody],
  ['a proposal', 'PATCH', 'inspection/propose', { outcome: 'AcceptedSound' }],
] as const;

describe.each(calls)('whose returns %s reaches', (_name, method, path, body) => {
  test("another vendor's, one bound for a sorting point, an unknown one and no uuid are the same 404", async () => {
    const stranger = await newReturnBench(gateway);
    for (const status of ['InTransit', 'Received', 'UnderInspection', 'Closed'] as const) {
      const foreign = await stranger.returnIn(status);
      const sorted = await bench.returnIn(status, { destination: 'SortingPoint' });
      for (const id of [foreign, foreign.toUpperCase(), sorted]) {
        const before = await returnRecord(gateway, id.toLowerCase());
        const answer = await bench.send(method, `/${id}/${path}`, body);
        expect(answer).toMatchObject(notFound);
        expect(answer.text).toBe((await bench.send(method, `/${unknownId()}/${path}`, body)).text);
        expect(await returnRecord(gateway, id.toLowerCase())).toBe(before);
      }
    }
    for (const id of [
      '1',
      'x'.repeat(300),
      `${unknownId()}x`,
      '%00',
      '%2e%2e%2f',
      unknownId().replaceAll('-', ''),
    ]) {
      expect(await bench.send(method, `/${id}/${path}`, body)).toMatchObject(notFound);
    }
  });
});

const text = { 'content-type': 'text/plain' };
/** Each step mends the first fault of the step before, and the next one shows. */
async function expectSteps(
  method: 'PATCH' | 'POST',
  steps: readonly (readonly [id: string, path: string, Call, state: string])[],
) {
  for (const [id, path, given, state] of steps) {
    const url = `/api/v1/scent/returns/${id}/${path}`;
    expect(
      (await call(gateway, method, url, given)).state,
      `${path} ${JSON.stringify(given)}`,
    ).toBe(state);
  }
}
const tokens = () => {
  const { vendor, operator } = bench;
  const other = tokenWith(gateway, vendor, ['Offers', 'Stock', 'Cost', 'Account']);
  return { token: vendor.token, other, operator: operator.token };
};

describe('the order of checks (D2)', () => {
  test('of evidence: route, token, side, capability, media type, shape, existence, state', async () => {
    const { token, other, operator } = tokens();
    const none = unknownId();
    const [early, open] = [await bench.returnIn('InTransit'), await bench.returnIn('Received')];
    await expectSteps('POST', [
      [none, 'evidences', { body: '{', headers: text }, 'NOT_FOUND_ROUTE'],
      [none, 'evidence', { body: '{', headers: text }, 'UNAUTHORIZED_MISSING_TOKEN'],
      [none, 'evidence', { token: operator, body: '{', headers: text }, 'FORBIDDEN'],
      [
        none,
        'evidence',
        { token: other, body: '{', headers: text },
        'FORBIDDEN_CAPABILITY_NOT_GRANTED',
      ],
      [none, 'evidence', { token, body: '{', headers: text }, 'UNSUPPORTED_MEDIA_TYPE'],
      [none, 'evidence', { token, body: '{' }, 'VALIDATION_ERRORS'],
      [none, 'evidence', { token, body: { url: 'http://x', kind: 'Photo' } }, 'VALIDATION_ERRORS'],
      ['x', 'evidence', { token, body: { url: 'http://x', kind: 'Photo' } }, 'VALIDATION_ERRORS'],
      [none, 'evidence?x=1', { token, body: evidenceBody }, 'VALIDATION_UNKNOWN_QUERY_PARAMETER'],
      [none, 'evidence', { token, body: evidenceBody }, 'NOT_FOUND_RETURN_REQUEST'],
      [early, 'evidence', { token, body: evidenceBody }, 'BUSINESS_RETURN_REQUEST_NOT_RECEIVED'],
      [open, 'evidence', { token, body: evidenceBody }, 'SUCCESS'],
    ]);
  });

  test('of a proposal: shape, existence, state, photo', async () => {
    const { token, other } = tokens();
    const body = { outcome: 'AcceptedSound' };
    const path = 'inspection/propose';
    const none = unknownId();
    const [received, open] = [
      await bench.returnIn('Received'),
      await bench.returnIn('UnderInspection'),
    ];
    await expectSteps('PATCH', [
      [none, path, { body: {} }, 'UNAUTHORIZED_MISSING_TOKEN'],
      [none, path, { token: other, body: {} }, 'FORBIDDEN_CAPABILITY_NOT_GRANTED'],
      [none, path, { token, body: {} }, 'VALIDATION_ERRORS'],
      [none, path, { token, body }, 'NOT_FOUND_RETURN_REQUEST'],
      [received, path, { token, body: {} }, 'VALIDATION_ERRORS'],
      [received, path, { token, body }, 'BUSINESS_RETURN_REQUEST_INVALID_TRANSITION'],
      [open, path, { token, body }, 'BUSINESS_RETURN_INSPECTION_EVIDENCE_REQUIRED'],
    ]);
    await succeeded(bench.addEvidence(open));
    await expectSteps('PATCH', [[open, path, { token, body }, 'SUCCESS']]);
  });

  test('of a receipt: capability, media type, shape, existence, state; it takes no body but an empty one', async () => {
    const { token, other } = tokens();
    const none = unknownId();
    const [early, ...open] = [
      await bench.returnIn('Approved'),
      await bench.returnIn('InTransit'),
      await bench.returnIn('InTransit'),
      await bench.returnIn('InTransit'),
    ];
    const json = { 'content-type': 'application/json' };
    await expectSteps('PATCH', [
      [none, 'received', { token: other }, 'FORBIDDEN_CAPABILITY_NOT_GRANTED'],
      [none, 'received', { token, body: 'x', headers: text }, 'UNSUPPORTED_MEDIA_TYPE'],
      [none, 'received', { token, body: { reason: 'x' } }, 'VALIDATION_ERRORS'],
      [early, 'received', { token, body: { reason: 'x' } }, 'VALIDATION_ERRORS'],
      [none, 'received', { token }, 'NOT_FOUND_RETURN_REQUEST'],
      [early, 'received', { token }, 'BUSINESS_RETURN_REQUEST_INVALID_TRANSITION'],
      [open[0] ?? '', 'received', { token }, 'SUCCESS'],
      [open[1] ?? '', 'received', { token, headers: json }, 'SUCCESS'],
      [open[2] ?? '', 'received', { token, body: {} }, 'SUCCESS'],
    ]);
  });

  test('each names the capability that is missing', async () => {
    const token = tokens().other;
    const id = await bench.returnIn('InTransit');
    for (const [, method, path, body] of calls) {
      const answer = await call(gateway, method, `/api/v1/scent/returns/${id}/${path}`, {
        token,
        body,
      });
      const details = { requiredCapability: 'Orders' };
      expect(answer).toMatchObject(refusal('FORBIDDEN_CAPABILITY_NOT_GRANTED', details));
    }
    expect(textOf(await bench.receive(id), 'status')).toBe('Received');
  });
});
