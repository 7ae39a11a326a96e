import { expect } from 'vitest';
import type { Pool, Sql } from '../../../db/core/client.ts';
import { inTransaction } from '../../../db/core/transaction.ts';
import type { OfferFilter } from '../../../db/offers/offer-changes.ts';
import { listOffers } from '../../../db/offers/lists/offer-list.ts';
import { databaseTest as test } from '../../support/database/database-test.ts';
import { holdLock, untilLockWaits } from '../../support/database/locks.ts';
import { pool } from '../support.ts';
import { addOffer, everything, longAgo, manyOffers, push, switchTo } from './delta-fixture.ts';

const count = 1500;

/** An offer whose latest change was before `longAgo`. */
async function addEarlierOffer(sql: Sql, vendorId: string): Promise<string> {
  const id = await addOffer(sql, vendorId);
  await sql`update offers set change_time = '1999-12-31T00:00:00Z' where id = ${id}`;
  return id;
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
  return holdLock(sql, sql`select pg_advisory_xact_lock(${held})`);
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
    `lets writers continue while page ${page} is counted, as of its snapshot: %s (D80)`,
    async ([, filter, isSwitching], { sql, database }) => {
      const api = pool(database.apiUrl, 2);
      const { vendorId, ids } = await manyOffers(sql, count);
      if (isSwitching) await sql.begin((transaction) => switchTo(transaction, vendorId));
      const read = (number: number) => {
        const request = { page: number, pageSize: 100 };
        return listOffers(api, vendorId, { ...everything, ...filter }, request);
      };
      // The total by the status alone comes from the kept counts without what changed before.
      const isSubtracted = Object.keys(filter).every((name) => name === 'status');
      const counted = isSubtracted ? await addEarlierOffer(sql, vendorId) : ids[count - 100];
      const release = await holdReadsOf(sql, counted ?? '');
      const reading = read(page);
      try {
        await untilLockWaits(sql, 1);
        await write(sql, (transaction) => push(transaction, vendorId, ids[count - 1] ?? '', 9));
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
