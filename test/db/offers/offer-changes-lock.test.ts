import { v7 as uuidv7 } from 'uuid';
import { expect } from 'vitest';
import { activateAgreement } from '../../../db/accounts/agreements.ts';
import type { Pool, Sql } from '../../../db/core/client.ts';
import { inTransaction } from '../../../db/core/transaction.ts';
import type { OfferFilter } from '../../../db/offers/lists/offer-filter.ts';
import { listOffers } from '../../../db/offers/lists/offer-list.ts';
import { findCreationFacts } from '../../../db/offers/creation-facts.ts';
import { insertOffer } from '../../../db/offers/offers.ts';
import { storeStock } from '../../../db/offers/pushes/store-stock.ts';
import { offer as offerLike } from '../../domain/offers/offer-builders.ts';
import { databaseTest as test } from '../../support/database/database-test.ts';
import { addVendor, pool } from '../support.ts';

const count = 1500;
const longAgo = '2000-01-01T00:00:00.000000Z';
const everything = {
  status: null,
  vendorSku: null,
  vendorExternalId: null,
  changedSince: longAgo,
  createdFrom: null,
  createdTo: null,
  tokenId: 'token',
};

async function addOffer(sql: Sql, vendorId: string): Promise<string> {
  const asked = { variantId: null, vendorExternalId: null, source: 'Api' } as const;
  const facts = await findCreationFacts(sql, vendorId, asked);
  const id = uuidv7();
  const given = { id, vendorId, variantId: null, vendorExternalId: null, vendorSku: 'ONE' };
  const agreementEpoch = facts?.agreement.agreementEpoch ?? 0;
  if (!(await insertOffer(sql, offerLike({ ...given, supply: null, agreementEpoch }))))
    throw new Error('not stored');
  return id;
}

/** An offer whose latest change was before `longAgo`. */
async function addEarlierOffer(sql: Sql, vendorId: string): Promise<string> {
  const id = await addOffer(sql, vendorId);
  await sql`update offers set change_time = '1999-12-31T00:00:00Z' where id = ${id}`;
  return id;
}

/** A vendor with many offers of one SKU, in the order of their changes. */
async function manyOffers(sql: Sql) {
  const vendorId = await addVendor(sql);
  const first = await addOffer(sql, vendorId);
  await sql`
    insert into offers select made.* from offers, generate_series(2, ${count}) as n,
      jsonb_populate_record(offers, jsonb_build_object(
        'id', gen_random_uuid(), 'change_time', change_time + n * interval '1 microsecond'
      )) as made
    where offers.id = ${first}`;
  await sql`analyze offers`;
  const rows = await sql<{ id: string }[]>`
    select id from offers where vendor_id = ${vendorId} order by change_time`;
  return { vendorId, ids: rows.map(({ id }) => id) };
}

/** A key of an advisory lock that no function of the product uses. */
const held = 4_711_015;

/** Lets a read of this offer by the API's role wait until the function returned is called. */
async function holdReadsOf(sql: Pool, offerId: string): Promise<() => Promise<void>> {
  await sql.unsafe(`
    create or replace function wait_while_held() returns boolean language plpgsql volatile as $$
    begin perform pg_advisory_xact_lock_shared(${held}); return true; end $$;
    drop policy if exists hold on offers;
    create policy hold on offers using (id <> '${offerId}' or wait_while_held());
    alter table offers enable row level security`);
  const holder = await sql.reserve();
  await holder`select pg_advisory_lock(${held})`;
  return async () => {
    await holder`select pg_advisory_unlock(${held})`;
    holder.release();
  };
}

/** Fails after 3 s if another transaction keeps the vendor's writers out. */
const write = <T>(sql: Sql, work: (sql: Sql) => Promise<T>): Promise<T> =>
  inTransaction(sql, async (transaction) => {
    await transaction`set local lock_timeout = 3000`;
    return work(transaction);
  });

const cases: readonly [name: string, filter: Partial<OfferFilter>, isSwitching: boolean][] = [
  ['all', {}, false],
  ['of a status', { status: 'PendingReview' }, false],
  ['of a SKU', { vendorSku: 'ONE' }, false],
  ['of a time of creation', { createdFrom: longAgo }, false],
  ['of a SKU and a time, during a switch', { vendorSku: 'ONE', createdFrom: longAgo }, true],
];

for (const page of [1, 2])
  test.for(cases)(
    `D80: writers go on while page ${page} is counted, as of its snapshot: %s`,
    async ([, filter, isSwitching], { sql, database }) => {
      const api = pool(database.apiUrl, 2);
      const { vendorId, ids } = await manyOffers(sql);
      if (isSwitching)
        await sql.begin((transaction) =>
          activateAgreement(
            transaction,
            vendorId,
            { pricingModel: 'PercentageOfSale', rateBasisPoints: 1000 },
            { isSwitch: true },
          ),
        );
      const read = (number: number) => {
        const request = { page: number, pageSize: 100 };
        return listOffers(api, vendorId, { ...everything, ...filter }, request);
      };
      // The total by the status alone is that of the kept counts without what changed before.
      const isSubtracted = Object.keys(filter).every((name) => name === 'status');
      const counted = isSubtracted ? await addEarlierOffer(sql, vendorId) : ids[count - 100];
      const release = await holdReadsOf(sql, counted ?? '');
      const reading = read(page);
      try {
        await expect
          .poll(async () => {
            const [row] = await sql<[{ waiting: number }]>`
              select count(*)::int as waiting from pg_stat_activity
              where datname = current_database() and wait_event = 'advisory'`;
            return row.waiting;
          })
          .toBe(1);
        await write(sql, (transaction) =>
          storeStock(transaction, {
            vendorId,
            offerId: ids[count - 1] ?? '',
            declaredInStock: true,
            declaredStockQuantity: 9,
          }),
        );
        await write(
          sql,
          (transaction) => transaction`
            update offers set vendor_sku = 'TWO', status = 'Rejected', awaiting_since = null,
              version = version + 1
            where id = ${ids[count - 2] ?? ''}`,
        );
        await write(sql, (transaction) => addOffer(transaction, vendorId));
      } finally {
        await release();
      }
      const found = await reading;
      expect(found.totalCount).toBe(count);
      // In a switch all have one change time, so the offer with another SKU by now may be among
      // them.
      const leftOut = found.items.some(({ offer }) => offer.id === ids[count - 2]);
      expect(leftOut && filter.vendorSku !== undefined).toBe(false);
      expect(found.items.length).toBeGreaterThanOrEqual(isSwitching ? 99 : 100);
      if (page === 1) {
        expect((await read(15)).totalCount).toBe(count);
        // As if the process had ended between the page and its total.
        await sql`update page_snapshots set total_count = null`;
        expect((await read(15)).totalCount).toBe(count);
      }
      const [row] = await sql<[{ stored: number }]>`
        select count(*)::int as stored from page_snapshots where vendor_id = ${vendorId}`;
      expect(row.stored).toBe(page === 1 ? 1 : 0);
    },
  );

test('D80: a walk through many changes has each offer once, beside writers', async ({ sql }) => {
  const { vendorId, ids } = await manyOffers(sql);
  const seen = new Map<string, number | null>();
  const walk = async (changedSince: string) => {
    const walked: string[] = [];
    let next = changedSince;
    for (let page = 1; ; page += 1) {
      const request = { page, pageSize: 100 };
      const found = await listOffers(sql, vendorId, { ...everything, changedSince }, request);
      walked.push(...found.items.map(({ offer }) => offer.id));
      for (const { offer } of found.items) seen.set(offer.id, offer.declaredStockQuantity);
      next = found.nextChangedSince ?? next;
      if (page * 100 >= found.totalCount) return { walked, next };
    }
  };
  const writing = new AbortController();
  const writers = [1, 2, 3].map(async (writer) => {
    for (let round = 0; !writing.signal.aborted; round += 1)
      await storeStock(sql, {
        vendorId,
        offerId: ids[(writer * 499 + round * 37) % count] ?? '',
        declaredInStock: true,
        declaredStockQuantity: 10_000 * writer + round,
      });
  });
  let since = longAgo;
  try {
    for (let round = 0; round < 3; round += 1) {
      const { walked, next } = await walk(longAgo);
      expect(walked).toHaveLength(count);
      expect(new Set(walked).size).toBe(count);
      since = next;
    }
  } finally {
    writing.abort();
    await Promise.all(writers);
  }
  await walk(since);
  const stored = await sql<{ id: string; quantity: number | null }[]>`
    select id, declared_stock_quantity as quantity from offers where vendor_id = ${vendorId}`;
  expect(seen).toEqual(new Map(stored.map(({ id, quantity }) => [id, quantity])));
});
