import { expect } from 'vitest';
import type { ReviewQueueFilter } from '../../../../db/offers/lists/review-filter.ts';
import { listOffersForReview } from '../../../../db/offers/lists/review-queue.ts';
import { lookedMax } from '../../../../db/offers/lists/review-search.ts';
import { databaseTest } from '../../../support/database/database-test.ts';
import { entriesReadBy } from '../../../support/database/entries-read.ts';
import { seedManyOffers } from '../../../support/seeds/seed-many-offers.ts';
import { addVendor, pool } from '../../support.ts';

/**
 * A third of many offers waits. All have one barcode and one brand; a third is withdrawn, so that a
 * lookup of duplicates may find many that do not count.
 */
const many = 40_000;
const common = '4006381333931';

const test = databaseTest.extend('vendorId', { scope: 'file' }, async ({ sql }) => {
  const vendorId = await addVendor(sql);
  await seedManyOffers(sql, vendorId, many);
  await sql.begin(async (transaction) => {
    // The triggers of each row take longer than the offers.
    await transaction`set local session_replication_role = replica`;
    await transaction`set local statement_timeout = 0`;
    await transaction`
      update offers set barcode = ${common}, raw_brand_name = 'Brand', raw_product_name = 'Oud',
        status = case when status = 'Draft' then 'Withdrawn' else status end`;
    await transaction`
      select index_waiting_offer(offers, false) from offers where awaiting_since is not null`;
  });
  await sql`
    update offers set barcode = '96385074', vendor_external_id = 'ext', raw_product_name = 'Musk'
    where id = (select id from offers where awaiting_since is not null limit 1)`;
  await sql`vacuum (analyze) offers`;
  return vendorId;
});

const none: ReviewQueueFilter = { status: null, vendorId: null, awaitingDecision: null };

test.for<readonly [string, Partial<ReviewQueueFilter>, { found: number; read: number }]>([
  ['a barcode', { barcode: '0000096385074' }, { found: 1, read: 50 }],
  ['an external id', { vendorExternalId: 'ext' }, { found: 1, read: 50 }],
  ['a word', { text: 'MUS' }, { found: 1, read: 50 }],
  ['words of one offer', { text: 'musk ext' }, { found: 1, read: 50 }],
  ['a brand of none', { brand: 'Other', awaitingDecision: true }, { found: 0, read: 50 }],
  ['a kind of none', { kind: 'IdentityEdit' }, { found: 0, read: 50 }],
  // Two entries and two rows for each offer that is looked at.
  ['a barcode of all', { barcode: common }, { found: lookedMax, read: 6 * lookedMax }],
  [
    'a brand of all',
    { brand: 'brand', awaitingDecision: true },
    { found: lookedMax, read: 6 * lookedMax },
  ],
  ['a flag of all', { flag: 'DuplicateOfVendor' }, { found: lookedMax - 1, read: 6 * lookedMax }],
  ['a flag of none', { flag: 'NoBarcode' }, { found: 0, read: 3 * lookedMax }],
])(
  'a search by %s looks at few offers of many, or at the first 10,000 (D94)',
  async ([, filter, most], { database, sql, vendorId }) => {
    for (const asked of [
      { ...none, ...filter },
      { ...none, ...filter, vendorId },
    ]) {
      const { totalCount } = await listOffersForReview(sql, asked, { page: 1, pageSize: 20 });
      expect(totalCount).toBe(most.found);
      const read = await entriesReadBy(pool(database.url, 1), 'offers', (reader) =>
        listOffersForReview(reader, asked, { page: 1, pageSize: 20 }),
      );
      expect(read).toBeLessThanOrEqual(most.read);
    }
  },
);

test('looks for duplicates among few offers (D136)', async ({ database, sql }) => {
  const vendorId = await addVendor(sql);
  await seedManyOffers(sql, vendorId, 6000);
  await sql`
    update offers set barcode = '4006381333948', awaiting_since = null, status = 'Withdrawn'
    where vendor_id = ${vendorId}`;
  await sql`
    update offers set awaiting_since = created_at, status = 'PendingReview'
    where id in (select id from offers where vendor_id = ${vendorId} limit 20)`;
  await sql`vacuum (analyze) offers`;
  const asked = { ...none, vendorId, awaitingDecision: true };
  const read = await entriesReadBy(pool(database.url, 1), 'offers', (reader) =>
    listOffersForReview(reader, asked, { page: 1, pageSize: 20 }),
  );
  expect(read).toBeLessThanOrEqual(20 * 250);
});
