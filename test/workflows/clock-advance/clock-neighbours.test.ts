import { expect, vi } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { readRecordStates } from '../../../db/checks/record-states.ts';
import type { Sql } from '../../../db/core/client.ts';
import { storeStock } from '../../../db/offers/pushes/store-stock.ts';
import { readBusinessInstants } from '../../support/database/business-instants.ts';
import { moveReturnTo, seedReturn } from '../../support/returns/seed-returns.ts';
import { seedOffer } from '../../support/seeds/seed.ts';
import { deliveriesOf, emitTo, waiting } from '../../support/webhooks/delivery.ts';
import { notForAWhile } from '../../support/webhooks/receiver.ts';
import { workflowTest } from '../../support/gateway/workflow-test.ts';
import { advance, eventsOf, hourMs, newClockVendor, times, untilReady } from './clock-fixture.ts';

const test = workflowTest.extend('settings', { scope: 'file' }, ({ receiver }) => ({
  WEBHOOK_ALLOWED_ORIGINS: receiver.origin,
}));
const monthMs = 30 * 24 * hourMs;

/** Pushes stock until it is over, and receives two returns. */
async function load(
  sql: Sql,
  vendor: { readonly vendorId: string; readonly variantId: string },
  isOver: () => boolean,
): Promise<void> {
  const { vendorId } = vendor;
  const offer = await seedOffer(sql, vendorId);
  for (let round = 1; !isOver(); round += 1) {
    await storeStock(sql, {
      vendorId,
      offerId: offer.id,
      declaredInStock: true,
      declaredStockQuantity: round,
    });
    if (round <= 40 && round % 20 === 0)
      await moveReturnTo(sql, await seedReturn(sql, { ...vendor, times }), 'Received');
  }
}

/** What a vendor has that waits for its time, and what has happened to it. */
const readTimed = (sql: Sql, vendorId: string) => sql`
  select request.id, version, inspection_deadline as due_at, outcome as end
  from return_requests as request where vendor_id = ${vendorId} and status = 'UnderInspection'
  union all
  select id, attempts, next_attempt_at, state from webhook_deliveries
  where vendor_id = ${vendorId} and next_attempt_at is not null
  union all
  select id, dead_letters, failing_since, is_active::text from webhook_subscriptions
  where vendor_id = ${vendorId}
  order by id`;

test('moves no other vendor’s clock', async ({ gateway, receiver }) => {
  const { sql } = gateway;
  const newVendor = () => newClockVendor(sql, gateway.config.SECRETS_KEY, receiver.url);
  const [one, other] = [await newVendor(), await newVendor()];
  receiver.answerWith(notForAWhile);
  for (const vendor of [one, other]) await emitTo(sql, vendor.vendorId);
  await vi.waitFor(async () => {
    for (const { vendorId } of [one, other])
      expect(await deliveriesOf(sql, vendorId)).toMatchObject([{ attempts: 1 }]);
    expect(await sql`select from webhook_deliveries where is_under_way`).toHaveLength(0);
  }, waiting);
  receiver.answerWith((response) => response.end());
  for (const vendor of [one, other]) {
    const given = { ...vendor, times: { ...times, startMs: 1 } };
    const { id } = await moveReturnTo(sql, await seedReturn(sql, given), 'Received');
    await vi.waitFor(async () => {
      const inspected = sql`
        select from return_requests where id = ${id} and status = 'UnderInspection'`;
      expect(await inspected).toHaveLength(1);
    }, waiting);
    await moveReturnTo(sql, await seedReturn(sql, { ...vendor, times }), 'Received');
  }
  const timed = await readTimed(sql, other.vendorId);
  expect(timed).toHaveLength(3);
  const state = { isOver: false };
  const loads = [one, other].map((vendor) => load(sql, vendor, () => state.isOver));
  await advance(sql, one.vendorId, monthMs);
  await untilReady(sql, one.vendorId);
  const late = await seedReturn(sql, { ...one, times, reasons: ['ChangedMind'] });
  state.isOver = true;
  await Promise.all(loads);

  expect(late.requestedAt.getTime()).toBeGreaterThan(Date.now() + monthMs - 60_000);
  const ofOther = await readBusinessInstants(sql, other.vendorId);
  for (const { name, at } of ofOther)
    expect(at?.getTime() ?? 0, name).toBeLessThan(Date.now() + 1000);
  expect(await readTimed(sql, other.vendorId)).toEqual(timed);
  const [retried] = await deliveriesOf(sql, one.vendorId);
  expect(retried).toMatchObject({ state: 'succeeded', attempts: 2 });
  // Nothing of the other vendor came due, and each of its events was delivered once.
  const types = new Set((await eventsOf(sql, other.vendorId)).map(({ eventType }) => eventType));
  for (const step of ['vendor.return.inspection-closing', 'vendor.return.decided']) {
    expect(types).not.toContain(step);
    expect(await eventsOf(sql, one.vendorId)).toContainEqual(
      expect.objectContaining({ eventType: step }),
    );
  }
  await vi.waitFor(async () => {
    const [, ...rest] = await deliveriesOf(sql, other.vendorId);
    for (const delivery of rest)
      expect(delivery).toMatchObject({ state: 'succeeded', attempts: 1 });
  }, waiting);
  // Under the offset, nothing counts as overdue that is not, and no open run is missing.
  const open = await sql<{ id: string }[]>`
    select id from return_requests where status in ('Received', 'UnderInspection')`;
  const ids = open.map(({ id }) => id);
  const states = await readRecordStates(sql, 'returnInspection', [...ids, uuidv7()]);
  expect(states.size).toBe(ids.length);
  for (const { overdueSince } of states.values()) expect(overdueSince).toBeNull();
});
