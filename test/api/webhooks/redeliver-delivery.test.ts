import { expect } from 'vitest';
import { newOperator } from '../../support/api/actors.ts';
import { call, fieldErrorsOf, itemsOf, unknownId, type Answer } from '../../support/api/api.ts';
import { instant } from '../../support/api/matchers.ts';
import {
  attempt,
  begin,
  newWebhookFixture,
  noDelivery,
  noSubscription,
  notRedeliverable,
  orders,
  webhookTest,
} from './webhook-fixture.ts';

// Redelivery by vendors and operators, and recovery of dead letters. What it does to a delivery has
// its cases in `test/db/webhooks/redelivery.test.ts`, the body in `webhook-body.test.ts`.

const test = webhookTest
  .extend('operator', { scope: 'file' }, ({ gateway }) => newOperator(gateway, ['Operations']))
  .extend(
    'post',
    ({ gateway, operator: { token } }) =>
      (path: string, body?: unknown): Promise<Answer> =>
        call(gateway, 'POST', `/operator/v1/webhook-deliveries${path}`, {
          token,
          body,
          headers: { 'x-request-id': 'req-1' },
        }),
  )
  .extend(
    'auditOf',
    ({ gateway: { sql } }) =>
      // The entries of operators, without those of the vendor that makes the subscription.
      (subjectId: string) => sql`
        select operator_id, action, subject_type, request_id, before, after from audit_log
        where subject_id = ${subjectId} and operator_id is not null order by id`,
  );

test('a vendor redelivers a dead letter under its key, and the numbers continue', async ({
  fixture: { sql, delivered, redeliver, storedDelivery },
  id,
}) => {
  const { deliveryId, attemptId } = await delivered(id, 'deadLettered');
  const [{ eventId }] = await sql<[{ eventId: string }]>`
    select event_id from webhook_deliveries where id = ${deliveryId}`;
  const answer = await redeliver(id, attemptId.toUpperCase());
  expect(answer).toMatchObject({ status: 200, state: 'SUCCESS', details: {} });
  expect(answer.payload).toStrictEqual({
    id: deliveryId,
    subscriptionId: id,
    eventType: orders,
    idempotencyKey: eventId,
    state: 'waiting',
    attemptCount: 1,
    createdAt: instant,
  });
  expect((await storedDelivery(deliveryId)).signals).toEqual(['start', 'redeliver']);
  const second = await attempt(sql, deliveryId, 'succeeded');
  const attemptTexts = ['1 http_status 503', '2 succeeded'];
  expect(await storedDelivery(deliveryId)).toMatchObject({ attemptTexts });
  // By any of its attempts.
  for (const each of [attemptId, second]) {
    expect((await redeliver(id, each, {})).payload).toMatchObject({ state: 'waiting' });
    await attempt(sql, deliveryId, 'succeeded');
  }
});

test('an operator redelivers a delivery, which writes an audit entry', async ({
  gateway,
  operator,
  post,
  auditOf,
  fixture: { delivered, storedDelivery, vendor },
  id,
}) => {
  const { deliveryId } = await delivered(id, 'deadLettered');
  const answer = await post(`/${deliveryId.toUpperCase()}/redeliver`);
  expect(answer).toMatchObject({ status: 200, state: 'SUCCESS', details: {} });
  expect(answer.payload).toMatchObject({ id: deliveryId, state: 'waiting', attemptCount: 1 });
  const url = `/operator/v1/webhook-deliveries?vendorId=${vendor.vendorId}`;
  const [listed] = itemsOf(await call(gateway, 'GET', url, { token: operator.token }));
  expect(answer.payload).toStrictEqual(listed);
  expect((await storedDelivery(deliveryId)).signals).toEqual(['start', 'redeliver']);
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

test.for([
  ['waiting', true, 'WAITING'],
  ['under way', true, 'WAITING'],
  ['deadLettered', false, 'SUBSCRIPTION_INACTIVE'],
  ['waiting', false, 'SUBSCRIPTION_INACTIVE'],
  ['sample', true, 'TEST'],
  ['sample', false, 'TEST'],
] as const)(
  'refuses a delivery that is %s, its subscription active: %s, as %s, and stores nothing',
  async ([state, isActive, reason], { post, auditOf, fixture, id }) => {
    const { deliveryId, attemptId } =
      state === 'sample'
        ? await fixture.fired(id)
        : await fixture.delivered(id, state === 'under way' ? 'waiting' : state);
    if (state === 'under way') await begin(fixture.sql, deliveryId);
    if (!isActive) await fixture.setActive(id, false);
    const before = await fixture.storedDelivery(deliveryId);
    expect(await fixture.redeliver(id, attemptId)).toMatchObject(notRedeliverable(reason));
    expect(await post(`/${deliveryId}/redeliver`)).toMatchObject(notRedeliverable(reason));
    expect(await fixture.storedDelivery(deliveryId)).toEqual(before);
    expect(await auditOf(deliveryId)).toEqual([]);
  },
);

test('redelivers what a deactivation ended after an activation', async ({
  post,
  fixture: { sql, delivered, setActive, redeliver, remove },
  id,
}) => {
  const { deliveryId, attemptId } = await delivered(id, 'waiting');
  await setActive(id, false);
  await setActive(id, true);
  const again = { id: deliveryId, attemptCount: 2 };
  expect((await redeliver(id, attemptId)).payload).toMatchObject(again);
  await begin(sql, deliveryId);
  await remove(id);
  const refused = notRedeliverable('SUBSCRIPTION_INACTIVE');
  expect(await post(`/${deliveryId}/redeliver`)).toMatchObject(refused);
});

test('answers 404 for a wrong subscription first, then for a wrong attempt', async ({
  gateway,
  post,
  fixture: { subscribe, delivered, redeliver, storedDelivery },
  id,
}) => {
  const { attemptId, deliveryId } = await delivered(await subscribe(), 'deadLettered');
  const theirs = await newWebhookFixture(gateway);
  const foreign = await theirs.subscribe();
  const owned = await theirs.delivered(foreign, 'deadLettered');
  for (const at of [unknownId(), foreign, '1'])
    for (const each of [owned.attemptId, unknownId(), '1'])
      expect(await redeliver(at, each)).toMatchObject(noSubscription);
  for (const each of [unknownId(), attemptId, deliveryId, owned.attemptId, '1', '%00'])
    expect(await redeliver(id, each)).toMatchObject(noDelivery);
  for (const each of [unknownId(), attemptId, '1', 'recover'])
    expect(await post(`/${each}/redeliver`)).toMatchObject(noDelivery);
  for (const each of [deliveryId, owned.deliveryId])
    expect((await storedDelivery(each)).signals).toEqual(['start']);
});

test('takes no field', async ({ fixture: { delivered, redeliver, storedDelivery }, id }) => {
  const { attemptId, deliveryId } = await delivered(id, 'deadLettered');
  const refused = await redeliver(id, attemptId, { force: true });
  expect(fieldErrorsOf(refused)).toEqual(['Force unknown_field']);
  expect((await storedDelivery(deliveryId)).state).toBe('deadLettered');
});

test('a recovery redelivers exactly the dead letters since an instant', async ({
  operator,
  post,
  auditOf,
  fixture: { sql, subscribe, emit, delivered, fired, storedDelivery },
  id,
}) => {
  const deadLetterAt = async (at: string) => {
    const deliveryId = await emit(id);
    await attempt(sql, deliveryId, 'deadLettered', { at });
    return deliveryId;
  };
  const early = await deadLetterAt('2026-01-01T09:59:59.999Z');
  const recovered = [
    await deadLetterAt('2026-01-01T10:00:00.000Z'),
    await deadLetterAt('2026-02-01T00:00:00.000Z'),
  ];
  const others = [
    early,
    (await delivered(id, 'succeeded')).deliveryId,
    (await delivered(id, 'waiting')).deliveryId,
    (await fired(id)).deliveryId,
    (await delivered(await subscribe(), 'deadLettered')).deliveryId,
  ];
  const stored = () => Promise.all(others.map(storedDelivery));
  const before = await stored();
  const recover = (since: string) => post('/recover', { subscriptionId: id.toUpperCase(), since });
  const answer = await recover('2026-01-01T13:00:00+03:00');
  expect(answer).toMatchObject({ status: 200, state: 'SUCCESS', details: {} });
  expect(answer.payload).toStrictEqual({ recovered: 2 });
  const again = { state: 'waiting', signals: ['start', 'redeliver'] };
  for (const each of recovered) expect(await storedDelivery(each)).toMatchObject(again);
  expect(await stored()).toEqual(before);
  expect((await recover('2026-01-01T10:00:00Z')).payload).toEqual({ recovered: 0 });
  expect(await auditOf(id)).toEqual(
    [2, 0].map((count) => ({
      operatorId: operator.id,
      action: 'subscription.recover',
      subjectType: 'subscription',
      requestId: 'req-1',
      before: null,
      after: { since: '2026-01-01T10:00:00.000000Z', recovered: count },
    })),
  );
});

test('a recovery is 400 for a misshapen body, 404 for no subscription and 422 for an inactive one', async ({
  post,
  auditOf,
  fixture: { delivered, setActive, remove, storedDelivery },
  id,
}) => {
  const { deliveryId } = await delivered(id, 'deadLettered');
  const recover = (subscriptionId: string) =>
    post('/recover', { subscriptionId, since: '2026-01-01T00:00:00Z' });
  const misshapen = await post('/recover', {});
  expect(fieldErrorsOf(misshapen)).toEqual(['Since required', 'SubscriptionId required']);
  expect(await recover(unknownId())).toMatchObject(noSubscription);
  await setActive(id, false);
  expect(await recover(id)).toMatchObject(notRedeliverable('SUBSCRIPTION_INACTIVE'));
  await remove(id);
  expect(await recover(id)).toMatchObject(noSubscription);
  expect((await storedDelivery(deliveryId)).state).toBe('deadLettered');
  expect(await auditOf(id)).toEqual([]);
});
