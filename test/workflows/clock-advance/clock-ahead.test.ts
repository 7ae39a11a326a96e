import { expect, vi } from 'vitest';
import { readUpcoming } from '../../../api/upcoming/upcoming-routes.ts';
import { readRecordStates } from '../../../db/checks/record-states.ts';
import type { Sql } from '../../../db/core/client.ts';
import { storeStock } from '../../../db/offers/store-push.ts';
import { readRecord } from '../../../db/watch/read-record.ts';
import { reconcile } from '../../../doctor/reconcile.ts';
import { upcomingKinds } from '../../../domain/upcoming.ts';
import { returnInspectionId, webhookDeliveryId } from '../../../workflows/ids.ts';
import { decisionDueAtKey, nextAttemptAtKey } from '../../../workflows/search-attributes.ts';
import { contextOf, untilSound } from '../../doctor/doctor-fixture.ts';
import { readBusinessInstants } from '../../support/database/business-instants.ts';
import type { TestGateway } from '../../support/gateway/gateway.ts';
import { readDetails } from '../../support/gateway/runs.ts';
import { workflowTest } from '../../support/gateway/workflow-test.ts';
import {
  addSeededEvidence,
  moveReturnTo,
  proposeAsVendor,
  seedReturn,
  storedReturn,
} from '../../support/returns/seed-returns.ts';
import { seedOffer } from '../../support/seeds/seed.ts';
import { deliveriesOf, emitTo, waiting } from '../../support/webhooks/delivery.ts';
import { notForAWhile, status, type TestReceiver } from '../../support/webhooks/receiver.ts';
import {
  advance,
  eventsOf,
  hourMs,
  newClockVendor,
  seedReceived,
  untilReached,
} from './clock-fixture.ts';

const monthMs = 30 * 24 * hourMs;
const minuteMs = 60_000;
/** The inspection starts at receipt. */
const startsAtOnce = { startMs: 1, windowMs: hourMs, closingMs: 0 };

/** What a vendor has that waits for its time, and what has happened to it. */
const readTimed = (sql: Sql, vendorId: string) => sql`
  select request.id, version, inspection_deadline as due_at, outcome as end
  from return_requests as request where vendor_id = ${vendorId} and status = 'UnderInspection'
  union all
  select id, attempts, next_attempt_at, state from webhook_deliveries where vendor_id = ${vendorId}
  union all
  select id, dead_letters, failing_since, is_active::text from webhook_subscriptions
  where vendor_id = ${vendorId}
  order by id`;

/** Offers and returns of a vendor, two of them under inspection, and a delivery that waits. */
async function fill(
  { sql }: TestGateway,
  receiver: TestReceiver,
  { vendorId, variantId }: { readonly vendorId: string; readonly variantId: string },
) {
  await seedOffer(sql, vendorId);
  await seedOffer(sql, vendorId, { variantId });
  const seed = (times = {}) => seedReturn(sql, { vendorId, variantId, times });
  await seed();
  const received = await moveReturnTo(sql, await seed(), 'Received');
  const inspect = async () => {
    const request = await moveReturnTo(sql, await seed(startsAtOnce), 'Received');
    return vi.waitFor(async () => {
      const found = await storedReturn(sql, request);
      expect(found.status).toBe('UnderInspection');
      return found;
    }, waiting);
  };
  const [silent, proposed] = [await inspect(), await inspect()];
  await addSeededEvidence(sql, proposed);
  await proposeAsVendor(sql, proposed, 'Rejected');
  await vi.waitFor(async () => {
    for (const { state } of await deliveriesOf(sql, vendorId)) expect(state).toBe('succeeded');
  }, waiting);
  receiver.answerWith(notForAWhile);
  await emitTo(sql, vendorId);
  const retry = await vi.waitFor(async () => {
    const [row] = await sql<[{ id: string; at: Date }]>`
      select id, next_attempt_at as at from webhook_deliveries
      where vendor_id = ${vendorId} and state = 'waiting' and not is_under_way
        and next_attempt_at is not null`;
    expect(row).toBeDefined();
    return row;
  }, waiting);
  receiver.answerWith(status(200));
  return { vendorId, received, silent, retry };
}

/**
 * Two vendors with the same things that wait; the clock of the first is a month ahead. The things
 * of the other waited before the advance, which ended an inspection and a retry of the first.
 */
const test = workflowTest
  .extend('settings', { scope: 'file' }, { GATEWAY_ENVIRONMENT: 'Sandbox' })
  .extend('world', { scope: 'file' }, async ({ gateway, receiver }) => {
    const { sql } = gateway;
    const newVendor = () => newClockVendor(gateway, receiver);
    const [vendor, neighbour] = [await newVendor(), await newVendor()];
    const { vendorId } = vendor;
    await seedOffer(sql, vendorId);
    receiver.answerWith(notForAWhile);
    await seedReceived(sql, vendor);
    await vi.waitFor(async () => {
      const deliveries = await deliveriesOf(sql, vendorId);
      expect(deliveries.map(({ attempts }) => attempts)).toEqual(deliveries.map(() => 1));
    }, waiting);
    receiver.answerWith(status(200));
    const other = await fill(gateway, receiver, neighbour);
    const timed = await readTimed(sql, other.vendorId);
    await advance(sql, vendorId, monthMs);
    await untilReached(sql, vendorId);
    return { gateway, newVendor, ahead: await fill(gateway, receiver, vendor), other, timed };
  });

test('moves no other vendor’s clock', async ({ world }) => {
  const { sql } = world.gateway;
  const { vendorId } = world.other;
  expect(await readTimed(sql, vendorId)).toEqual(world.timed);
  for (const { name, at } of await readBusinessInstants(sql, vendorId))
    expect(at?.getTime() ?? 0, name).toBeLessThan(Date.now() + 1000);
  const typesOf = async (id: string) => (await eventsOf(sql, id)).map(({ eventType }) => eventType);
  for (const type of ['vendor.return.inspection-closing', 'vendor.return.decided']) {
    expect(await typesOf(vendorId)).not.toContain(type);
    expect(await typesOf(world.ahead.vendorId)).toContain(type);
  }
});

test('has nothing that the doctor finds or the reconciliation changes', async ({ world }) => {
  const { sql } = world.gateway;
  await untilSound(world.gateway);
  expect(await reconcile(contextOf(world.gateway), AbortSignal.timeout(60_000))).toEqual({});
  // The retention has deleted the deliveries of an event, by real time.
  const [{ id: old }] = await sql<[{ id: string }]>`
    insert into webhook_events (id, vendor_id, event_type, body, occurred_at, receivers)
    select 'evt_' || uuidv7(interval '-31 days'), vendor_id, event_type, body, occurred_at, 1
    from webhook_events where vendor_id = ${world.ahead.vendorId} order by sequence limit 1
    returning id`;
  await untilSound(world.gateway);
  await sql`delete from webhook_events where id = ${old}`;
});

test('counts gauges by the clock of each vendor', async ({ world }) => {
  const { sql } = world.gateway;
  const counts = await readRecord(sql);
  expect(counts).toMatchObject({
    reviewsOpen: 5,
    inspectionsOpen: 4,
    inspectionsOverdue: 0,
    deliveriesWaiting: 2,
    deliveriesOverdue: 0,
  });
  // The offer from before the advance has waited for a month by its vendor's clock.
  expect(counts.reviewsOldestAge).toBeGreaterThan(monthMs / 1000 - 1);
  expect(counts.reviewsOldestAge).toBeLessThan(monthMs / 1000 + 600);
  expect(counts.inspectionNextDeadline).toBeGreaterThan(0);
  expect(counts.inspectionNextDeadline).toBeLessThanOrEqual(hourMs / 1000);

  const ids = [world.ahead.silent.id, world.other.silent.id];
  for (const [index, id] of ids.entries()) {
    await sql`
      update return_requests set inspection_deadline = business_now((
        select clock_offset from vendors where id = vendor_id
      )) - interval '2 minutes' where id = ${id}`;
    expect((await readRecord(sql)).inspectionsOverdue).toBe(index + 1);
  }
  for (const { overdueSince } of (await readRecordStates(sql, 'returnInspection', ids)).values())
    expect((Date.now() - (overdueSince?.getTime() ?? 0)) / minuteMs).toBeCloseTo(2, 0);
  for (const { silent } of [world.ahead, world.other])
    await sql`
      update return_requests set inspection_deadline = ${silent.inspectionDeadline}
      where id = ${silent.id}`;
});

test('lists upcoming changes with the instants of the vendor’s clock', async ({ world }) => {
  const { sql } = world.gateway;
  const failureLimit = { failingMs: 24 * hourMs, deadLetters: 5 };
  const read = async (vendorId: string | null, end: Date | null = null) => {
    const filter = { kinds: upcomingKinds, vendorId, before: end?.toISOString() ?? null };
    const page = { page: 1, pageSize: 100 };
    return (await readUpcoming({ lists: sql, failureLimit }, filter, page, (item) => item)).items;
  };
  for (const [{ vendorId, received, silent, retry }, aheadMs] of [
    [world.ahead, monthMs],
    [world.other, 0],
  ] as const) {
    const own = await read(vendorId);
    expect((await read(null)).filter((item) => item.vendorId === vendorId)).toEqual(own);
    const instantOf = (kind: string, id: string) =>
      own.find((item) => item.kind === kind && Object.values(item.subject).includes(id))?.at;
    const receivedMs = received.receivedAt?.getTime() ?? 0;
    expect(instantOf('ReturnInspectionStart', received.id)?.getTime()).toBe(
      receivedMs + received.times.startMs,
    );
    expect(instantOf('ReturnInspectionEnd', silent.id)).toEqual(silent.inspectionDeadline);
    const [{ offsetMs }] = await sql<[{ offsetMs: number }]>`
      select (extract(epoch from clock_offset) * 1000)::float8 as offset_ms from vendors
      where id = ${vendorId}`;
    expect(Math.abs(offsetMs - aheadMs)).toBeLessThan(minuteMs);
    const next = own.find(({ kind }) => kind === 'WebhookRetry')?.at.getTime();
    expect(next).toBe(retry.at.getTime() + offsetMs);
    for (const { at } of own)
      expect(at.getTime()).toBeGreaterThan(Date.now() + offsetMs - minuteMs);
  }
  const ofAll = await read(null);
  const instants = ofAll.map(({ at }) => at.getTime());
  expect(instants).toEqual(instants.toSorted((one, other) => one - other));
  const soon = await read(null, new Date(Date.now() + monthMs / 2));
  expect(new Set(soon.map(({ vendorId }) => vendorId))).toEqual(new Set([world.other.vendorId]));
});

test('shows the vendor’s instants in runs', async ({ world }) => {
  const { client } = world.gateway;
  for (const { silent, received, retry } of [world.ahead, world.other]) {
    const attributes = async (workflowId: string) =>
      (await client.workflow.getHandle(workflowId).describe()).typedSearchAttributes;
    const [inspection, delivery] = [returnInspectionId(silent.id), webhookDeliveryId(retry.id)];
    const { inspectionDeadline } = silent;
    expect((await attributes(inspection)).get(decisionDueAtKey)).toEqual(inspectionDeadline);
    expect((await attributes(delivery)).get(nextAttemptAtKey)).toEqual(retry.at);
    const details = await readDetails(client, inspection);
    expect(details).toContain(inspectionDeadline?.toISOString());
    const startsAt = new Date((received.receivedAt?.getTime() ?? 0) + received.times.startMs);
    const beforeStart = await readDetails(client, returnInspectionId(received.id));
    expect(beforeStart).toContain(startsAt.toISOString());
  }
});

test('moves no other vendor’s clock under load', async ({ world: { gateway, newVendor } }) => {
  const { sql } = gateway;
  const [vendor, neighbour] = [await newVendor(), await newVendor()];
  const load = async (of: typeof vendor) => {
    const { vendorId, id: offerId } = await seedOffer(sql, of.vendorId);
    for (let quantity = 1; quantity <= 1000; quantity += 1) {
      const stock = { declaredInStock: true, declaredStockQuantity: quantity };
      await storeStock(sql, { vendorId, offerId }, stock);
      if (quantity === 20 || quantity === 40) await seedReceived(sql, of);
    }
  };
  await advance(sql, vendor.vendorId, monthMs);
  await Promise.all([load(vendor), load(neighbour), untilReached(sql, vendor.vendorId)]);
  for (const { name, at } of await readBusinessInstants(sql, neighbour.vendorId))
    expect(at?.getTime() ?? 0, name).toBeLessThan(Date.now() + 1000);
  // Its orders and returns were announced, and received. Nothing came due, or was sent again.
  await untilSound(gateway);
  expect(await deliveriesOf(sql, neighbour.vendorId)).toEqual(
    Array.from({ length: 6 }, () => expect.objectContaining({ state: 'succeeded', attempts: 1 })),
  );
});
