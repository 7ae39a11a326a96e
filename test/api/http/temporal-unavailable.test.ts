import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Decisions } from '../../../temporal/decisions.ts';
import { freeFormOffer, newOperator, newVariant, newVendor } from '../../support/api/actors.ts';
import { call, help, refusal, textOf, unknownEffect, type Gateway } from '../../support/api/api.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';

/** What the stub below answers. */
let decide: Decisions['decideOffer'] = () => Promise.reject(new Error('not set'));

const test = gatewayTest.extend('overrides', { scope: 'file' }, () => ({
  decisions: {
    decideOffer: (...given) => decide(...given),
    decideReturn: () => Promise.reject(new Error('not asked')),
  },
}));

/** An error as the gRPC library makes it. */
const grpcError = (code: number) =>
  Object.assign(new Error(`${code} secret address 10.0.0.7`), {
    code,
    details: 'inside',
    metadata: {},
  });

async function approve(gateway: Gateway) {
  const vendor = await newVendor(gateway);
  const operator = await newOperator(gateway, ['Reviewer']);
  const { id: variantId } = await newVariant(gateway);
  const body = { ...freeFormOffer, variantId };
  const offer = await call(gateway, 'POST', '/api/v1/scent/offers', { token: vendor.token, body });
  const id = textOf(offer, 'id');
  const url = `/operator/v1/offers/${id}/approve`;
  return {
    id,
    answer: await call(gateway, 'POST', url, {
      token: operator.token,
      body: { expectedVersion: 1 },
    }),
  };
}

test.for([
  [14, 'SERVICE_UNAVAILABLE'],
  [8, 'SERVICE_UNAVAILABLE'],
  [4, 'GATEWAY_TIMEOUT'],
  [7, 'UPSTREAM_AUTH_FAILED'],
  [16, 'UPSTREAM_AUTH_FAILED'],
] as const)(
  'returns gRPC status %i of Temporal as %s without details, and the offer waits on',
  async ([code, state], { gateway }) => {
    decide = () => Promise.reject(grpcError(code));
    const { id, answer } = await approve(gateway);
    expect(answer).toMatchObject(refusal(state));
    const own = state === 'GATEWAY_TIMEOUT' ? unknownEffect : {};
    const details = { ...own, ...help(state) };
    expect(answer.text).toBe(JSON.stringify({ state, payload: null, details }));
    expect(answer.headers['www-authenticate']).toBeUndefined();
    expect(answer.headers['retry-after'] !== undefined).toBe(state === 'SERVICE_UNAVAILABLE');
    const [row] = await gateway.sql`select status, version from offers where id = ${id}`;
    expect(row).toEqual({ status: 'PendingReview', version: 1 });
    // One of the submission. The other makes the run read a decision that it may not know.
    const messages = await gateway.sql`select kind from outbox where subject_id = ${id}`;
    expect(messages).toEqual([{ kind: 'offerReview' }, { kind: 'offerReview' }]);
  },
);

test('returns a bug as 500 with the request id and no details', async ({ gateway }) => {
  decide = () => Promise.reject(new TypeError('secret column'));
  const { answer } = await approve(gateway);
  const requestId = answer.headers['x-request-id'];
  expect(answer).toMatchObject(refusal('INTERNAL_ERROR', { requestId }));
  expect(answer.text).not.toContain('secret');
});

test('returns the refusal of the workflow', async ({ gateway }) => {
  const details = { expectedVersion: 1, reviewVersion: 2 };
  decide = async () => ({ ok: false, failure: { code: 'CONFLICT_VERSION', details } });
  expect((await approve(gateway)).answer).toMatchObject(refusal('CONFLICT_VERSION', details));
});

test('stores the decision before it sends it, and sends only ids', async ({ gateway }) => {
  let sent: unknown;
  decide = async (...given) => {
    sent = given;
    return { ok: false, failure: { code: 'BUSINESS_OFFER_INVALID_TRANSITION', details: {} } };
  };
  const { id } = await approve(gateway);
  const [command] = await gateway.sql`
    select id, action, input, applied_at from operator_commands where subject_id = ${id}`;
  expect(command).toMatchObject({
    action: 'approve',
    input: { action: 'approve', variantId: null, expectedVersion: 1 },
    appliedAt: null,
  });
  expect(sent).toEqual([
    { offerId: id, vendorId: expect.any(String) },
    {
      action: 'approve',
      commandId: String(command?.['id'] ?? randomUUID()),
      operatorId: expect.any(String),
      requestId: expect.any(String),
    },
  ]);
});
