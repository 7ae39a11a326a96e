import { describe, expect } from 'vitest';
import { returnStatuses } from '../../../domain/returns/return-status.ts';
import { tokenWith } from '../support/actors.ts';
import {
  expectRefused,
  invalidMove,
  photoUrl,
  returnRecord,
  storedReturn,
  succeeded,
  type ReturnFixture,
  returnTest as test,
  newReturnFixture,
} from './return-fixture.ts';
import { call, refusal, textOf, unknownId, type Call, type Gateway } from '../support/api.ts';

import { instant } from '../support/matchers.ts';

const notFound = refusal('NOT_FOUND_RETURN_REQUEST');

describe('received', () => {
  test.for(returnStatuses)('of a return that is %s', async (status, { gateway, fixture }) => {
    const id = await fixture.returnIn(status);
    if (status !== 'InTransit')
      return expectRefused(gateway, id, () => fixture.receive(id), invalidMove(status, 'receive'));
    const answer = await fixture.receive(id.toUpperCase());
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

  test('a second receipt is refused, and the time of the first stays', async ({
    gateway,
    fixture,
  }) => {
    const id = await fixture.returnIn('Received');
    await expectRefused(gateway, id, () => fixture.receive(id), invalidMove('Received', 'receive'));
  });

  test('the message to the workflow goes with it', async ({ gateway, fixture }) => {
    const id = await fixture.returnIn('InTransit');
    await succeeded(fixture.receive(id));
    const [message] = await gateway.sql`
      select kind, payload->>'signal' as signal from outbox where subject_id = ${id}
      order by id desc limit 1`;
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
  test("another vendor's, a sorting point's, an unknown one and no uuid are the same 404", async ({
    gateway,
    fixture,
  }) => {
    const stranger = await newReturnFixture(gateway);
    for (const status of ['InTransit', 'Received', 'UnderInspection', 'Closed'] as const) {
      const foreign = await stranger.returnIn(status);
      const sorted = await fixture.returnIn(status, { destination: 'SortingPoint' });
      for (const id of [foreign, foreign.toUpperCase(), sorted]) {
        const before = await returnRecord(gateway, id.toLowerCase());
        const answer = await fixture.send(method, `/${id}/${path}`, body);
        expect(answer).toMatchObject(notFound);
        expect(answer.text).toBe(
          (await fixture.send(method, `/${unknownId()}/${path}`, body)).text,
        );
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
      expect(await fixture.send(method, `/${id}/${path}`, body)).toMatchObject(notFound);
    }
  });
});

const text = { 'content-type': 'text/plain' };
/** Each step mends the first fault of the step before, and the next one shows. */
async function expectSteps(
  gateway: Gateway,
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
const tokens = (gateway: Gateway, fixture: ReturnFixture) => {
  const { vendor, operator } = fixture;
  const other = tokenWith(gateway, vendor, ['Offers', 'Stock', 'Cost', 'Account']);
  return { token: vendor.token, other, operator: operator.token };
};

describe('the order of checks (D2)', () => {
  test('of evidence: route, token, side, capability, media type, shape, existence, state', async ({
    gateway,
    fixture,
  }) => {
    const { token, other, operator } = tokens(gateway, fixture);
    const none = unknownId();
    const [early, open] = [await fixture.returnIn('InTransit'), await fixture.returnIn('Received')];
    await expectSteps(gateway, 'POST', [
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

  test('of a proposal: shape, existence, state, photo', async ({ gateway, fixture }) => {
    const { token, other } = tokens(gateway, fixture);
    const body = { outcome: 'AcceptedSound' };
    const path = 'inspection/propose';
    const none = unknownId();
    const [received, open] = [
      await fixture.returnIn('Received'),
      await fixture.returnIn('UnderInspection'),
    ];
    await expectSteps(gateway, 'PATCH', [
      [none, path, { body: {} }, 'UNAUTHORIZED_MISSING_TOKEN'],
      [none, path, { token: other, body: {} }, 'FORBIDDEN_CAPABILITY_NOT_GRANTED'],
      [none, path, { token, body: {} }, 'VALIDATION_ERRORS'],
      [none, path, { token, body }, 'NOT_FOUND_RETURN_REQUEST'],
      [received, path, { token, body: {} }, 'VALIDATION_ERRORS'],
      [received, path, { token, body }, 'BUSINESS_RETURN_REQUEST_INVALID_TRANSITION'],
      [open, path, { token, body }, 'BUSINESS_RETURN_INSPECTION_EVIDENCE_REQUIRED'],
    ]);
    await succeeded(fixture.addEvidence(open));
    await expectSteps(gateway, 'PATCH', [[open, path, { token, body }, 'SUCCESS']]);
  });

  test('of a receipt: capability, media type, shape, existence, state; only an empty body', async ({
    gateway,
    fixture,
  }) => {
    const { token, other } = tokens(gateway, fixture);
    const none = unknownId();
    const [early, ...open] = [
      await fixture.returnIn('Approved'),
      await fixture.returnIn('InTransit'),
      await fixture.returnIn('InTransit'),
      await fixture.returnIn('InTransit'),
    ];
    const json = { 'content-type': 'application/json' };
    await expectSteps(gateway, 'PATCH', [
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

  test('each names the capability that is missing', async ({ gateway, fixture }) => {
    const token = tokens(gateway, fixture).other;
    const id = await fixture.returnIn('InTransit');
    for (const [, method, path, body] of calls) {
      const answer = await call(gateway, method, `/api/v1/scent/returns/${id}/${path}`, {
        token,
        body,
      });
      const details = { requiredCapability: 'Orders' };
      expect(answer).toMatchObject(refusal('FORBIDDEN_CAPABILITY_NOT_GRANTED', details));
    }
    expect(textOf(await fixture.receive(id), 'status')).toBe('Received');
  });
});
