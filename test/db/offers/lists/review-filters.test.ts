import { expect } from 'vitest';
import type { ReviewQueueFilter } from '../../../../db/offers/lists/review-filter.ts';
import { databaseTest } from '../../../support/database/database-test.ts';
import { listQueue } from '../../../support/database/list-queue.ts';
import { seedVariant, seedVendor } from '../../../support/seeds/seed.ts';
import { seedManyOffers } from '../../../support/seeds/seed-many-offers.ts';
import { offersReadBy } from './queue-fixture.ts';

/**
 * The filters from which review jobs are made (D94) cost what they find, whatever else there is.
 */

const found = 40;
const others = 30_000;

const test = databaseTest.extend('vendorId', { scope: 'file' }, async ({ sql }) => {
  const [vendorId, another] = [await seedVendor(sql), await seedVendor(sql)];
  await seedManyOffers(sql, another, others);
  await seedManyOffers(sql, vendorId, found);
  const [variantId, other] = [await seedVariant(sql), await seedVariant(sql)];
  await sql.begin(async (transaction) => {
    // On a loaded machine, 30,000 offers take longer than the usual timeout.
    await transaction`set local statement_timeout = '60s'`;
    await transaction`update variants set brand_name = 'Maison Sahra' where id = ${variantId}`;
    await transaction`
      update offers set variant_id = ${other}, raw_brand_name = 'Other', pending_cost_net = 200
      where vendor_id = ${another}`;
    await transaction`
      update offers set variant_id = ${variantId}, pending_cost_net = 103,
        awaiting_since = timestamptz '2025-06-01' + (created_at - timestamptz '2026-01-01')
      where vendor_id = ${vendorId}`;
    await transaction`
      update offers set variant_id = null where vendor_id = ${another} and status = 'Draft'`;
  });
  await sql`vacuum (analyze) offers, variants, vendors`;
  return vendorId;
});

const change = { from: 3, to: 3 };
const wait = { from: '2025-01-01T00:00:00Z', to: null };

test.for<readonly [string, Partial<ReviewQueueFilter> & { readonly vendor?: 'own' }]>([
  ['a range of the price change', { priceChange: { from: 1, to: 5 } }],
  ['a brand', { brand: 'maison SAHRA' }],
  ['a range of waits', { awaiting: { from: null, to: '2025-12-31T00:00:00Z' } }],
  [
    'all of them',
    { awaitingDecision: true, priceChange: change, brand: 'Maison Sahra', awaiting: wait },
  ],
  ['the vendor', { awaitingDecision: true, vendor: 'own' }],
])(
  'finds and counts by %s, and reads few other offers',
  async ([, { vendor, ...filter }], { database, sql, vendorId }) => {
    const asked = { ...filter, vendorId: vendor === 'own' ? vendorId : null };
    const page = await listQueue(sql, asked);
    expect(page.totalCount).toBe(found);
    expect(page.items.every((offer) => offer.vendorId === vendorId)).toBe(true);
    // Each offer twice: from the index of the filter, and by its key.
    expect(await offersReadBy(database.url, asked)).toBeLessThanOrEqual(8 * found);
  },
);
