import type { Fragment } from 'postgres';
import type { ReturnRequest } from '../domain/return-request.ts';
import type { ReturnStatus } from '../domain/return-status.ts';
import type { Queryable, Sql } from './client.ts';
import type { ChangesPage } from './group-list.ts';
import { instantText } from './instant-text.ts';
import { countChanged, countListed } from './list-counts.ts';
import { offsetOf, type Page, type PageRequest } from './page.ts';
import { listReturnChanges, type ReturnHistory } from './return-history.ts';
import { returnColumns, returnTables, toReturn, type ReturnRow } from './return-row.ts';
import { onSnapshot } from './snapshot.ts';

/** Instants are RFC 3339 text, so that microseconds are kept. */
export type ReturnFilter = {
  readonly status: ReturnStatus | null;
  /** Strictly after. */
  readonly changedSince: string | null;
  /** Both bounds belong to it. */
  readonly requestedFrom: string | null;
  readonly requestedTo: string | null;
};

/** A page of returns, and with `isWithHistory` their status changes, read on the same snapshot. */
export type ListedReturns = ChangesPage<ReturnRequest> & { readonly history: ReturnHistory | null };

/**
 * The returns that go to a vendor: the newest request first, or with `changedSince` in the order in which they changed
 * (D45), after a short wait for changes that are about to be committed (D38).
 */
export async function listReturns(
  sql: Sql,
  vendorId: string,
  filter: ReturnFilter,
  request: PageRequest,
  { isWithHistory = false } = {},
): Promise<ListedReturns> {
  if (filter.changedSince !== null) await sql`select await_changes(${vendorId})`;
  if (!isWithHistory) return { ...(await listOwn(sql, vendorId, filter, request)), history: null };
  return onSnapshot(sql, async (snapshot) => {
    const page = await listOwn(snapshot, vendorId, filter, request);
    return {
      ...page,
      history: await listReturnChanges(
        snapshot,
        page.items.map(({ id }) => id),
      ),
    };
  });
}

async function listOwn(
  sql: Queryable,
  vendorId: string,
  { status, changedSince, requestedFrom, requestedTo }: ReturnFilter,
  request: PageRequest,
): Promise<ChangesPage<ReturnRequest>> {
  const own = sql`
    return_requests where vendor_id = ${vendorId} and destination = 'Supplier'
      ${status === null ? sql`` : sql`and status = ${status}`}`;
  const range = sql`
    ${requestedFrom === null ? sql`` : sql`and requested_at >= ${requestedFrom}::text::timestamptz`}
    ${requestedTo === null ? sql`` : sql`and requested_at <= ${requestedTo}::text::timestamptz`}`;
  const since = changedSince === null ? sql`` : sql`and changed_at > ${changedSince}::text::timestamptz`;
  const counted = { list: 'returns', vendorId, status, isSuppliers: true } as const;
  const total =
    requestedFrom !== null || requestedTo !== null
      ? sql`select count(*)::int from ${own} ${range} ${since}`
      : changedSince === null
        ? countListed(sql, counted)
        : countChanged(sql, { ...counted, changedSince }, { rows: own, changedAt: sql`changed_at` });
  const { changedAt, ...page } = await listBy(sql, request, {
    rows: sql`${own} ${range} ${since}`,
    order: changedSince === null ? sql`requested_at desc, id desc` : sql`changed_at, id`,
    total,
  });
  return { ...page, nextChangedSince: changedSince === null ? null : (changedAt ?? changedSince) };
}

export type StaffReturnFilter = {
  readonly status: ReturnStatus | null;
  readonly vendorId: string | null;
  readonly requiresStaffReview: boolean | null;
};

/** The operators' list: what is under inspection by its deadline, the soonest first; then the rest, as it came in. */
export const listReturnsForStaff = (
  sql: Queryable,
  { status, vendorId, requiresStaffReview }: StaffReturnFilter,
  request: PageRequest,
): Promise<Page<ReturnRequest>> =>
  listBy(sql, request, {
    rows: sql`
      return_requests where true
        ${status === null ? sql`` : sql`and status = ${status}`}
        ${vendorId === null ? sql`` : sql`and vendor_id = ${vendorId}`}
        ${requiresStaffReview === null ? sql`` : sql`and requires_staff_review = ${requiresStaffReview}`}`,
    order: sql`case when status = 'UnderInspection' then inspection_deadline end, id`,
    total: countListed(sql, { list: 'returns', vendorId, status, isFlagged: requiresStaffReview }),
  });

type ListedRow = (ReturnRow & { readonly changedAt: string }) | { readonly id: null };

/** Page and total by one statement, so that they agree; `changedAt` is the last item's, null on an empty page. */
async function listBy(
  sql: Queryable,
  request: PageRequest,
  { rows: listed, order, total }: Readonly<Record<'rows' | 'order' | 'total', Fragment>>,
): Promise<Page<ReturnRequest> & { readonly changedAt: string | null }> {
  const rows = await sql<(ListedRow & { readonly total: number; readonly place: string | null })[]>`
    with page as materialized (
      -- Ids first: what comes before a deep page is passed over in the index.
      select id, row_number() over () as place from (
        select id from ${listed} order by ${order}
        limit ${request.pageSize} offset ${offsetOf(request)}
      ) as ordered
    )
    select counted.total, listed.* from (select (${total}) as total) as counted
    left join (
      select ${returnColumns(sql)}, ${instantText(sql, sql`returns.changed_at`)} as changed_at, page.place
      from ${returnTables(sql)} join page on page.id = returns.id
    ) as listed on true
    order by listed.place`;
  const found = rows.flatMap(({ total: _total, place: _place, ...row }) => (row.id === null ? [] : [row]));
  return {
    items: found.map(({ changedAt: _changedAt, ...row }) => toReturn(row)),
    totalCount: rows[0]?.total ?? 0,
    changedAt: found.at(-1)?.changedAt ?? null,
  };
}
