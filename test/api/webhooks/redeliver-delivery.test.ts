import { expect } from 'vitest';
import { itemsOf, unknownId } from '../../support/api/api.ts';
import { instant } from '../../support/api/matchers.ts';
import {
  attempt,
  begin,
  noDelivery,
  noSubscription,
  notRedeliverable,
  operatedTest as test,
  orders,
} from './webhook-fixture.ts';

// Redelivery by vendors and operators. What it does to a delivery has its cases in
// `test/db/webhooks/delivery-table.test.ts` and `redelivery.test.ts`.

test('redelivers under the same key, with continued attempt numbers', async ({ fixture, id }) => {
  const { sql, delivered, redeliver, storedDelivery } = fixture;
  const { deliveryId, attemptId } = await delivered(id, 'deadLettered');
  const [{ eventId }] = await sql<[{ eventId: string }]>`
    select event_id from webhook_deliveries where id = ${deliveryId}`;
  const response = await redeliver(id, attemptId.toUpperCase());
  expect(response).toMatchObject({ status: 200, state: 'SUCCESS', details: {} });
  expect(response.payload).toStrictEqual({
    id: deliveryId,
    subscriptionId: id,
    eventType: orders,
    idempotencyKey: eventId,
    state: 'waiting',
    attemptCount: 1,
    createdAt: instant,
  });
  expect((await storedDelivery(deliveryId)).signals).toEqual(['queued']);
  const second = await attempt(sql, deliveryId, 'succeeded');
  const attemptTexts = ['1 http_status 503', '2 succeeded'];
  expect(await storedDelivery(deliveryId)).toMatchObject({ attemptTexts });
  // By any of its attempts.
  for (const each of [attemptId, second]) {
    expect((await redeliver(id, each, {})).payload).toMatchObject({ state: 'waiting' });
    await attempt(sql, deliveryId, 'succeeded');
  }
});

test('redelivers for an operator', async ({ operator, operate, auditOf, fixture, id }) => {
  const { delivered, storedDelivery, vendor } = fixture;
  const { deliveryId } = await delivered(id, 'deadLettered');
  const response = await operate('POST', `deliveries/${deliveryId.toUpperCase()}/redeliver`);
  expect(response).toMatchObject({ status: 200, state: 'SUCCESS', details: {} });
  expect(response.payload).toMatchObject({ id: deliveryId, state: 'waiting', attemptCount: 1 });
  const list = await operate('GET', `deliveries?vendorId=${vendor.vendorId}`);
  expect(itemsOf(list)).toStrictEqual([response.payload]);
  expect((await storedDelivery(deliveryId)).signals).toEqual(['queued']);
  const entry = { operatorId: operator.id, action: 'delivery.redeliver', subjectType: 'delivery' };
  const before = { state: 'deadLettered', attemptCount: 1 };
  const after = { state: 'waiting', attemptCount: 1 };
  expect(await auditOf(deliveryId)).toEqual([{ ...entry, requestId: 'req-1', before, after }]);
});

test.for([
  ['waiting', true, 'WAITING'],
  ['under way', true, 'WAITING'],
  ['deadLettered', false, 'SUBSCRIPTION_INACTIVE'],
  ['waiting', false, 'SUBSCRIPTION_INACTIVE'],
  ['sample', true, 'TEST'],
  ['sample', false, 'TEST'],
] as const)(
  'refuses a delivery that is %s, its subscription active: %s, as %s, and stores nothing',
  async ([state, isActive, reason], { operate, auditOf, fixture, id }) => {
    const { deliveryId, attemptId } =
      state === 'sample'
        ? await fixture.fired(id)
        : await fixture.delivered(id, state === 'under way' ? 'waiting' : state);
    if (state === 'under way') await begin(fixture.sql, deliveryId);
    if (!isActive) await fixture.setActive(id, false);
    const before = await fixture.storedDelivery(deliveryId);
    for (const response of [
      await fixture.redeliver(id, attemptId),
      await operate('POST', `deliveries/${deliveryId}/redeliver`),
    ])
      expect(response).toMatchObject(notRedeliverable(reason));
    expect(await fixture.storedDelivery(deliveryId)).toEqual(before);
    expect(await auditOf(deliveryId)).toEqual([]);
  },
);

test('redelivers a delivery that a deactivation ended', async ({ operate, fixture, id }) => {
  const { sql, delivered, setActive, redeliver, remove } = fixture;
  const { deliveryId, attemptId } = await delivered(id, 'waiting');
  await setActive(id, false);
  await setActive(id, true);
  const again = { id: deliveryId, attemptCount: 2 };
  expect((await redeliver(id, attemptId)).payload).toMatchObject(again);
  await begin(sql, deliveryId);
  await remove(id);
  expect(await operate('POST', `deliveries/${deliveryId}/redeliver`)).toMatchObject(
    notRedeliverable('SUBSCRIPTION_INACTIVE'),
  );
});

test('returns 404 for another subscription, then for another attempt', async ({ fixture, id }) => {
  const { subscribe, delivered, redeliver, storedDelivery } = fixture;
  const { attemptId, deliveryId } = await delivered(await subscribe(), 'deadLettered');
  for (const at of [unknownId(), '1'])
    for (const each of [attemptId, unknownId(), '1'])
      expect(await redeliver(at, each)).toMatchObject(noSubscription);
  for (const each of [unknownId(), attemptId, deliveryId, '1', '%00'])
    expect(await redeliver(id, each)).toMatchObject(noDelivery);
  expect((await storedDelivery(deliveryId)).signals).toEqual([]);
});

test('returns 404 to an operator for the id of an attempt', async ({ operate, fixture, id }) => {
  const { attemptId } = await fixture.delivered(id, 'deadLettered');
  for (const each of [attemptId, '1', 'recover'])
    expect(await operate('POST', `deliveries/${each}/redeliver`)).toMatchObject(noDelivery);
});
