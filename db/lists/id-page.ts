import type { Fragment } from 'postgres';
import type { Queryable } from '../core/client.ts';
import { limitOf, type Page, type PageRequest } from './page.ts';

type Item = { readonly id: string };

/** How to read an item with all that belongs to it; `alias` names its own table in `tables`. */
export type ItemSource = Readonly<Record<'columns' | 'tables' | 'alias', Fragment>>;

/**
 * Reads a page and its total by one statement, so that they agree. It first finds the ids, so that
 * a deep page skips its predecessors in the index.
 */
export async function readIdPage<TRow extends Item>(
  sql: Queryable,
  request: PageRequest,
  { columns, tables, alias }: ItemSource,
  { rows, order, total }: Readonly<Record<'rows' | 'order' | 'total', Fragment>>,
): Promise<Page<TRow>> {
  type Place = { readonly total: number; readonly place: string | null };
  const found = await sql<((TRow | { readonly id: null }) & Place)[]>`
    with page as materialized (
      select id, row_number() over () as place from (
        select id from ${rows} order by ${order} ${limitOf(sql, request)}
      ) as ordered
    )
    select counted.total, listed.* from (select (${total}) as total) as counted
    left join (
      select ${columns}, page.place from ${tables} join page on page.id = ${alias}.id
    ) as listed on true
    order by listed.place`;
  return {
    items: found.flatMap(({ total: _total, place: _place, ...row }) =>
      row.id === null ? [] : [row as unknown as TRow],
    ),
    totalCount: found[0]?.total ?? 0,
  };
}

/**
 * Reads items in the order of their ids. It leaves out an item that no longer has the requested
 * status: a later page of changes has it.
 */
export async function readItems<TRow extends Item>(
  sql: Queryable,
  ids: readonly string[],
  status: string | null,
  { columns, tables, alias }: ItemSource,
): Promise<readonly TRow[]> {
  if (ids.length === 0) return [];
  const rows = await sql<TRow[]>`
    select ${columns} from ${tables}
    where ${alias}.id = any(${[...ids]}::uuid[])
      ${status === null ? sql`` : sql`and ${alias}.status = ${status}`}`;
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
