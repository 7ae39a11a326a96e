import type { Fragment } from 'postgres';
import type { ReturnRequest } from '../../domain/returns/return-request.ts';
import type { ReturnStatus } from '../../domain/returns/return-status.ts';
import { inOrderOf, readChangePage, type ChangePage } from '../lists/change-page.ts';
import type { Queryable, Sql } from '../core/client.ts';
import { countListed } from '../lists/list-counts.ts';
import { offsetOf, type ChangesPage, type Page, type PageRequest } from '../lists/page.ts';
import { listReturnChanges, type ReturnHistory } from './return-history.ts';
import { returnColumns, returnTables, toReturn, type ReturnRow } from './return-row.ts';
import { onSnapshot } from '../core/snapshot.ts';

/** Instants are RFC 3339 text, so that microseconds are kept. */
export type ReturnFilter = {
  readonly status: ReturnStatus | null;
  /** Strictly after. */
  readonly changedSince: string | null;
  /** Both bounds belong to it. */
  readonly requestedFrom: string | null;
  readonly requestedTo: string | null;
  /** The token that it is asked with; only of weight with `changedSince`. */
  readonly tokenId?: string;
};

/** A page of returns, and with `isWithHistory` their status changes, read on the same snapshot. */
export type ListedReturns = ChangesPage<ReturnRequest> & { readonly history: ReturnHistory | null };

/**
 * The returns that go to a vendor: the newest request first, or with `changedSince` in the order in which they changed (D45).
 */
export async function listReturns(
  sql: Sql,
  vendorId: string,
  filter: ReturnFilter,
  request: PageRequest,
  { isWithHistory = false } = {},
): Promise<ListedReturns> {
  const changes = await readChanges(sql, vendorId, filter, request);
  const read = async (snapshot: Queryable): Promise<ChangesPage<ReturnRequest>> => {
    if (changes === null) {
      return {
        ...(await listByRequest(snapshot, vendorId, filter, request)),
        nextChangedSince: null,
      };
    }
    const { ids, ...page } = changes;
    return { ...page, items: await findReturns(snapshot, ids, filter.status) };
  };
  if (!isWithHistory) return { ...(await read(sql)), history: null };
  return onSnapshot(sql, async (snapshot) => {
    const page = await read(snapshot);
    const ids = page.items.map(({ id }) => id);
    return { ...page, history: await listReturnChanges(snapshot, ids) };
  });
}

const suppliers = (sql: Queryable, vendorId: string) => sql`
  return_requests where vendor_id = ${vendorId} and destination = 'Supplier'`;

const requestedBetween = (sql: Queryable, { requestedFrom, requestedTo }: ReturnFilter) => sql`
  ${requestedFrom === null ? sql`` : sql`and requested_at >= ${requestedFrom}::text::timestamptz`}
  ${requestedTo === null ? sql`` : sql`and requested_at <= ${requestedTo}::text::timestamptz`}`;

const hasRange = ({ requestedFrom, requestedTo }: ReturnFilter): boolean =>
  requestedFrom !== null || requestedTo !== null;

/** Null without `changedSince`. */
async function readChanges(
  sql: Sql,
  vendorId: string,
  filter: ReturnFilter,
  request: PageRequest,
): Promise<ChangePage | null> {
  const { status, changedSince, requestedFrom, requestedTo, tokenId = '' } = filter;
  if (changedSince === null) return null;
  const range = {
    condition: requestedBetween(sql, filter),
    name: `/${requestedFrom ?? ''}/${requestedTo ?? ''}`,
  };
  const asked = {
    list: 'returns',
    vendorId,
    status,
    changedSince,
    tokenId,
    own: suppliers(sql, vendorId),
    changedAt: sql`changed_at`,
    ...(hasRange(filter) ? { more: range } : {}),
  } as const;
  return readChangePage(sql, asked, request);
}

const listByRequest = (
  sql: Queryable,
  vendorId: string,
  filter: ReturnFilter,
  request: PageRequest,
): Promise<Page<ReturnRequest>> => {
  const { status } = filter;
  const rows = sql`
    ${suppliers(sql, vendorId)} ${status === null ? sql`` : sql`and status = ${status}`}
    ${requestedBetween(sql, filter)}`;
  return listBy(sql, request, {
    rows,
    order: sql`requested_at desc, id desc`,
    total: hasRange(filter)
      ? sql`select count(*)::int from ${rows}`
      : countListed(sql, { list: 'returns', vendorId, status, isForSupplier: true }),
  });
};

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
        ${requiresStaffReview === null ? sql`` : sql`and ${requiresStaffReview ? sql`requires_staff_review` : sql`not requires_staff_review`}`}`,
    order: sql`case when status = 'UnderInspection' then inspection_deadline end, id`,
    total: countListed(sql, { list: 'returns', vendorId, status, requiresStaffReview }),
  });

type ListedRow = ReturnRow | { readonly id: null };

/** Page and total by one statement, so that they agree. */
async function listBy(
  sql: Queryable,
  request: PageRequest,
  { rows: listed, order, total }: Readonly<Record<'rows' | 'order' | 'total', Fragment>>,
): Promise<Page<ReturnRequest>> {
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
      select ${returnColumns(sql)}, page.place from ${returnTables(sql)} join page on page.id = returns.id
    ) as listed on true
    order by listed.place`;
  const found = rows.flatMap(({ total: _total, place: _place, ...row }) =>
    row.id === null ? [] : [row],
  );
  return { items: found.map(toReturn), totalCount: rows[0]?.total ?? 0 };
}

/** In the order of the ids; one that has another status by now is left out, since its change is yet to come. */
async function findReturns(
  sql: Queryable,
  ids: readonly string[],
  status: ReturnStatus | null,
): Promise<readonly ReturnRequest[]> {
  if (ids.length === 0) return [];
  const rows = await sql<ReturnRow[]>`
    select ${returnColumns(sql)} from ${returnTables(sql)}
    where returns.id = any(${[...ids]}::uuid[]) ${status === null ? sql`` : sql`and returns.status = ${status}`}`;
  return inOrderOf(ids, rows.map(toReturn));
}
