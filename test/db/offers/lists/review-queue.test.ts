import { expect } from 'vitest';
import type { ReviewQueueFilter } from '../../../../db/offers/lists/review-filter.ts';
import type { Sql } from '../../../../db/core/client.ts';
import { compactCounters } from '../../../../db/lists/compact-counters.ts';
import { databaseTest } from '../../../support/database/database-test.ts';
import { anyOffer, listQueue } from '../../../support/database/list-queue.ts';
import { seedManyOffers } from '../../../support/seeds/seed-many-offers.ts';
import { expectPages, idsOf } from '../../lists/expect-pages.ts';
import { addVendor } from '../../support.ts';
import { offersReadBy } from './queue-fixture.ts';

/** The operators' list by status and vendor: its pages are pages of the whole list, at its cost. */

const bigCount = 30_000;
const smallCount = 1300;
const staged = 500;
const rare = 40;

const test = databaseTest.extend('vendors', { scope: 'file' }, async ({ sql }) => {
  const [big, small] = [await addVendor(sql), await addVendor(sql)];
  await seedManyOffers(sql, big, bigCount);
  await seedManyOffers(sql, small, smallCount);
  // Approved offers with a staged price wait too. Several have the same wait.
  await sql`
    update offers set pending_cost_net = 120, awaiting_since = created_at + interval '1 hour'
    where id in (
      select id from offers where vendor_id = ${small} and status = 'Approved' limit 200
    ) or id in (
      select id from offers where vendor_id = ${big} and status = 'Approved'
      limit ${staged - 200}
    )`;
  await sql`
    update offers set status = 'Suspended' where id in (
      select id from offers where vendor_id = ${big} and status = 'Draft'
      order by created_at limit ${rare}
    )`;
  await compactCounters(sql);
  await sql`vacuum (analyze) offers, offer_counts, vendors`;
  return { big, small };
});

type Asked = Omit<ReviewQueueFilter, 'vendorId'> & { readonly vendor: 'big' | 'small' | null };
const every: Asked = { ...anyOffer, vendor: null };
const nameOf = ({ status, vendor, awaitingDecision }: Asked): string =>
  `status ${status ?? 'any'}, vendor ${vendor ?? 'any'}, awaiting ${awaitingDecision ?? 'any'}`;

const filters: readonly Asked[] = [
  every,
  { ...every, status: 'PendingReview' },
  { ...every, status: 'Approved' },
  { ...every, status: 'Approved', awaitingDecision: true },
  { ...every, status: 'Approved', awaitingDecision: false },
  { ...every, status: 'Suspended' },
  { ...every, status: 'Suspended', awaitingDecision: false },
  { ...every, status: 'PendingRepricing' },
  { ...every, vendor: 'small' },
  { ...every, vendor: 'small', awaitingDecision: true },
  { ...every, vendor: 'small', awaitingDecision: false },
  { ...every, vendor: 'small', status: 'Approved' },
  { ...every, vendor: 'small', status: 'Suspended' },
  { ...every, vendor: 'big', status: 'Suspended' },
];

/** The ids of the whole list, sorted by the rule of the list. */
async function wholeList(
  sql: Sql,
  { status, vendorId, awaitingDecision }: ReviewQueueFilter,
): Promise<readonly string[]> {
  return idsOf(sql`
    select id from offers
    where (${status}::text is null or status = ${status})
      and (${vendorId}::uuid is null or vendor_id = ${vendorId})
      and (${awaitingDecision}::boolean is null
        or (awaiting_since is not null) = ${awaitingDecision})
    order by awaiting_since nulls last,
      case when ${awaitingDecision}::boolean then id end, created_at desc, id desc`);
}

test.for(filters.map((asked) => [nameOf(asked), asked] as const))(
  'returns the whole list by %s page by page, and reads few other offers for the first page',
  async ([, { vendor, ...rest }], { sql, database, vendors }) => {
    const filter = { ...rest, vendorId: vendor === null ? null : vendors[vendor] };
    const order = await wholeList(sql, filter);
    // Around the last offer that waits, too.
    const waiting = (await wholeList(sql, { ...filter, awaitingDecision: true })).length;
    await expectPages(order, (request) => listQueue(sql, filter, request), waiting);
    const { status, awaitingDecision } = rest;
    // These pass other offers: live ones without a status of theirs, waiting ones of a vendor.
    const isMixed = status === 'Approved' && (awaitingDecision === false || vendor !== null);
    const read = await offersReadBy(database.url, filter);
    // Each offer twice: from the index of the list, and by its key. A sort takes a few more.
    expect(read).toBeLessThanOrEqual(isMixed ? 600 : 150);
  },
);

test('reads at most half of the list for a deep page', async ({ database, sql, vendors }) => {
  const filter = { ...anyOffer, vendorId: vendors.small };
  const { length: all } = await wholeList(sql, filter);
  const { length: waiting } = await wholeList(sql, { ...filter, awaitingDecision: true });
  const readOf = (position: number) =>
    offersReadBy(database.url, filter, { page: Math.ceil(position / 20), pageSize: 20 });
  expect(waiting).toBeGreaterThan(500);
  // The first of the others: beside them, the waiting offers that lie between two of them.
  expect(await readOf(waiting + 40)).toBeLessThanOrEqual(300);
  expect(await readOf(all - 40)).toBeLessThanOrEqual(300);
  expect(await readOf(all + 4000)).toBe(0);
});
