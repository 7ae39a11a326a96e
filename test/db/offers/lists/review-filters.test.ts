import { expect } from 'vitest';
import { listOffersForReview } from '../../../../db/offers/lists/review-queue.ts';
import type { ReviewQueueFilter } from '../../../../db/offers/lists/review-filter.ts';
import { databaseTest } from '../../../support/database/database-test.ts';
import { seedVariant, seedVendor } from '../../../support/seeds/seed.ts';
import { seedManyOffers } from '../../../support/seeds/seed-many-offers.ts';
import { entriesReadBy } from '../../../support/database/entries-read.ts';
import { pool } from '../../support.ts';

/** The filters from which review jobs are made (D94) cost what they find, whatever else there is. */

const found = 40;
const others = 30_000;

const test = databaseTest.extend('vendorId', { scope: 'file' }, async ({ sql }) => {
  const [vendorId, another] = [await seedVendor(sql), await seedVendor(sql)];
  await seedManyOffers(sql, another, others);
  await seedManyOffers(sql, vendorId, found);
  const [variantId, other] = [await seedVariant(sql), await seedVariant(sql)];
  await sql`update variants set brand_name = 'Maison Sahra' where id = ${variantId}`;
  await sql`
    update offers set variant_id = ${other}, raw_brand_name = 'Other', pending_cost_net = 200
    where vendor_id = ${another}`;
  await sql`
    update offers set variant_id = ${variantId}, pending_cost_net = 103,
      awaiting_since = timestamptz '2025-06-01' + (created_at - timestamptz '2026-01-01')
    where vendor_id = ${vendorId}`;
  await sql`update offers set variant_id = null where vendor_id = ${another} and status = 'Draft'`;
  await sql`vacuum (analyze) offers, variants, vendors`;
  return vendorId;
});

const every: ReviewQueueFilter = { status: null, vendorId: null, awaitingDecision: null };
const request = { page: 1, pageSize: 20 };

/** Each offer twice: from the index of the filter, and by its key. */
async function expectFewRead(url: string, filter: ReviewQueueFilter): Promise<void> {
  const read = await entriesReadBy(pool(url, 1), 'offers', (sql) =>
    listOffersForReview(sql, filter, request),
  );
  expect(read).toBeLessThanOrEqual(8 * found);
}

test.for<readonly [string, Partial<ReviewQueueFilter>]>([
  ['a range of the price change', { priceChange: { from: 1, to: 5 } }],
  ['a brand', { brand: 'maison SAHRA' }],
  ['a range of waits', { awaiting: { from: null, to: '2025-12-31T00:00:00Z' } }],
  [
    'all of them',
    {
      awaitingDecision: true,
      priceChange: { from: 3, to: 3 },
      brand: 'Maison Sahra',
      awaiting: { from: '2025-01-01T00:00:00Z', to: null },
    },
  ],
])(
  'finds and counts by %s, and reads few other offers',
  async ([, filter], { database, sql, vendorId }) => {
    const asked = { ...every, ...filter };
    const page = await listOffersForReview(sql, asked, request);
    expect(page.totalCount).toBe(found);
    expect(page.items.every((offer) => offer.vendorId === vendorId)).toBe(true);
    await expectFewRead(database.url, asked);
  },
);

test("reads few of another vendor's many", async ({ database, vendorId }) => {
  await expectFewRead(database.url, { ...every, vendorId, awaitingDecision: true });
});
