import { expect } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { readRecordStates } from '../../../db/checks/record-states.ts';
import type { Sql } from '../../../db/core/client.ts';
import { storeStock } from '../../../db/offers/pushes/store-stock.ts';
import { readBusinessInstants } from '../../support/database/business-instants.ts';
import { moveReturnTo, seedReturn } from '../../support/returns/seed-returns.ts';
import { seedOffer } from '../../support/seeds/seed.ts';
import { workflowTest } from '../../support/gateway/workflow-test.ts';
import { advance, hourMs, newClockVendor, times, untilReady } from './clock-fixture.ts';

const test = workflowTest.extend('settings', { scope: 'file' }, ({ receiver }) => ({
  WEBHOOK_ALLOWED_ORIGINS: receiver.origin,
}));
const monthMs = 30 * 24 * hourMs;

/** Pushes stock until it is over, and receives five returns. */
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
    if (round <= 100 && round % 20 === 0)
      await moveReturnTo(sql, await seedReturn(sql, { ...vendor, times }), 'Received');
  }
}

test('a vendor’s clock moves no other vendor’s, while both are under load', async ({
  gateway,
  receiver,
}) => {
  const { sql } = gateway;
  const newVendor = () => newClockVendor(sql, gateway.config.SECRETS_KEY, receiver.url);
  const [one, other] = [await newVendor(), await newVendor()];
  for (const vendor of [one, other])
    await moveReturnTo(sql, await seedReturn(sql, { ...vendor, times }), 'Received');
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
  // Under the offset, nothing counts as overdue that is not, and no open run is missing.
  const open = await sql<{ id: string }[]>`
    select id from return_requests where status in ('Received', 'UnderInspection')`;
  const ids = open.map(({ id }) => id);
  const states = await readRecordStates(sql, 'returnInspection', [...ids, uuidv7()]);
  expect(states.size).toBe(ids.length);
  for (const { overdueSince } of states.values()) expect(overdueSince).toBeNull();
});
