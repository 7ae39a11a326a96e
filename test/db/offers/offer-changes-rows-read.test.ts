import { expect } from 'vitest';
import type { Sql } from '../../../db/core/client.ts';
import { listOffers } from '../../../db/offers/lists/offer-list.ts';
import type { OfferStatus } from '../../../domain/offers/offer.ts';
import { databaseTest as test } from '../../support/database/database-test.ts';
import { entriesReadBy } from '../../support/database/entries-read.ts';
import { seedManyOffers } from '../../support/seeds/seed-many-offers.ts';
import { addVendor, pool } from '../support.ts';
import { everything, longAgo } from './delta-fixture.ts';

const request = { page: 1, pageSize: 20 };

test('reads few offers for a first sync and its total', async ({ database, sql }) => {
  const vendorId = await addVendor(sql);
  await seedManyOffers(sql, vendorId, 20_000);
  await seedManyOffers(sql, await addVendor(sql), 5000);
  await sql`vacuum (analyze) offers, offer_counts`;
  const connection = pool(database.url, 1);
  for (const status of [null, 'Draft', 'Suspended'] as const) {
    const read = await entriesReadBy(connection, 'offers', (reader) =>
      listOffers(reader, vendorId, { ...everything, status }, request),
    );
    // 1,001 say that there are many.
    expect(read, `status ${status}`).toBeLessThanOrEqual(1300);
  }
});

test('counts the rows as of a first page', async ({ sql }) => {
  const vendorId = await addVendor(sql);
  await seedManyOffers(sql, vendorId, 12_000);
  await seedManyOffers(sql, await addVendor(sql), 3000);
  const own = sql`from offers where vendor_id = ${vendorId}`;
  const times = await sql<{ at: string }[]>`
    select to_char(change_time at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at ${own}
    order by change_time`;
  // Four offers share a time. More than 5,000 are not subtracted, but counted the other way.
  for (const behind of [0, 4, 4996, 5000, 5004, 9000]) {
    const changedSince = behind === 0 ? longAgo : (times[behind - 1]?.at ?? '');
    for (const status of [null, 'Draft', 'Approved', 'Suspended'] as const) {
      const [{ count }] = await sql<[{ count: number }]>`
        select count(*)::int as count ${own}
          and change_time > ${changedSince}::text::timestamptz
          and (${status}::text is null or status = ${status})`;
      const filter = { ...everything, status, changedSince };
      const first = await listOffers(sql, vendorId, filter, request);
      expect(first.totalCount, `${status ?? 'all'} after ${behind}`).toBe(count);
      await changeSome(sql, vendorId, status);
      // As if the process had ended between the page and its total.
      await sql`update page_snapshots set total_count = null where vendor_id = ${vendorId}`;
      const later = await listOffers(sql, vendorId, filter, { ...request, page: 3 });
      expect(later.totalCount, `${status ?? 'all'} after ${behind}, later`).toBe(
        count > 20 ? count : 0,
      );
    }
  }
});

/** New offers, and changes of the earliest and the latest ones, some of them to another status. */
async function changeSome(sql: Sql, vendorId: string, status: OfferStatus | null): Promise<void> {
  const to = status === 'Draft' ? 'Rejected' : 'Draft';
  await sql`
    update offers set version = version + 1, status = case when random() < 0.5 then ${to}
      else status end, awaiting_since = null
    where id in (
      (select id from offers where vendor_id = ${vendorId} order by change_time limit 30)
      union (select id from offers where vendor_id = ${vendorId} order by change_time desc limit 30)
    )`;
  await sql`
    insert into offers (id, vendor_id, status, source, pricing_model, cost_net, cost_vat,
      cost_entered_vat_inclusive, declared_in_stock, created_at, changed_at)
    select gen_random_uuid(), ${vendorId}, 'Draft', 'Api', 'CostPlusMargin', 100, 15, false, true,
      now(), now()
    from generate_series(1, 5)`;
}
