import { expect } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { type Sql } from '../../../db/core/client.ts';
import { compactCounters } from '../../../db/lists/compact-counters.ts';
import { countOffers, type OfferCountFilter } from '../../../db/offers/lists/offer-page.ts';
import { insertOffer } from '../../../db/offers/offers.ts';
import { offerStatuses } from '../../../domain/offers/offer.ts';
import { offer as offerLike } from '../../domain/offers/offer-builders.ts';
import { addVendor, countOf, pick } from '../support.ts';
import { databaseTest } from '../../support/database/database-test.ts';

const test = databaseTest.extend('vendors', { scope: 'file' }, async ({ sql }) => [
  await addVendor(sql),
  await addVendor(sql),
]);

/** Counted one by one, in the way the kept counts are asked. */
async function expectEveryCountToBeTrue(sql: Sql, vendors: readonly string[]): Promise<void> {
  for (const vendorId of [null, ...vendors]) {
    for (const status of [null, ...offerStatuses]) {
      for (const isAwaiting of [null, true, false]) {
        const [row] = await sql<[{ total: number }]>`
          select count(*)::int as total from offers
          where (${vendorId}::uuid is null or vendor_id = ${vendorId})
            and (${status}::text is null or status = ${status})
            and (${isAwaiting}::boolean is null or (awaiting_since is not null) = ${isAwaiting})`;
        expect(await counted(sql, { vendorId, status, isAwaiting })).toBe(row.total);
      }
    }
  }
}

const makeOffer = (sql: Sql, vendors: readonly string[], round: number) =>
  insertOffer(
    sql,
    offerLike({
      id: uuidv7(),
      vendorId: pick(vendors, round),
      variantId: null,
      vendorExternalId: null,
      status: pick(offerStatuses, round),
      awaitingSince: round % 3 === 0 ? new Date() : null,
    }),
  );

/** Moves some offers, several in one statement, as a batch does. */
const moveOffers = (sql: Sql, round: number) => sql`
  update offers set status = ${pick(offerStatuses, round * 5)},
    awaiting_since = case when ${round % 2 === 0} then now() end
  where id in (select id from offers
    order by md5(id::text || ${round}) limit 3 for update skip locked)`;

async function counted(sql: Sql, filter: OfferCountFilter): Promise<number> {
  const [row] = await sql<[{ total: number }]>`select (${countOffers(sql, filter)}) as total`;
  return row.total;
}

test('kept counts are right after any parallel writes and folds', async ({ sql, vendors }) => {
  const rounds = Array.from({ length: 60 }, (_, round) => round);
  await Promise.all(
    rounds.flatMap((round) => [
      makeOffer(sql, vendors, round),
      moveOffers(sql, round).execute(),
      compactCounters(sql),
    ]),
  );
  await expectEveryCountToBeTrue(sql, vendors);
  await compactCounters(sql);
  await expectEveryCountToBeTrue(sql, vendors);
});

test('folding leaves one row for each count above 0', async ({ sql }) => {
  await compactCounters(sql);
  const [keys] = await sql<[{ count: number }]>`
    select count(distinct (vendor_id, status, awaiting_since is not null))::int as count
    from offers`;
  expect(await countOf(sql, 'offer_counts')).toBe(keys.count);
});

test('a write that changes neither status nor wait adds no counter row', async ({ sql }) => {
  await compactCounters(sql);
  const before = await countOf(sql, 'offer_counts');
  await sql`update offers set declared_in_stock = not declared_in_stock, version = version + 1`;
  expect(await countOf(sql, 'offer_counts')).toBe(before);
});
