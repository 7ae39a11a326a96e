import { expect } from 'vitest';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';
import { newOperator } from '../support/actors.ts';
import {
  call,
  fieldErrorsOf,
  itemsOf,
  refusal,
  unknownId,
  type Answer,
  type Gateway,
} from '../support/api.ts';
import {
  attempt,
  begin,
  delivered,
  emit,
  firedSample,
  newWebhookFixture,
  noSubscription,
  notRedeliverable,
  record,
  storedDelivery,
  type WebhookFixture,
} from './webhook-fixture.ts';

// Redelivery by vendors and operators, and recovery of dead letters. What it does to a delivery has
// its cases in `test/db/webhooks/redelivery.test.ts`, the body in `webhook-body.test.ts`.

const test = gatewayTest
  .extend('operator', { scope: 'file' }, ({ gateway }) => newOperator(gateway, ['Operations']))
  .extend('fixture', ({ gateway }) => newWebhookFixture(gateway))
  .extend('id', ({ fixture }) => fixture.subscribe())
  .extend(
    'post',
    ({ gateway, operator: { token } }) =>
      (path: string, body?: unknown): Promise<Answer> =>
        call(gateway, 'POST', `/operator/v1/webhook-deliveries${path}`, {
          token,
          body,
          headers: { 'x-request-id': 'req-1' },
        }),
  );

const redeliver = (fixture: WebhookFixture, id: string, attemptId: string, body?: unknown) =>
  fixture.send('POST', `/${id}/deliveries/${attemptId}/redeliver`, body);
const switchTo = (fixture: WebhookFixture, id: string, isActive: boolean) =>
  fixture.send('PATCH', `/${id}/active`, { isActive });
const noDelivery = refusal('NOT_FOUND_VENDOR_WEBHOOK_DELIVERY');

/** The entries of operators; those of the vendor who makes the subscription are not asked for. */
const auditOf = ({ sql }: Gateway, subjectId: string) => sql`
  select operator_id, action, subject_type, request_id, before, after from audit_log
  where subject_id = ${subjectId} and operator_id is not null order by id`;

test('a vendor redelivers a dead letter under its key, and the numbers continue', async ({
  gateway: { sql },
  fixture,
  id,
}) => {
  const { deliveryId, attemptId } = await delivered(
    sql,
    fixture.vendor.vendorId,
    id,
    'deadLettered',
  );
  const [{ eventId }] = await sql<[{ eventId: string }]>`
    select event_id from webhook_deliveries where id = ${deliveryId}`;
  const answer = await redeliver(fixture, id, attemptId.toUpperCase());
  expect(answer).toMatchObject({ status: 200, state: 'SUCCESS', details: {} });
  expect(answer.payload).toStrictEqual({
    id: deliveryId,
    subscriptionId: id,
    eventType: 'vendor.order.assigned',
    idempotencyKey: eventId,
    state: 'waiting',
    attemptCount: 1,
    createdAt: expect.stringMatching(/Z$/),
  });
  expect((await storedDelivery(sql, deliveryId)).signals).toEqual(['start', 'redeliver']);
  const second = await attempt(sql, deliveryId, 'succeeded');
  expect((await storedDelivery(sql, deliveryId)).attemptTexts).toEqual([
    '1 http_status 503',
    '2 succeeded',
  ]);
  // By any of its attempts.
  for (const each of [attemptId, second]) {
    expect((await redeliver(fixture, id, each)).payload).toMatchObject({ state: 'waiting' });
    await attempt(sql, deliveryId, 'succeeded');
  }
});

test('an operator redelivers a delivery, which writes an audit entry', async ({
  gateway,
  operator,
  post,
  fixture,
  id,
}) => {
  const { vendorId } = fixture.vendor;
  const { deliveryId } = await delivered(gateway.sql, vendorId, id, 'deadLettered');
  const answer = await post(`/${deliveryId.toUpperCase()}/redeliver`);
  expect(answer).toMatchObject({ status: 200, state: 'SUCCESS', details: {} });
  expect(answer.payload).toMatchObject({ id: deliveryId, state: 'waiting', attemptCount: 1 });
  const url = `/operator/v1/webhook-deliveries?vendorId=${vendorId}`;
  const [listed] = itemsOf(await call(gateway, 'GET', url, { token: operator.token }));
  expect(answer.payload).toStrictEqual(listed);
  expect((await storedDelivery(gateway.sql, deliveryId)).signals).toEqual(['start', 'redeliver']);
  expect(await auditOf(gateway, deliveryId)).toEqual([
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
  async ([state, isActive, reason], { gateway, post, fixture, id }) => {
    const { sql } = gateway;
    const { vendorId } = fixture.vendor;
    const { deliveryId, attemptId } =
      state === 'sample'
        ? await firedSample(sql, vendorId, id)
        : await delivered(sql, vendorId, id, state === 'under way' ? 'waiting' : state);
    if (state === 'under way') await begin(sql, deliveryId);
    if (!isActive) await switchTo(fixture, id, false);
    const before = await storedDelivery(sql, deliveryId);
    expect(await redeliver(fixture, id, attemptId)).toMatchObject(notRedeliverable(reason));
    expect(await post(`/${deliveryId}/redeliver`)).toMatchObject(notRedeliverable(reason));
    expect(await storedDelivery(sql, deliveryId)).toEqual(before);
    expect(await auditOf(gateway, deliveryId)).toEqual([]);
  },
);

test('redelivers what a deactivation ended after an activation', async ({
  gateway: { sql },
  post,
  fixture,
  id,
}) => {
  const { deliveryId, attemptId } = await delivered(sql, fixture.vendor.vendorId, id, 'waiting');
  await switchTo(fixture, id, false);
  await switchTo(fixture, id, true);
  expect((await redeliver(fixture, id, attemptId)).payload).toMatchObject({
    id: deliveryId,
    attemptCount: 2,
  });
  await begin(sql, deliveryId);
  await fixture.send('DELETE', `/${id}`);
  expect(await post(`/${deliveryId}/redeliver`)).toMatchObject(
    notRedeliverable('SUBSCRIPTION_INACTIVE'),
  );
});

test('answers 404 for a wrong subscription first, then for a wrong attempt', async ({
  gateway,
  post,
  fixture,
  id,
}) => {
  const { sql } = gateway;
  const other = await fixture.subscribe();
  const { vendorId } = fixture.vendor;
  const elsewhere = await delivered(sql, vendorId, other, 'deadLettered');
  const theirs = await newWebhookFixture(gateway);
  const foreign = await theirs.subscribe();
  const owned = await delivered(sql, theirs.vendor.vendorId, foreign, 'deadLettered');
  for (const at of [unknownId(), foreign, '1'])
    for (const attemptId of [owned.attemptId, unknownId(), '1'])
      expect(await redeliver(fixture, at, attemptId)).toMatchObject(noSubscription);
  const { attemptId, deliveryId } = elsewhere;
  for (const each of [unknownId(), attemptId, deliveryId, owned.attemptId, '1', '%00'])
    expect(await redeliver(fixture, id, each)).toMatchObject(noDelivery);
  for (const each of [unknownId(), attemptId, '1', 'recover'])
    expect(await post(`/${each}/redeliver`)).toMatchObject(noDelivery);
  for (const each of [deliveryId, owned.deliveryId])
    expect((await storedDelivery(sql, each)).signals).toEqual(['start']);
});

test('takes no field', async ({ gateway: { sql }, fixture, id }) => {
  const { attemptId } = await delivered(sql, fixture.vendor.vendorId, id, 'deadLettered');
  const refused = await redeliver(fixture, id, attemptId, { force: true });
  expect(fieldErrorsOf(refused)).toEqual(['Force unknown_field']);
  expect((await redeliver(fixture, id, attemptId, {})).status).toBe(200);
});

test('a recovery redelivers exactly the dead letters since an instant', async ({
  gateway,
  operator,
  post,
  fixture,
  id,
}) => {
  const { sql } = gateway;
  const { vendorId } = fixture.vendor;
  const deadLetterAt = async (at: string) => {
    const deliveryId = await emit(sql, vendorId, id);
    await record(sql, await begin(sql, deliveryId), 'deadLettered', at);
    return deliveryId;
  };
  const early = await deadLetterAt('2026-01-01T09:59:59.999Z');
  const recovered = [
    await deadLetterAt('2026-01-01T10:00:00.000Z'),
    await deadLetterAt('2026-02-01T00:00:00.000Z'),
  ];
  const others = [
    early,
    (await delivered(sql, vendorId, id, 'succeeded')).deliveryId,
    (await delivered(sql, vendorId, id, 'waiting')).deliveryId,
    (await firedSample(sql, vendorId, id)).deliveryId,
    (await delivered(sql, vendorId, await fixture.subscribe(), 'deadLettered')).deliveryId,
  ];
  const stored = () => Promise.all(others.map((each) => storedDelivery(sql, each)));
  const before = await stored();
  const recover = (since: string) => post('/recover', { subscriptionId: id.toUpperCase(), since });
  const answer = await recover('2026-01-01T13:00:00+03:00');
  expect(answer).toMatchObject({ status: 200, state: 'SUCCESS', details: {} });
  expect(answer.payload).toStrictEqual({ recovered: 2 });
  for (const each of recovered)
    expect(await storedDelivery(sql, each)).toMatchObject({
      state: 'waiting',
      signals: ['start', 'redeliver'],
    });
  expect(await stored()).toEqual(before);
  expect((await recover('2026-01-01T10:00:00Z')).payload).toEqual({ recovered: 0 });
  expect(await auditOf(gateway, id)).toEqual(
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
  gateway,
  post,
  fixture,
  id,
}) => {
  const { sql } = gateway;
  const { deliveryId } = await delivered(sql, fixture.vendor.vendorId, id, 'deadLettered');
  const recover = (subscriptionId: string) =>
    post('/recover', { subscriptionId, since: '2026-01-01T00:00:00Z' });
  expect(fieldErrorsOf(await post('/recover', {}))).toEqual([
    'Since required',
    'SubscriptionId required',
  ]);
  expect(await recover(unknownId())).toMatchObject(noSubscription);
  await switchTo(fixture, id, false);
  expect(await recover(id)).toMatchObject(notRedeliverable('SUBSCRIPTION_INACTIVE'));
  await fixture.send('DELETE', `/${id}`);
  expect(await recover(id)).toMatchObject(noSubscription);
  expect((await storedDelivery(sql, deliveryId)).state).toBe('deadLettered');
  expect(await auditOf(gateway, id)).toEqual([]);
});
