import type { Fragment } from 'postgres';
import { expect } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { type Sql } from '../../../db/core/client.ts';
import { compactCounters } from '../../../db/lists/compact-counters.ts';
import type { NewOrder } from '../../../db/orders/insert-orders.ts';
import { countOffers } from '../../../db/offers/lists/offer-page.ts';
import { insertOffers } from '../../../db/offers/insert-offers.ts';
import { countChanged, countListed } from '../../../db/lists/list-counts.ts';
import { insertReturn } from '../../../db/returns/return-requests.ts';
import { groupStatuses, type GroupStatus } from '../../../domain/orders/fulfilment-status.ts';
import { offerStatuses } from '../../../domain/offers/offer.ts';
import { requestReturn } from '../../../domain/returns/return-request.ts';
import { returnStatuses } from '../../../domain/returns/return-status.ts';
import { offer as offerLike } from '../../domain/offers/offer-builders.ts';
import { orderOf, orderTest, takeIn } from '../orders/order-rows.ts';
import { entriesReadBy } from '../../support/database/entries-read.ts';
import { addVendor, countOf, pick, pool } from '../support.ts';

type Fixtures = {
  readonly sql: Sql;
  readonly variantId: string;
  readonly vendors: readonly string[];
};

const test = orderTest.extend('vendors', { scope: 'file' }, async ({ sql }) => [
  await addVendor(sql),
  await addVendor(sql),
]);

const either = [null, true, false];

type Asked = Parameters<typeof countListed>[1];
const totalOf = async (sql: Sql, subquery: Fragment): Promise<number> => {
  const [row] = await sql<[{ total: number }]>`select (${subquery}) as total`;
  return row.total;
};

const rowsOf = (
  sql: Sql,
  { list, vendorId, status, isForSupplier = null, requiresStaffReview = null }: Asked,
) =>
  list === 'orders'
    ? sql`(
        select distinct order_id, vendor_id from fulfilment_groups
        where vendor_id is not null and vendor_id = ${vendorId}
      ) as orders`
    : list === 'groups'
      ? sql`fulfilment_groups
        where vendor_id is not null and (${vendorId}::uuid is null or vendor_id = ${vendorId})
          and (${status}::text is null or status = ${status})`
      : sql`return_requests
        where (${vendorId}::uuid is null or vendor_id = ${vendorId})
          and (${status}::text is null or status = ${status})
          and (${isForSupplier}::boolean is null or (destination = 'Supplier') = ${isForSupplier})
          and (${requiresStaffReview}::boolean is null
            or requires_staff_review = ${requiresStaffReview})`;

/** Every way in which the lists ask. */
function everyAsked(vendors: readonly string[]): readonly Asked[] {
  const ofVendors = [null, ...vendors];
  return [
    ...vendors.map((vendorId): Asked => ({ list: 'orders', vendorId, status: null })),
    ...ofVendors.flatMap((vendorId) =>
      [null, ...groupStatuses].map((status): Asked => ({ list: 'groups', vendorId, status })),
    ),
    ...ofVendors.flatMap((vendorId) =>
      [null, ...returnStatuses].flatMap((status) =>
        either.flatMap((isForSupplier) =>
          either.map((requiresStaffReview): Asked => {
            const flags = { isForSupplier, requiresStaffReview };
            return { list: 'returns', vendorId, status, ...flags };
          }),
        ),
      ),
    ),
  ];
}

async function expectEveryCountToBeTrue(sql: Sql, vendors: readonly string[]): Promise<void> {
  for (const asked of everyAsked(vendors)) {
    const total = await totalOf(sql, sql`select count(*)::int from ${rowsOf(sql, asked)}`);
    expect(await totalOf(sql, countListed(sql, asked)), JSON.stringify(asked)).toBe(total);
  }
}

/**
 * Change times as they are stored, and what lies around them: the starts of hours and days, and
 * instants beyond them all.
 */
async function instants(sql: Sql): Promise<readonly string[]> {
  const rows = await sql<{ at: string }[]>`
    with stored as (
      select order_changed_at as at from fulfilment_groups
      union select changed_at from return_requests
    ), picked as (select at from stored order by md5(at::text) limit 4)
    select to_char((instant - back) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at
    from picked,
      unnest(array[at, date_trunc('hour', at, 'UTC'), date_trunc('day', at, 'UTC')]) as instant,
      unnest(array[interval '0', interval '1 microsecond']) as back
    group by 1`;
  const beyond = ['0001-01-01T00:00:00.000000Z', '9999-12-31T23:59:59.999999Z'];
  return [...rows.map(({ at }) => at), ...beyond];
}

async function expectEveryChangeToBeCounted(sql: Sql, vendors: readonly string[]): Promise<void> {
  const every = everyAsked(vendors).filter(
    ({ list }, position) => list !== 'orders' && position % 7 === 0,
  );
  const totals = new Set<number>();
  for (const changedSince of await instants(sql)) {
    for (const asked of every) {
      const changedAt = asked.list === 'groups' ? sql`order_changed_at` : sql`changed_at`;
      const rows = rowsOf(sql, asked);
      const since = sql`${changedAt} > ${changedSince}::text::timestamptz`;
      const total = await totalOf(sql, sql`select count(*)::int from ${rows} and ${since}`);
      const list = asked.list === 'groups' ? 'groups' : 'returns';
      const counted = countChanged(sql, { ...asked, list, changedSince }, { rows, changedAt });
      expect(await totalOf(sql, counted), `${changedSince} ${JSON.stringify(asked)}`).toBe(total);
      totals.add(total);
    }
  }
  expect(totals.size).toBeGreaterThan(5);
}

/**
 * A return of the order's first line: to the vendor, to a sorting point, or of the service's own
 * things.
 */
async function makeReturn(
  { sql, variantId, vendors }: Fixtures,
  { id: orderId, groups }: NewOrder,
  round: number,
): Promise<void> {
  const vendorId = pick([...vendors, null], round);
  const [lineId = ''] = groups.flatMap(({ lines }) => lines.map((line) => line.lineId));
  const request = requestReturn({
    id: uuidv7(),
    orderId,
    destination: vendorId === null || round % 4 === 0 ? 'SortingPoint' : 'Supplier',
    vendorId,
    lines: [{ lineId, variantId, sku: '', quantity: 1, reasonCode: 'Other' }],
    times: { startMs: 1000, windowMs: 1000, closingMs: 0 },
    now: new Date(),
  });
  await sql.begin((transaction) => insertReturn(transaction, request));
}

const makeOrder = async ({ sql, variantId, vendors }: Fixtures, round: number) => {
  const order = orderOf(variantId, [pick([...vendors, null], round), pick(vendors, round), null]);
  const groups = order.groups.map((group) => ({
    ...group,
    status: group.vendorId === null ? group.status : pick(ownStatuses, round),
  }));
  await makeReturn({ sql, variantId, vendors }, await takeIn(sql, { ...order, groups }), round);
};
const ownStatuses = groupStatuses.filter(
  (status): status is GroupStatus => status !== 'PendingSourcing',
);

/** Moves some groups, several in one statement; those that have no vendor yet get one at times. */
const moveGroups = (sql: Sql, vendors: readonly string[], round: number) => sql`
  update fulfilment_groups set status = ${pick(ownStatuses, round * 5)},
    vendor_id = coalesce(vendor_id,
      case when ${round % 2 === 0} then ${pick(vendors, round)}::uuid end),
    order_changed_at = now() - random() * interval '60 hours'
  where id in (
    select id from fulfilment_groups
    order by md5(id::text || ${round}) limit 3 for update skip locked
  )`;
const moveReturns = (sql: Sql, round: number) => sql`
  update return_requests
  set status = ${pick(returnStatuses, round * 3)}, requires_staff_review = ${round % 3 === 0},
    changed_at = now() - random() * interval '60 hours'
  where id in (select id from return_requests
    order by md5(id::text || ${round}) limit 3 for update skip locked)`;

/** Compares every kept count of offers with the rows. */
async function expectOffersToBeCounted(sql: Sql, vendors: readonly string[]): Promise<void> {
  for (const vendorId of [null, ...vendors])
    for (const status of [null, ...offerStatuses])
      for (const isAwaiting of [null, true, false]) {
        const kept = countOffers(sql, { vendorId, status, isAwaiting });
        const [row] = await sql<[{ kept: number; total: number }]>`
          select count(*)::int as total, (${kept}) as kept from offers
          where (${vendorId}::uuid is null or vendor_id = ${vendorId})
            and (${status}::text is null or status = ${status})
            and (${isAwaiting}::boolean is null or (awaiting_since is not null) = ${isAwaiting})`;
        expect(row.kept).toBe(row.total);
      }
}

const makeOffer = (sql: Sql, vendors: readonly string[], round: number) => {
  const owner = { id: uuidv7(), vendorId: pick(vendors, round) };
  const awaitingSince = round % 3 === 0 ? new Date() : null;
  const given = { variantId: null, vendorExternalId: null, awaitingSince };
  return insertOffers(sql, [offerLike({ ...owner, ...given, status: pick(offerStatuses, round) })]);
};

/** Moves some offers, several in one statement, as a batch does. */
const moveOffers = (sql: Sql, round: number) => sql`
  update offers set status = ${pick(offerStatuses, round * 5)},
    awaiting_since = case when ${round % 2 === 0} then now() end
  where id in (select id from offers
    order by md5(id::text || ${round}) limit 3 for update skip locked)`;

test('keeps the right counts beside any writes', async ({ sql, variantId, vendors }) => {
  const rounds = Array.from({ length: 60 }, (_, round) => round);
  await Promise.all(
    rounds.flatMap((round) => [
      makeOrder({ sql, variantId, vendors }, round),
      moveGroups(sql, vendors, round).execute(),
      moveReturns(sql, round).execute(),
      makeOffer(sql, vendors, round),
      moveOffers(sql, round).execute(),
      compactCounters(sql),
    ]),
  );
  // No compaction follows these.
  for (const round of rounds.slice(0, 6)) {
    await moveGroups(sql, vendors, round);
    await moveReturns(sql, round);
  }
  const checks = [expectEveryCountToBeTrue, expectEveryChangeToBeCounted, expectOffersToBeCounted];
  for (const check of checks) await check(sql, vendors);
  await compactCounters(sql);
  for (const check of checks) await check(sql, vendors);
});

test('compacts to one row for each count above 0', async ({ sql }) => {
  // The first time writes the counts of days and hours, the second compacts them.
  for (let time = 0; time < 2; time += 1) await compactCounters(sql);
  const [keys] = await sql<[{ count: number; offers: number }]>`
    select ((
      select count(distinct (vendor_id, status, span, starts_at))
      from fulfilment_groups, time_spans(order_changed_at) where vendor_id is not null
    ) + (
      select count(distinct (vendor_id, status, destination, requires_staff_review, span,
        starts_at))
      from return_requests, time_spans(changed_at)
    ) + (
      select count(distinct vendor_id) from fulfilment_groups
    ))::int as count, (
      select count(distinct (vendor_id, status, awaiting_since is not null)) from offers
    )::int as offers`;
  expect(await countOf(sql, 'list_counts')).toBe(keys.count);
  expect(await countOf(sql, 'offer_counts')).toBe(keys.offers);
});

test('adds no row when no count changes', async ({ sql }) => {
  const counted = async () => [
    await countOf(sql, 'list_counts'),
    await countOf(sql, 'offer_counts'),
  ];
  const before = await counted();
  await sql`
    update fulfilment_groups set tracking_ref = 'T-1', status = status, vendor_id = vendor_id`;
  await sql`update return_requests set version = version + 1, status = status`;
  await sql`
    update fulfilment_groups
    set order_changed_at = date_trunc('hour', order_changed_at) + interval '59 minutes'`;
  await sql`update offers set declared_in_stock = not declared_in_stock, version = version + 1`;
  expect(await counted()).toEqual(before);
});

test('finds the counts of a vendor among many without statistics', async ({
  database,
  vendors,
}) => {
  const connection = pool(database.url, 1);
  await connection.begin(async (transaction) => {
    await transaction`set local session_replication_role = replica`;
    await transaction`
      with others as materialized (
        select gen_random_uuid() as vendor_id from generate_series(1, 20000)
      ), listed as (
        insert into list_counts (list, vendor_id, status, is_for_supplier, requires_staff_review,
          span, starts_at, delta, is_compacted)
        select 'groups', vendor_id, 'Pending', true, false, 'ever', '-infinity', 1, true from others
      ), active as (
        insert into activity_counts (vendor_id, kind, hour, delta, is_compacted)
        select vendor_id, 'attempt.failed', date_trunc('hour', now()), 1, true from others
      )
      insert into offer_counts (vendor_id, status, is_awaiting, delta, is_compacted)
      select vendor_id, 'Approved', false, 1, true from others`;
  });
  const [vendorId = ''] = vendors;
  const counts = {
    list_counts: countListed(connection, { list: 'groups', vendorId, status: null }),
    offer_counts: countOffers(connection, { vendorId, status: null, isAwaiting: null }),
    activity_counts: connection`
      select sum(delta) from all_activity()
      where vendor_id = ${vendorId} and kind = 'attempt.failed'`,
  };
  for (const [table, count] of Object.entries(counts)) {
    const read = await entriesReadBy(connection, table, (sql) => totalOf(sql, count));
    expect(read, table).toBeLessThan(1000);
  }
});
