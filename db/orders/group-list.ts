import type { FulfilmentGroup } from '../../domain/orders/fulfilment-group.ts';
import type { GroupStatus } from '../../domain/orders/fulfilment-status.ts';
import { inOrderOf, readChangePage } from '../lists/change-page.ts';
import type { Queryable } from '../core/client.ts';
import { groupColumns, groupTables, toGroup, type GroupRow } from './group-row.ts';
import { countListed } from '../lists/list-counts.ts';
import { offsetOf, type ChangesPage, type Page, type PageRequest } from '../lists/page.ts';

/** `changedSince` is RFC 3339 text, so that microseconds are kept; strictly after. */
export type GroupFilter = {
  readonly status: GroupStatus | null;
  readonly changedSince: string | null;
  /** The token that it is asked with; only of weight with `changedSince`. */
  readonly tokenId?: string;
};

type ListedRow = (GroupRow & { readonly at: Date }) | { readonly id: null };

/** A vendor's own groups: in the order in which their orders came, or with `changedSince` in that in which these changed (D37). */
export async function listGroups(
  sql: Queryable,
  vendorId: string,
  { status, changedSince, tokenId = '' }: GroupFilter,
  request: PageRequest,
): Promise<ChangesPage<FulfilmentGroup>> {
  if (changedSince === null) {
    return { ...(await listByCreation(sql, vendorId, status, request)), nextChangedSince: null };
  }
  const { ids, ...page } = await readChangePage(
    sql,
    {
      list: 'groups',
      vendorId,
      status,
      changedSince,
      tokenId,
      own: sql`fulfilment_groups where vendor_id = ${vendorId}`,
      changedAt: sql`order_changed_at`,
    },
    request,
  );
  return { ...page, items: await findGroups(sql, ids, status) };
}

/** In the order of the ids; one that has another status by now is left out, since its change is yet to come. */
async function findGroups(
  sql: Queryable,
  ids: readonly string[],
  status: GroupStatus | null,
): Promise<readonly FulfilmentGroup[]> {
  if (ids.length === 0) return [];
  const rows = await sql<GroupRow[]>`
    select ${groupColumns(sql)} from ${groupTables(sql)}
    where groups.id = any(${[...ids]}::uuid[]) ${status === null ? sql`` : sql`and groups.status = ${status}`}`;
  return inOrderOf(ids, rows.map(toGroup));
}

/** Page and total by one statement, so that they agree. */
async function listByCreation(
  sql: Queryable,
  vendorId: string,
  status: GroupStatus | null,
  request: PageRequest,
): Promise<Page<FulfilmentGroup>> {
  const rows = await sql<(ListedRow & { readonly total: number })[]>`
    with page as materialized (
      -- Ids first: what comes before a deep page is passed over in the index.
      select id, order_created_at as at from fulfilment_groups
      where vendor_id = ${vendorId} ${status === null ? sql`` : sql`and status = ${status}`}
      order by order_created_at, id limit ${request.pageSize} offset ${offsetOf(request)}
    )
    select counted.total, listed.*
    from (select (${countListed(sql, { list: 'groups', vendorId, status })}) as total) as counted
    left join (
      select ${groupColumns(sql)}, page.at from ${groupTables(sql)} join page on page.id = groups.id
    ) as listed on true
    order by listed.at, listed.id`;
  const found = rows.flatMap(({ total: _total, ...row }) => (row.id === null ? [] : [row]));
  return {
    items: found.map(({ at: _at, ...row }) => toGroup(row)),
    totalCount: rows[0]?.total ?? 0,
  };
}
