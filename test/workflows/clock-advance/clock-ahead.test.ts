import { expect, vi } from 'vitest';
import { readUpcoming } from '../../../api/upcoming/read-upcoming.ts';
import { readRecordStates } from '../../../db/checks/record-states.ts';
import { readRecord } from '../../../db/watch/read-record.ts';
import { checks } from '../../../doctor/checks.ts';
import { examine, isClean } from '../../../doctor/examine.ts';
import { reconcile } from '../../../doctor/reconcile.ts';
import { upcomingKinds } from '../../../domain/upcoming.ts';
import { returnInspectionId, webhookDeliveryId } from '../../../workflows/ids.ts';
import { contextOf } from '../../doctor/doctor-fixture.ts';
import {
  addSeededEvidence,
  moveReturnTo,
  proposeAsVendor,
  seedReturn,
  storedReturn,
} from '../../support/returns/seed-returns.ts';
import { seedOffer } from '../../support/seeds/seed.ts';
import { deliveriesOf, emitTo, waiting } from '../../support/webhooks/delivery.ts';
import { notForAWhile } from '../../support/webhooks/receiver.ts';
import { workflowTest } from '../../support/gateway/workflow-test.ts';
import { advance, hourMs, newClockVendor, untilReady } from './clock-fixture.ts';

const monthMs = 30 * 24 * hourMs;
const minuteMs = 60_000;
/** The inspection starts at receipt. */
const startsAtOnce = { startMs: 1, windowMs: hourMs, closingMs: 0 };

/** Two vendors, the first of whose clock is a month ahead, with the same things that wait. */
const test = workflowTest
  .extend('settings', { scope: 'file' }, ({ receiver }) => ({
    GATEWAY_ENVIRONMENT: 'Sandbox',
    WEBHOOK_ALLOWED_ORIGINS: receiver.origin,
  }))
  .extend('world', { scope: 'file' }, async ({ gateway, receiver }) => {
    const { sql, config } = gateway;
    const newVendor = () => newClockVendor(sql, config.SECRETS_KEY, receiver.url);
    const [ahead, other] = [await newVendor(), await newVendor()];
    const before = await seedOffer(sql, ahead.vendorId);
    await advance(sql, ahead.vendorId, monthMs);
    await untilReady(sql, ahead.vendorId);
    const fill = async (vendor: typeof ahead) => {
      const { vendorId, variantId } = vendor;
      await seedOffer(sql, vendorId);
      await seedOffer(sql, vendorId, { variantId });
      const seed = (times = {}) => seedReturn(sql, { vendorId, variantId, times });
      await seed();
      await moveReturnTo(sql, await seed(), 'Approved');
      await moveReturnTo(sql, await seed(), 'InTransit');
      const received = await moveReturnTo(sql, await seed(), 'Received');
      const inspected = [];
      for (let each = 0; each < 3; each += 1)
        inspected.push(await moveReturnTo(sql, await seed(startsAtOnce), 'Received'));
      for (const request of inspected)
        await vi.waitFor(
          async () => expect((await storedReturn(sql, request)).status).toBe('UnderInspection'),
          waiting,
        );
      const [silent = expect.unreachable(), proposed = expect.unreachable(), staffed] = inspected;
      for (const request of [proposed, staffed ?? expect.unreachable()]) {
        await addSeededEvidence(sql, request);
        await proposeAsVendor(sql, request, 'Rejected');
      }
      return { ...vendor, received, silent: await storedReturn(sql, silent) };
    };
    const [filled, filledOther] = [await fill(ahead), await fill(other)];
    await vi.waitFor(async () => {
      for (const { vendorId } of [ahead, other])
        for (const { state } of await deliveriesOf(sql, vendorId)) expect(state).toBe('succeeded');
    }, waiting);
    receiver.answerWith(notForAWhile);
    for (const { vendorId } of [ahead, other]) await emitTo(sql, vendorId);
    const retryOf = async (vendorId: string) =>
      vi.waitFor(async () => {
        const [row] = await sql<[{ id: string; at: Date }]>`
          select id, next_attempt_at as at from webhook_deliveries
          where vendor_id = ${vendorId} and state = 'waiting' and not is_under_way
            and next_attempt_at is not null`;
        expect(row).toBeDefined();
        return row;
      }, waiting);
    return {
      gateway,
      before,
      ahead: { ...filled, retry: await retryOf(ahead.vendorId) },
      other: { ...filledOther, retry: await retryOf(other.vendorId) },
    };
  });

test('the doctor finds nothing, and the reconciliation changes nothing', async ({ world }) => {
  const context = contextOf(world.gateway);
  const options = { isRepairing: false, findingsMax: 20 };
  await vi.waitFor(async () => {
    for await (const result of examine(context, checks, options))
      expect(isClean(result), JSON.stringify(result)).toBe(true);
  }, waiting);
  expect(await reconcile(context, AbortSignal.timeout(60_000))).toEqual({});
});

test('the gauges count by the clock of each vendor', async ({ world }) => {
  const { sql } = world.gateway;
  const counts = await readRecord(sql);
  expect(counts).toMatchObject({
    reviewsOpen: 5,
    inspectionsOpen: 6,
    inspectionsOverdue: 0,
    deliveriesWaiting: 2,
    deliveriesOverdue: 0,
  });
  // The offer of before the advance has waited for a month by its vendor's clock.
  expect(counts.reviewsOldestAge).toBeGreaterThan(monthMs / 1000 - 1);
  expect(counts.reviewsOldestAge).toBeLessThan(monthMs / 1000 + 600);
  expect(counts.inspectionNextDeadline).toBeGreaterThan(0);
  expect(counts.inspectionNextDeadline).toBeLessThanOrEqual(hourMs / 1000);

  for (const [index, { silent }] of [world.ahead, world.other].entries()) {
    await sql`
      update return_requests set inspection_deadline = business_now((
        select clock_offset from vendors where id = vendor_id
      )) - interval '2 minutes' where id = ${silent.id}`;
    expect((await readRecord(sql)).inspectionsOverdue).toBe(index + 1);
  }
  const ids = [world.ahead.silent.id, world.other.silent.id];
  for (const { overdueSince } of (await readRecordStates(sql, 'returnInspection', ids)).values())
    expect((Date.now() - (overdueSince?.getTime() ?? 0)) / minuteMs).toBeCloseTo(2, 0);
  for (const { silent } of [world.ahead, world.other])
    await sql`
      update return_requests set inspection_deadline = ${silent.inspectionDeadline}
      where id = ${silent.id}`;
});

test('upcoming changes have the instants of the vendor’s clock', async ({ world }) => {
  const { sql } = world.gateway;
  const failureLimit = { failingMs: 24 * hourMs, deadLetters: 5 };
  const read = async (vendorId: string | null, before: Date | null = null) =>
    (
      await readUpcoming(
        { sql, failureLimit },
        { kinds: upcomingKinds, vendorId, before: before?.toISOString() ?? null },
        { page: 1, pageSize: 100 },
      )
    ).items;
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
    const read = async (workflowId: string) => {
      const handle = client.workflow.getHandle(workflowId);
      const { currentDetails = '' } = await handle.query<{ currentDetails?: string }>(
        '__temporal_workflow_metadata',
      );
      const { typedSearchAttributes } = await handle.describe();
      const attributes = new Map(
        typedSearchAttributes.getAll().map(({ key, value }) => [key.name, value]),
      );
      return { currentDetails, attributes };
    };
    const inspection = await read(returnInspectionId(silent.id));
    expect(inspection.attributes.get('DecisionDueAt')).toEqual(silent.inspectionDeadline);
    expect(inspection.currentDetails).toContain(silent.inspectionDeadline?.toISOString());
    const startsAt = new Date((received.receivedAt?.getTime() ?? 0) + received.times.startMs);
    expect((await read(returnInspectionId(received.id))).currentDetails).toContain(
      startsAt.toISOString(),
    );
    const delivery = await read(webhookDeliveryId(retry.id));
    expect(delivery.attributes.get('NextAttemptAt')).toEqual(retry.at);
  }
});

test('an event whose deliveries the retention has deleted is no finding', async ({ world }) => {
  const { sql } = world.gateway;
  const { vendorId } = world.ahead;
  const [event] = await sql<[{ id: string }]>`
    select id from webhook_events where vendor_id = ${vendorId} order by sequence limit 1`;
  const [{ id: old }] = await sql<[{ id: string }]>`
    insert into webhook_events (id, vendor_id, event_type, body, occurred_at, receivers)
    select 'evt_' || uuidv7(interval '-31 days'), vendor_id, event_type, body, occurred_at, 1
    from webhook_events where id = ${event.id}
    returning id`;
  const context = { ...contextOf(world.gateway), retentionMs: monthMs };
  const [check = expect.unreachable()] = checks.filter(({ id }) => id === 'event-without-delivery');
  const options = { isRepairing: false, findingsMax: 20 };
  for await (const result of examine(context, [check], options))
    expect(result.findings).toEqual([]);
  await sql`delete from webhook_events where id = ${old}`;
});
