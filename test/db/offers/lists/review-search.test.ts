import { expect } from 'vitest';
import type { Sql } from '../../../../db/core/client.ts';
import { compactCounters } from '../../../../db/lists/compact-counters.ts';
import type { ReviewQueueFilter } from '../../../../db/offers/lists/review-filter.ts';
import type { ScanOptions } from '../../../../db/offers/lists/review-scan.ts';
import { scannedMax } from '../../../../db/offers/lists/review-search.ts';
import { databaseTest } from '../../../support/database/database-test.ts';
import { entriesReadBy } from '../../../support/database/entries-read.ts';
import { firstPage, listQueue } from '../../../support/database/list-queue.ts';
import { seedManyOffers } from '../../../support/seeds/seed-many-offers.ts';
import { addVendor, pool } from '../../support.ts';
import { offersReadBy } from './queue-fixture.ts';

const common = '4006381333931';
const tables = ['offers', 'waiting_offers'];

/**
 * A third of them waits. All have one barcode, one brand and one word; a third is withdrawn, so
 * that a lookup of duplicates may find many that do not count.
 */
async function addOffers(sql: Sql, vendorId: string, count: number): Promise<void> {
  await sql.begin(async (transaction) => {
    await transaction`set local statement_timeout = 0`;
    await seedManyOffers(transaction as unknown as Sql, vendorId, count);
    // The triggers of each row take longer than the offers.
    await transaction`set local session_replication_role = replica`;
    await transaction`
      update offers set barcode = ${common}, raw_brand_name = 'Brand', raw_product_name = 'Oud',
        status = case when status = 'Draft' then 'Withdrawn' else status end
      where barcode is null`;
    await transaction`
      select index_waiting_offer(offers, false) from offers where awaiting_since is not null`;
  });
  await compactCounters(sql);
  await sql`vacuum (analyze) offers, offer_counts, waiting_offers`;
}

const test = databaseTest.extend('vendorId', { scope: 'file' }, async ({ sql }) => {
  const vendorId = await addVendor(sql);
  await addOffers(sql, vendorId, 3.2 * scannedMax);
  await sql`
    update offers set barcode = '96385074', vendor_external_id = 'ext',
      raw_product_name = 'Oud Musk'
    where id = (select id from offers where awaiting_since is not null limit 1)`;
  return vendorId;
});

const waiting = { awaitingDecision: true };

/** What a search finds, and how much of the offers it reads. */
const searches: [string, Partial<ReviewQueueFilter>, { found: number; read: number }][] = [
  ['a barcode', { barcode: '0000096385074' }, { found: 1, read: 50 }],
  ['an external id', { vendorExternalId: 'ext' }, { found: 1, read: 50 }],
  ['a word', { text: 'MUS' }, { found: 1, read: 50 }],
  ['words of one offer', { text: 'musk ext' }, { found: 1, read: 50 }],
  ['a brand of none', { brand: 'Other', ...waiting }, { found: 0, read: 50 }],
  ['a kind of none', { kind: 'IdentityEdit' }, { found: 0, read: 50 }],
  // Two entries and two rows for each offer that is looked at.
  ['a barcode of all', { barcode: common }, { found: scannedMax, read: 6 * scannedMax }],
  ['a brand of all', { brand: 'brand', ...waiting }, { found: scannedMax, read: 6 * scannedMax }],
  ['a flag of all', { flag: 'DuplicateOfVendor' }, { found: scannedMax - 1, read: 6 * scannedMax }],
  ['a flag of none', { flag: 'NoBarcode' }, { found: 0, read: 3 * scannedMax }],
];

test.for(searches)(
  'reads few of many offers for a search by %s, or the first 10,000 (D94)',
  async ([, filter, most], { database, sql, vendorId }) => {
    for (const owner of [null, vendorId]) {
      const asked = { ...filter, vendorId: owner };
      const { totalCount } = await listQueue(sql, asked, firstPage);
      expect(totalCount).toBe(most.found);
      expect(await offersReadBy(database.url, asked)).toBeLessThanOrEqual(most.read);
    }
  },
);

const lists: Readonly<Record<string, Partial<ReviewQueueFilter> & Partial<ScanOptions>>> = {
  ...Object.fromEntries(searches),
  queue: waiting,
  kind: { kind: 'Review' },
  'a word of all': { text: 'oud' },
  'a word of none': { text: 'amber' },
  'a word of one beside one of all': { text: 'oud musk' },
  'vendors in turn': { isInTurn: true },
  facets: { ...waiting, hasFacets: true },
  'facets of a kind': { kind: 'Review', hasFacets: true },
};

test('reads no more for any filter as more offers wait (D94)', async ({
  database,
  sql,
  vendorId,
}) => {
  const connection = pool(database.url, 1);
  const readAll = async (): Promise<ReadonlyMap<string, number>> => {
    const read = new Map<string, number>();
    for (const [name, asked] of Object.entries(lists)) {
      const { isInTurn = false, hasFacets = false, ...filter } = asked;
      const list = (reader: Sql) => listQueue(reader, filter, firstPage, { isInTurn, hasFacets });
      read.set(name, await entriesReadBy(connection, tables, list));
    }
    return read;
  };
  const before = await readAll();
  await addOffers(sql, vendorId, 4 * scannedMax);
  for (const [name, count] of await readAll())
    expect(count, name).toBeLessThanOrEqual((before.get(name) ?? 0) * 1.05 + 20);
});

test('reads few offers to find duplicates (D136)', async ({ database, sql }) => {
  const vendorId = await addVendor(sql);
  await seedManyOffers(sql, vendorId, 6000);
  await sql`
    update offers set barcode = '4006381333948', awaiting_since = null, status = 'Withdrawn'
    where vendor_id = ${vendorId}`;
  await sql`
    update offers set awaiting_since = created_at, status = 'PendingReview'
    where id in (select id from offers where vendor_id = ${vendorId} limit 20)`;
  await sql`vacuum (analyze) offers`;
  const read = await offersReadBy(database.url, { ...waiting, vendorId });
  expect(read).toBeLessThanOrEqual(20 * 250);
});
