import type { ReturnRequest } from '../../domain/returns/return-request.ts';
import type { ReturnStatus } from '../../domain/returns/return-status.ts';
import type { Queryable, Sql } from '../core/client.ts';
import { businessNowOf } from '../core/clock.ts';
import { onSnapshot } from '../core/transaction.ts';
import { readChangePage, type ChangePage } from '../lists/change-page.ts';
import { readIdPage, readItems, type ItemSource } from '../lists/id-page.ts';
import { countListed } from '../lists/list-counts.ts';
import { readStatusHistory, type StatusHistories } from '../lists/status-history.ts';
import { ascending, descending } from '../lists/sort-order.ts';
import { between, equalTo, type ChangesPage, type Page, type PageRequest } from '../lists/page.ts';
import type { FoundReturn } from './return-requests.ts';
import { openDeadline } from './timed-returns.ts';
import { returnColumns, returnTables, toReturn, type ReturnRow } from './return-row.ts';

/** Instants are RFC 3339 text, which keeps their microseconds. */
export type ReturnFilter = {
  readonly status: ReturnStatus | null;
  /** Exclusive. */
  readonly changedSince: string | null;
  /** Both inclusive. */
  readonly requestedFrom: string | null;
  readonly requestedTo: string | null;
  /** The token of the request; used with `changedSince`. */
  readonly tokenId?: string;
};

/** A page of returns, and with `isWithHistory` their status changes, read on the same snapshot. */
export type ListedReturns = ChangesPage<ReturnRequest> & {
  readonly history: StatusHistories | null;
};

/** The returns that go to a vendor: newest first, or with `changedSince` by change time. */
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
      const page = await listByRequest(snapshot, vendorId, filter, request);
      return { ...page, nextChangedSince: null };
    }
    const { ids, ...page } = changes;
    const rows = await readItems<ReturnRow>(snapshot, ids, filter.status, sourceOf(snapshot));
    return { ...page, items: rows.map(toReturn) };
  };
  if (!isWithHistory) return { ...(await read(sql)), history: null };
  return onSnapshot(sql, async (snapshot) => {
    const page = await read(snapshot);
    const ids = page.items.map(({ id }) => id);
    return { ...page, history: await readStatusHistory(snapshot, 'return', ids) };
  });
}

const sourceOf = (sql: Queryable): ItemSource => ({
  columns: returnColumns(sql),
  tables: returnTables(sql),
  alias: sql`returns`,
});

const suppliers = (sql: Queryable, vendorId: string) => sql`
  return_requests where vendor_id = ${vendorId} and destination = 'Supplier'`;

/** Null without `changedSince`. */
async function readChanges(
  sql: Sql,
  vendorId: string,
  { status, changedSince, requestedFrom, requestedTo, tokenId = '' }: ReturnFilter,
  request: PageRequest,
): Promise<ChangePage | null> {
  if (changedSince === null) return null;
  const range = between(sql, 'requested_at', requestedFrom, requestedTo);
  // A return never changes this time.
  const isOfRange = sql`and id in (select id from ${suppliers(sql, vendorId)} ${range})`;
  const more = {
    condition: range,
    pastCondition: isOfRange,
    name: `/${requestedFrom ?? ''}/${requestedTo ?? ''}`,
  };
  const asked = { list: 'returns', vendorId, status, changedSince, tokenId } as const;
  const own = { own: suppliers(sql, vendorId), changedAt: sql`changed_at` };
  const hasRange = requestedFrom !== null || requestedTo !== null;
  return readChangePage(sql, { ...asked, ...own, ...(hasRange ? { more } : {}) }, request);
}

async function listByRequest(
  sql: Queryable,
  vendorId: string,
  { status, requestedFrom, requestedTo }: ReturnFilter,
  request: PageRequest,
): Promise<Page<ReturnRequest>> {
  const page = await readIdPage<ReturnRow>(sql, request, (parts) => {
    const rows = parts`
      ${suppliers(parts, vendorId)} ${equalTo(parts, { status })}
      ${between(parts, 'requested_at', requestedFrom, requestedTo)}`;
    const hasRange = requestedFrom !== null || requestedTo !== null;
    const order = descending('requested_at', 'id');
    const total = countListed(parts, { list: 'returns', vendorId, status, isForSupplier: true });
    return [sourceOf(parts), { rows, order, ...(hasRange ? {} : { total }) }];
  });
  return { ...page, items: page.items.map(toReturn) };
}

export type StaffReturnFilter = {
  readonly status: ReturnStatus | null;
  readonly vendorId: string | null;
  readonly orderId: string | null;
  readonly requiresStaffReview: boolean | null;
  /** Only returns under inspection whose window ends within these hours, or has ended. */
  readonly dueWithinHours: number | null;
  readonly number?: string | null;
};

function ofStaffReview(sql: Queryable, isRequired: boolean | null) {
  if (isRequired === null) return sql``;
  return isRequired ? sql`and requires_staff_review` : sql`and not requires_staff_review`;
}

const dueWithin = (sql: Queryable, hours: number | null) =>
  hours === null
    ? sql``
    : sql`and ${sql.unsafe(openDeadline)} <=
        ${businessNowOf(sql, sql`return_requests.vendor_id`)} + ${hours} * interval '1 hour'`;

/**
 * The operators' list: returns under inspection by deadline, then the others by creation; each with
 * the instant of the read by its vendor's business clock.
 */
export async function listReturnsForStaff(
  sql: Queryable,
  {
    status,
    vendorId,
    orderId,
    requiresStaffReview,
    dueWithinHours,
    number = null,
  }: StaffReturnFilter,
  request: PageRequest,
): Promise<Page<Pick<FoundReturn, 'request' | 'now'>>> {
  const page = await readIdPage<ReturnRow & Pick<FoundReturn, 'now'>>(sql, request, (parts) => {
    const { columns, ...source } = sourceOf(parts);
    const now = parts`
      ${businessNowOf(parts, parts`returns.vendor_id`)} as now`;
    const rows = parts`
      return_requests
      where true ${equalTo(parts, { status, vendor_id: vendorId, order_id: orderId })}
        ${ofStaffReview(parts, requiresStaffReview)} ${dueWithin(parts, dueWithinHours)}
        ${number === null ? parts`` : parts`and number = ${number}::text::bigint`}`;
    const order = ascending(openDeadline, 'id');
    const total = countListed(parts, { list: 'returns', vendorId, status, requiresStaffReview });
    return [
      { ...source, columns: parts`${columns}, ${now}` },
      {
        rows,
        order,
        ...([orderId, dueWithinHours, number].every((each) => each === null) && { total }),
      },
    ];
  });
  const items = page.items.map(({ now, ...row }) => ({ request: toReturn(row), now }));
  return { ...page, items };
}
