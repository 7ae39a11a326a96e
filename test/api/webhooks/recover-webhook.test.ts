import { expect } from 'vitest';
import { claimFirstAttempts } from '../../../db/webhooks/delivery-batches.ts';
import { recoveredMax } from '../../../db/webhooks/redelivery.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';
import { tokenWith } from '../../support/api/actors.ts';
import { fieldErrorsOf, unknownId } from '../../support/api/api.ts';
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

// A vendor redelivers what ended undelivered (D142).

const test = gatewayTest
  .extend('fixture', ({ gateway }) => newWebhookFixture(gateway))
  .extend('id', ({ fixture }) => fixture.subscribe());

const since = '2026-01-01T10:00:00Z';
const recover = (fixture: WebhookFixture, id: string, body: unknown, token?: string) =>
  fixture.send('POST', `/${id}/recover`, body, token);

test('redelivers exactly what ended undelivered since an instant, and once', async ({
  gateway: { sql },
  fixture,
  id,
}) => {
  const { vendorId } = fixture.vendor;
  const deadLetterAt = async (at: string) => {
    const deliveryId = await emit(sql, vendorId, id);
    await record(sql, await begin(sql, deliveryId), 'deadLettered', { at });
    return deliveryId;
  };
  const early = await deadLetterAt('2026-01-01T09:59:59.999Z');
  const deadLetters = [await deadLetterAt(since), await deadLetterAt('2026-02-01T00:00:00Z')];
  const cancelled = await emit(sql, vendorId, id);
  await fixture.send('PATCH', `/${id}/active`, { isActive: false });
  expect((await storedDelivery(sql, cancelled)).state).toBe('cancelled');
  expect(await recover(fixture, id, { since })).toMatchObject(
    notRedeliverable('SUBSCRIPTION_INACTIVE'),
  );
  await fixture.send('PATCH', `/${id}/active`, { isActive: true });
  const others = [
    early,
    (await delivered(sql, vendorId, id, 'succeeded')).deliveryId,
    (await delivered(sql, vendorId, id, 'waiting')).deliveryId,
    (await firedSample(sql, vendorId, id)).deliveryId,
    (await delivered(sql, vendorId, await fixture.subscribe(), 'deadLettered')).deliveryId,
  ];
  const stored = () => Promise.all(others.map((each) => storedDelivery(sql, each)));
  const before = await stored();

  const only = { since: '2026-01-01T13:00:00+03:00', state: 'DeadLettered' };
  const answer = await recover(fixture, id.toUpperCase(), only);
  expect(answer).toMatchObject({ status: 202, state: 'SUCCESS', details: {} });
  expect(answer.payload).toStrictEqual({ recovered: 2 });
  expect((await storedDelivery(sql, cancelled)).state).toBe('cancelled');
  expect((await recover(fixture, id, { since, state: null })).payload).toEqual({ recovered: 1 });
  for (const each of [...deadLetters, cancelled]) {
    const { state, signals } = await storedDelivery(sql, each);
    expect([state, signals.at(-1)]).toEqual(['waiting', 'redeliver']);
  }
  expect(await stored()).toEqual(before);
  expect((await recover(fixture, id, { since })).payload).toEqual({ recovered: 0 });
});

test('a relay makes the first attempt of what a vendor recovers', async ({
  gateway: { sql },
  fixture,
  id,
}) => {
  const { deliveryId } = await delivered(sql, fixture.vendor.vendorId, id, 'deadLettered');
  await sql`truncate outbox`;
  expect((await recover(fixture, id, { since })).payload).toEqual({ recovered: 1 });
  const batch = { batchId: unknownId(), claimedMax: 10, begunMax: 10, leaseMs: 1000 };
  expect((await claimFirstAttempts(sql, batch)).deliveries).toMatchObject([
    { deliveryId, begun: { attemptNumber: 2 } },
  ]);
});

test('leaves out a removed type whose capability the token lacks', async ({ gateway, fixture }) => {
  const { sql } = gateway;
  const orders = 'vendor.order.assigned';
  const reviews = 'vendor.offer.review-decision';
  const id = await fixture.subscribe([orders, reviews]);
  const review = await emit(sql, fixture.vendor.vendorId, id, reviews);
  await attempt(sql, review, 'deadLettered');
  await fixture.send('PUT', `/${id}`, { eventTypes: [orders] });
  const token = tokenWith(gateway, fixture.vendor, ['Orders']);
  expect((await recover(fixture, id, { since }, token)).payload).toEqual({ recovered: 0 });
  expect((await recover(fixture, id, { since })).payload).toEqual({ recovered: 1 });
});

test('at once, the recoveries of a subscription redeliver each dead letter once, 10,000 at most', async ({
  gateway: { sql },
  fixture,
  id,
}) => {
  const { deliveryId } = await delivered(sql, fixture.vendor.vendorId, id, 'deadLettered');
  await sql`
    with event as (
      insert into webhook_events (id, vendor_id, event_type, body, occurred_at)
      select 'evt_' || uuidv7(), vendor_id, event_type, '{}', now()
      from webhook_deliveries, generate_series(1, ${recoveredMax + 500})
      where id = ${deliveryId} returning id, vendor_id, event_type
    )
    insert into webhook_deliveries (id, event_id, subscription_id, vendor_id, event_type, state,
      attempts, dead_lettered_at)
    select uuidv7(), id, ${id}, vendor_id, event_type, 'deadLettered', 1, now() from event`;
  const answers = await Promise.all([1, 2, 3].map(() => recover(fixture, id, { since })));
  const counts = answers.map(({ payload }) => (payload as { recovered: number }).recovered);
  expect(counts.toSorted((a, b) => b - a)).toEqual([recoveredMax, 501, 0]);
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from outbox join webhook_deliveries as delivery
      on delivery.id = subject_id
    where subscription_id = ${id} and payload ->> 'signal' = 'redeliver'`;
  expect(row.count).toBe(recoveredMax + 501);
});

test('the limit of redeliveries does not apply', async ({ fixture, id }) => {
  for (let call = 0; call < 12; call += 1)
    expect((await recover(fixture, id, { since })).status).toBe(202);
});

test('is 400 for a misshapen body and 404 for no subscription', async ({
  gateway,
  fixture,
  id,
}) => {
  const wrong = { state: 'Cancelled', vendorId: id };
  expect(fieldErrorsOf(await recover(fixture, id, wrong)).toSorted()).toEqual([
    'Since required',
    'State not_allowed',
    'VendorId unknown_field',
  ]);
  const theirs = await (await newWebhookFixture(gateway)).subscribe();
  for (const each of [unknownId(), theirs, '1'])
    expect(await recover(fixture, each, { since })).toMatchObject(noSubscription);
});
