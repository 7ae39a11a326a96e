import { expect } from 'vitest';
import { emitEvents, newEvent } from '../../../db/webhooks/webhook-events.ts';
import { recoveredMax } from '../../../db/webhooks/redelivery.ts';
import type { EventType } from '../../../domain/webhooks/events.ts';
import { fieldErrorsOf, unknownId } from '../../support/api/api.ts';
import {
  attempt,
  noSubscription,
  notRedeliverable,
  operatedTest,
  orders,
  reviews,
} from './webhook-fixture.ts';

// A vendor redelivers what ended undelivered (D142), an operator the dead letters. The bodies have
// their cases in `webhook-body.test.ts`.

const since = '2026-01-01T10:00:00Z';
const test = operatedTest
  .extend(
    'recover',
    ({ fixture, id }) =>
      (body: object = { since }, at = id, token?: string) =>
        fixture.send('POST', `/${at}/recover`, body, token),
  )
  .extend(
    'recoverAsStaff',
    ({ operate, id }) =>
      (given: object = {}) =>
        operate('POST', 'deliveries/recover', { subscriptionId: id, since, ...given }),
  );

test.for(['vendor', 'operator'] as const)(
  'redelivers for the %s exactly what ended undelivered since an instant, and once',
  async (caller, { operator, auditOf, recover, recoverAsStaff, fixture, id }) => {
    const { sql, emit, subscribe, delivered, fired, storedDelivery, setActive } = fixture;
    const isVendor = caller === 'vendor';
    const deadLetterAt = async (at: string) => {
      const deliveryId = await emit(id);
      await attempt(sql, deliveryId, 'deadLettered', { at });
      return deliveryId;
    };
    const early = await deadLetterAt('2026-01-01T09:59:59.999Z');
    const deadLetters = [await deadLetterAt(since), await deadLetterAt('2026-02-01T00:00:00Z')];
    const cancelled = await emit(id);
    await setActive(id, false);
    const refused = isVendor ? await recover() : await recoverAsStaff();
    expect(refused).toMatchObject(notRedeliverable('SUBSCRIPTION_INACTIVE'));
    expect(await auditOf(id)).toEqual([]);
    await setActive(id, true);
    const others = [
      early,
      (await delivered(id, 'succeeded')).deliveryId,
      (await delivered(id, 'waiting')).deliveryId,
      (await fired(id)).deliveryId,
      (await delivered(await subscribe(), 'deadLettered')).deliveryId,
    ];
    const stored = () => Promise.all(others.map(storedDelivery));
    const before = await stored();

    const inRiyadh = { since: '2026-01-01T13:00:00+03:00' };
    const response = isVendor
      ? await recover({ ...inRiyadh, state: 'DeadLettered' }, id.toUpperCase())
      : await recoverAsStaff({ ...inRiyadh, subscriptionId: id.toUpperCase() });
    expect(response).toMatchObject({ status: isVendor ? 202 : 200, state: 'SUCCESS', details: {} });
    const ofWaiting = isVendor ? { madeDue: 0, missed: 0 } : {};
    expect(response.payload).toStrictEqual({ recovered: 2, ...ofWaiting });
    const waiting = { state: 'waiting', signals: ['queued'] };
    for (const each of deadLetters) expect(await storedDelivery(each)).toMatchObject(waiting);
    expect((await storedDelivery(cancelled)).state).toBe('cancelled');
    expect(await stored()).toEqual(before);
    if (isVendor) {
      const some = { recovered: 1, madeDue: 0, missed: 0 };
      expect((await recover({ since, state: null })).payload).toEqual(some);
      expect((await storedDelivery(cancelled)).signals.at(-1)).toBe('queued');
      expect((await recover()).payload).toEqual({ ...some, recovered: 0 });
      return;
    }
    expect((await recoverAsStaff()).payload).toEqual({ recovered: 0 });
    const by = { operatorId: operator.id, requestId: 'req-1' };
    const entry = { action: 'subscription.recover', subjectType: 'subscription', before: null };
    const after = { since: '2026-01-01T10:00:00.000000Z' };
    expect(await auditOf(id)).toEqual(
      [2, 0].map((recovered) => ({ ...by, ...entry, after: { ...after, recovered } })),
    );
  },
);

test('recovers no event of a removed type without capability', async ({ fixture, recover, id }) => {
  const { sql, emit, update, ordersOnly } = fixture;
  await attempt(sql, await emit(id, reviews), 'deadLettered');
  await update(id, { eventTypes: [orders] });
  expect((await recover({ since }, id, ordersOnly)).payload).toMatchObject({ recovered: 0 });
  expect((await recover()).payload).toMatchObject({ recovered: 1 });
});

test('recovers only what the state names (D174)', async ({ fixture, recover, id }) => {
  const { sql, delivered, emit, setActive, vendor } = fixture;
  await delivered(id, 'deadLettered');
  const later = await emit(id);
  await attempt(sql, later, 'waiting', { nextAttemptAt: '2099-01-01T00:00:00Z' });
  await setActive(id, false);
  const { vendorId } = vendor;
  await emitEvents(
    sql,
    newEvent({ eventType: orders, vendorId, occurredAt: new Date(), data: {} }),
  );
  await setActive(id, true);
  // The deactivation has cancelled what waited.
  expect((await recover({ since, state: 'Waiting' })).payload).toEqual({
    recovered: 0,
    madeDue: 0,
    missed: 0,
  });
  await sql`update webhook_deliveries set state = 'waiting', epoch = 1 where id = ${later}`;
  const none = { recovered: 0, madeDue: 0, missed: 0 };
  for (const [state, count] of [
    ['Waiting', { madeDue: 1 }],
    ['Missed', { missed: 1 }],
    ['DeadLettered', { recovered: 1 }],
  ] as const)
    expect((await recover({ since, state })).payload).toEqual({ ...none, ...count });
});

test('misses no event of before the subscription, or about its own failures', async ({
  fixture,
  recover,
  id,
}) => {
  const { sql, vendor, subscribe } = fixture;
  const { vendorId } = vendor;
  const data = { subscriptionId: id, url: 'https://vendor.example.org/hook', reason: 'gone' };
  const own = newEvent({
    eventType: 'vendor.webhook.disabled',
    vendorId,
    occurredAt: new Date(),
    data,
  });
  await emitEvents(sql, { ...own, excludedSubscriptionId: id });
  expect((await recover()).payload).toMatchObject({ missed: 0 });
  expect((await recover({ since }, await subscribe())).payload).toMatchObject({ missed: 0 });
});

test('misses no event of before its type was added, at last', async ({ fixture, recover }) => {
  const { sql, subscribe, setActive, update, vendor } = fixture;
  const id = await subscribe([orders]);
  const happen = (eventType: EventType) =>
    emitEvents(
      sql,
      newEvent({ eventType, vendorId: vendor.vendorId, occurredAt: new Date(), data: {} }),
    );
  const missed = async () => ((await recover({ since }, id)).payload as { missed: number }).missed;
  await happen(reviews);
  await update(id, { eventTypes: [orders, reviews] });
  expect(await missed()).toBe(0);
  await setActive(id, false);
  await happen(reviews);
  await happen(orders);
  await setActive(id, true);
  expect(await missed()).toBe(2);
  await update(id, { eventTypes: [orders] });
  await happen(reviews);
  await update(id, { eventTypes: [reviews] });
  expect(await missed()).toBe(0);
});

test('redelivers each once, 10,000 at most per parallel call', async ({ fixture, recover, id }) => {
  const { sql } = fixture;
  const { deliveryId } = await fixture.delivered(id, 'deadLettered');
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
  const responses = await Promise.all([recover(), recover(), recover()]);
  const counts = responses.map(({ payload }) => (payload as { recovered: number }).recovered);
  expect(counts.toSorted((a, b) => b - a)).toEqual([recoveredMax, 501, 0]);
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from delivery_queue where subscription_id = ${id}`;
  expect(row.count).toBe(recoveredMax + 501);
});

test('returns 400 for a malformed body', async ({ recover, id }) => {
  const wrong = ['Since required', 'State not_allowed', 'VendorId unknown_field'];
  expect(fieldErrorsOf(await recover({ state: 'Cancelled', vendorId: id }))).toEqual(wrong);
});

test('returns 404 without a subscription', async ({ fixture, recover, recoverAsStaff, id }) => {
  expect(await recover({ since }, '1')).toMatchObject(noSubscription);
  await fixture.remove(id);
  for (const subscriptionId of [unknownId(), id])
    expect(await recoverAsStaff({ subscriptionId })).toMatchObject(noSubscription);
});
