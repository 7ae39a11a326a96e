import { expect } from 'vitest';
import type { Sql } from '../../../../db/core/client.ts';
import { compactCounters } from '../../../../db/lists/compact-counters.ts';
import type { ReviewQueueFilter } from '../../../../db/offers/lists/review-filter.ts';
import {
  listOffersForReview,
  type QueueOptions,
} from '../../../../db/offers/lists/review-queue.ts';
import { lookedMax } from '../../../../db/offers/lists/review-search.ts';
import { databaseTest as test } from '../../../support/database/database-test.ts';
import { entriesReadBy } from '../../../support/database/entries-read.ts';
import { seedManyOffers } from '../../../support/seeds/seed-many-offers.ts';
import { addVendor, pool } from '../../support.ts';

/** The queue costs the same, however many offers wait beyond those that a list looks at. */

const few = 3.2 * lookedMax;
const more = 4 * lookedMax;
const common = '4006381333931';
const tables = ['offers', 'waiting_offers', 'waiting_terms'];

/** A third of them waits. All have one barcode, one brand and one word. */
async function addOffers(sql: Sql, vendorId: string, count: number): Promise<void> {
  await sql.begin(async (transaction) => {
    await transaction`set local statement_timeout = 0`;
    await seedManyOffers(transaction as unknown as Sql, vendorId, count);
    // The triggers of each row take longer than the offers.
    await transaction`set local session_replication_role = replica`;
    await transaction`
      update offers set barcode = ${common}, raw_brand_name = 'Brand', raw_product_name = 'Oud'
      where barcode is null`;
    await transaction`
      select index_waiting_offer(offers, false) from offers where awaiting_since is not null`;
  });
  await compactCounters(sql);
  await sql`vacuum (analyze) offers, offer_counts, waiting_offers, waiting_terms`;
}

const waiting = { awaitingDecision: true };
const asked: Readonly<Record<string, Partial<ReviewQueueFilter> & QueueOptions>> = {
  queue: waiting,
  kind: { kind: 'Review' },
  flag: { flag: 'NoBarcode' },
  'a word of all': { text: 'oud' },
  'a word of none': { text: 'amber' },
  'a word of one beside one of all': { text: 'oud musk' },
  'an external id': { vendorExternalId: 'ext' },
  'a barcode of all': { barcode: common, ...waiting },
  'a brand of all': { brand: 'brand', ...waiting },
  'vendors in turn': { order: 'vendorsInTurn' },
  facets: { ...waiting, hasFacets: true },
};

test('each filter of the queue reads as much of many waiting offers as of more (D94)', async ({
  database,
  sql,
}) => {
  const vendorId = await addVendor(sql);
  const connection = pool(database.url, 1);
  const readAll = async (): Promise<ReadonlyMap<string, number>> => {
    const read = new Map<string, number>();
    for (const [name, { order = 'oldest', hasFacets = false, ...filter }] of Object.entries(
      asked,
    )) {
      const none = { status: null, vendorId: null, awaitingDecision: null };
      const list = (reader: Sql) =>
        listOffersForReview(
          reader,
          { ...none, ...filter },
          { page: 1, pageSize: 20 },
          { order, hasFacets },
        );
      read.set(name, await entriesReadBy(connection, tables, list));
    }
    return read;
  };
  await addOffers(sql, vendorId, few);
  await sql`
    update offers set raw_product_name = 'Oud Musk', vendor_external_id = 'ext'
    where id = (select id from offers where awaiting_since is not null limit 1)`;
  const before = await readAll();
  await addOffers(sql, vendorId, more);
  const after = await readAll();
  for (const [name, count] of after)
    expect(count, name).toBeLessThanOrEqual((before.get(name) ?? 0) * 1.05 + 20);
});
