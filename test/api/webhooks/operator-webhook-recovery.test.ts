import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { operatorRoles } from '../../../domain/accounts/operator-roles.ts';
import { newOperator, type TestOperator } from '../support/actors.ts';
import {
  call,
  fieldErrorsOf,
  itemsOf,
  refusal,
  startGateway,
  unknownId,
  type Gateway,
} from '../support/api.ts';
import {
  begin,
  delivered,
  emit,
  firedSample,
  newWebhookBench,
  record,
  storedDelivery,
  type WebhookBench,
} from './webhook-fixture.ts';

let gateway: Gateway;
let operator: TestOperator;
let bench: WebhookBench;
let id: string;

beforeAll(async () => {
  gateway = await startGateway();
  operator = await newOperator(gateway, ['Operations']);
});
beforeEach(async () => {
  bench = await newWebhookBench(gateway);
  id = await bench.subscribe();
});
afterAll(() => gateway.close());

const post = (path: string, body?: unknown, token = operator.token) =>
  call(gateway, 'POST', `/operator/v1/webhook-deliveries${path}`, {
    token,
    body,
    headers: { 'x-request-id': 'req-1' },
  });
const redeliver = (deliveryId: string) => post(`/${deliveryId}/redeliver`);
const since = '2026-01-01T00:00:00Z';
const recover = (subscriptionId = id, from: unknown = since) =>
  post('/recover', { subscriptionId, since: from });
const deliver = (state: 'waiting' | 'succeeded' | 'deadLettered', at = id) =>
  delivered(gateway.sql, bench.vendor.vendorId, at, state);
const refused = (reason: string) =>
  refusal('BUSINESS_VENDOR_WEBHOOK_DELIVERY_NOT_REDELIVERABLE', { reason });
const auditOf = (subjectId: string) => gateway.sql`
  select operator_id, action, subject_type, request_id, before, after from audit_log
  where subject_id = ${subjectId} order by id`;
/** A dead letter of that instant. */
async function deadLetterAt(at: string): Promise<string> {
  const deliveryId = await emit(gateway.sql, bench.vendor.vendorId, id);
  await record(gateway.sql, await begin(gateway.sql, deliveryId), 'deadLettered', at);
  return deliveryId;
}

test('a redelivery answers the delivery as the list has it, tells its run, and is in the audit log', async () => {
  const { deliveryId } = await deliver('deadLettered');
  const answer = await redeliver(deliveryId.toUpperCase());
  expect(answer).toMatchObject({ status: 200, state: 'SUCCESS', details: {} });
  expect(answer.payload).toMatchObject({
    id: deliveryId,
    state: 'waiting',
    attemptCount: 1,
    deadLetteredAt: null,
    workflow: { workflowId: `webhook-delivery/${deliveryId}` },
  });
  const url = `/operator/v1/webhook-deliveries?vendorId=${bench.vendor.vendorId}`;
  const [listed] = itemsOf(await call(gateway, 'GET', url, { token: operator.token }));
  expect(answer.payload).toStrictEqual(listed);
  expect((await storedDelivery(gateway.sql, deliveryId)).signals).toEqual(['start', 'redeliver']);
  expect(await auditOf(deliveryId)).toEqual([
    {
      operatorId: operator.id,
      action: 'delivery.redeliver',
      subjectType: 'delivery',
      requestId: 'req-1',
      before: { state: 'deadLettered', attemptCount: 1 },
      after: { state: 'waiting', attemptCount: 1 },
    },
  ]);
});

test('what waits, what nobody takes and what was a sample is refused, and leaves nothing in the audit log', async () => {
  const { deliveryId: waiting } = await deliver('waiting');
  const { deliveryId: dead } = await deliver('deadLettered');
  const { deliveryId: sample } = await firedSample(gateway.sql, bench.vendor.vendorId, id);
  expect(await redeliver(waiting)).toMatchObject(refused('WAITING'));
  expect(await redeliver(sample)).toMatchObject(refused('TEST'));
  await bench.send('PATCH', `/${id}/active`, { isActive: false });
  expect(await redeliver(dead)).toMatchObject(refused('SUBSCRIPTION_INACTIVE'));
  await bench.send('DELETE', `/${id}`);
  expect(await redeliver(dead)).toMatchObject(refused('SUBSCRIPTION_INACTIVE'));
  for (const deliveryId of [waiting, dead, sample]) expect(await auditOf(deliveryId)).toEqual([]);
});

test('an unknown delivery, an attempt’s id and no uuid are 404', async () => {
  const { attemptId } = await deliver('deadLettered');
  for (const unknown of [unknownId(), attemptId, '1', 'recover']) {
    expect(await redeliver(unknown)).toMatchObject(refusal('NOT_FOUND_VENDOR_WEBHOOK_DELIVERY'));
  }
});

test('a recovery puts every dead letter since an instant on a fresh schedule, and only those', async () => {
  const early = await deadLetterAt('2026-01-01T09:59:59.999Z');
  const exact = await deadLetterAt('2026-01-01T10:00:00.000Z');
  const late = await deadLetterAt('2026-02-01T00:00:00.000Z');
  const { deliveryId: succeeded } = await deliver('succeeded');
  const { deliveryId: waiting } = await deliver('waiting');
  const { deliveryId: sample } = await firedSample(gateway.sql, bench.vendor.vendorId, id);
  const { deliveryId: elsewhere } = await deliver('deadLettered', await bench.subscribe());
  const stateOf = async (deliveryId: string) =>
    (await storedDelivery(gateway.sql, deliveryId)).state;
  const answer = await recover(id.toUpperCase(), '2026-01-01T13:00:00+03:00');
  expect(answer).toMatchObject({ status: 200, state: 'SUCCESS', details: {} });
  expect(answer.payload).toStrictEqual({ recovered: 2 });
  for (const deliveryId of [exact, late]) {
    expect(await storedDelivery(gateway.sql, deliveryId)).toMatchObject({
      state: 'waiting',
      signals: ['start', 'redeliver'],
    });
  }
  expect(await stateOf(early)).toBe('deadLettered');
  expect(await stateOf(succeeded)).toBe('succeeded');
  expect((await storedDelivery(gateway.sql, waiting)).signals).toEqual(['start']);
  expect(await stateOf(sample)).toBe('failed');
  expect(await stateOf(elsewhere)).toBe('deadLettered');
  // Once more: there is nothing left of them.
  expect((await recover(id, '2026-01-01T10:00:00Z')).payload).toEqual({ recovered: 0 });
  expect(await auditOf(id)).toEqual(
    [2, 0].map((recovered) => ({
      operatorId: operator.id,
      action: 'subscription.recover',
      subjectType: 'subscription',
      requestId: 'req-1',
      before: null,
      after: { since: '2026-01-01T10:00:00.000000Z', recovered },
    })),
  );
});

test.each<[unknown, readonly string[]]>([
  [{}, ['Since required', 'SubscriptionId required']],
  [{ subscriptionId: 'x', since }, ['SubscriptionId invalid_uuid']],
  [{ subscriptionId: unknownId(), since: '2026-01-01' }, ['Since invalid_date']],
  [{ subscriptionId: unknownId(), since: '2026-02-30T00:00:00Z' }, ['Since invalid_date']],
  [{ subscriptionId: unknownId(), since: '2026-01-01T00:00:00' }, ['Since invalid_date']],
  [{ subscriptionId: unknownId(), since: 1 }, ['Since invalid_type']],
  [{ subscriptionId: unknownId(), since, vendorId: unknownId() }, ['VendorId unknown_field']],
])('the body %j is 400: %j', async (body, errors) => {
  const answer = await post('/recover', body);
  expect(answer).toMatchObject({ status: 400, state: 'VALIDATION_ERRORS' });
  expect(fieldErrorsOf(answer)).toEqual(errors);
});

test('a recovery for an unknown or a deleted subscription is 404, for an inactive one 422', async () => {
  const { deliveryId } = await deliver('deadLettered');
  expect(await recover(unknownId())).toMatchObject(
    refusal('NOT_FOUND_VENDOR_WEBHOOK_SUBSCRIPTION'),
  );
  await bench.send('PATCH', `/${id}/active`, { isActive: false });
  expect(await recover()).toMatchObject(refused('SUBSCRIPTION_INACTIVE'));
  await bench.send('DELETE', `/${id}`);
  expect(await recover()).toMatchObject(refusal('NOT_FOUND_VENDOR_WEBHOOK_SUBSCRIPTION'));
  expect(await storedDelivery(gateway.sql, deliveryId)).toMatchObject({ state: 'deadLettered' });
  expect(await auditOf(id)).toEqual([]);
});

test('both are for Operations, and for Admin', async () => {
  for (const role of operatorRoles) {
    const { token } = await newOperator(gateway, [role]);
    for (const path of ['/recover', `/${unknownId()}/redeliver`]) {
      const answer = await post(path, { unknown: 1 }, token);
      if (role === 'Reviewer') {
        expect(answer).toMatchObject(refusal('FORBIDDEN', { requiredRole: 'Operations' }));
      } else expect(answer.status).toBe(400);
    }
  }
});
