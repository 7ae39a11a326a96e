import type { FulfilmentGroup } from '../domain/fulfilment-group.ts';
import type { GroupStatus } from '../domain/fulfilment-status.ts';
import type { Queryable } from './client.ts';
import { groupColumns, groupTables, toGroup, type GroupRow } from './group-row.ts';
import { instantText } from './instant-text.ts';
import { countChanged, countListed } from './list-counts.ts';
import { offsetOf, type Page, type PageRequest } from './page.ts';

/** `changedSince` is RFC 3339 text, so that microseconds are kept; strictly after. */
export type GroupFilter = { readonly status: GroupStatus | null; readonly changedSince: string | null };

/** A page of changes, and where the next one begins: the latest change time on it, or the one asked for when it is empty (D67). */
export type ChangesPage<T> = Page<T> & { readonly nextChangedSince: string | null };

type ListedRow = (GroupRow & { readonly at: Date; readonly changedAt: string }) | { readonly id: null };

/**
 * A vendor's own groups: in the order in which their orders came, or with `changedSince` in that in which these changed (D37).
 * One statement, so that page and total agree. With `changedSince` a short wait comes first: for changes that have their
 * time already and are about to be committed (D38).
 */
export async function listGroups(
  sql: Queryable,
  vendorId: string,
  { status, changedSince }: GroupFilter,
  request: PageRequest,
): Promise<ChangesPage<FulfilmentGroup>> {
  if (changedSince !== null) await sql`select await_changes(${vendorId})`;
  const own = sql`
    fulfilment_groups where vendor_id = ${vendorId} ${status === null ? sql`` : sql`and status = ${status}`}`;
  const counted = { list: 'groups', vendorId, status } as const;
  const [at, isAsked, total] =
    changedSince === null
      ? [sql`order_created_at`, sql``, countListed(sql, counted)]
      : [
          sql`order_changed_at`,
          sql`and order_changed_at > ${changedSince}::text::timestamptz`,
          countChanged(sql, { ...counted, changedSince }, { rows: own, changedAt: sql`order_changed_at` }),
        ];
  const rows = await sql<(ListedRow & { readonly total: number })[]>`
    with page as materialized (
      -- Ids first: what comes before a deep page is passed over in the index.
      select id, ${at} as at from ${own} ${isAsked}
      order by ${at}, id limit ${request.pageSize} offset ${offsetOf(request)}
    )
    select counted.total, listed.* from (select (${total}) as total) as counted
    left join (
      select ${groupColumns(sql)}, ${instantText(sql, sql`page.at`)} as changed_at, page.at
      from ${groupTables(sql)} join page on page.id = groups.id
    ) as listed on true
    order by listed.at, listed.id`;
  const found = rows.flatMap(({ total: _total, ...row }) => (row.id === null ? [] : [row]));
  return {
    items: found.map(({ changedAt: _changedAt, at: _at, ...row }) => toGroup(row)),
    totalCount: rows[0]?.total ?? 0,
    nextChangedSince: changedSince === null ? null : (found.at(-1)?.changedAt ?? changedSince),
  };
}
