import type { Fragment } from 'postgres';
import type { Queryable } from '../core/client.ts';
import { limitOf, pageSizeMax, type Page, type PageRequest } from './page.ts';
import { sortBy, type SortOrder } from './sort-order.ts';

type Item = { readonly id: string };

/** How to read an item with all that belongs to it; `alias` names its own table in `tables`. */
export type ItemSource = Readonly<Record<'columns' | 'tables' | 'alias', Fragment>>;

/** `rows` is a table with its condition, `id` its key (default: `id`), `total` a subquery. */
export type ListQuery = Readonly<Record<'rows' | 'total', Fragment>> & {
  readonly order: SortOrder;
  readonly id?: Fragment;
};

/** Rows that a page skips from the start of the list, without a look at the total. */
const shallowMax = 1000;

/**
 * Reads a page and its total by one statement, so that they agree. It finds the ids in an index and
 * reads only the page's items. A deep page is counted from the nearer end of the list, so it skips
 * at most half of the list, and nothing when it is beyond the end.
 */
export async function readIdPage<TRow extends Item>(
  sql: Queryable,
  request: PageRequest,
  { columns, tables, alias }: ItemSource,
  query: ListQuery,
): Promise<Page<TRow>> {
  type Place = { readonly total: number; readonly place: string | null };
  const isShallow = request.page * request.pageSize <= shallowMax;
  const found = await sql<((TRow | { readonly id: null }) & Place)[]>`
    with counted as materialized (
      select (${query.total})::int as total
    ), page as materialized (
      ${isShallow ? shallowPage(sql, request, query) : deepPage(sql, request, query)}
    )
    select counted.total, listed.* from counted
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

const shallowPage = (
  sql: Queryable,
  request: PageRequest,
  { rows, order, id = sql`id` }: ListQuery,
): Fragment => sql`
  select id, row_number() over () as place from (
    select ${id} as id from ${rows} order by ${sortBy(sql, order)} ${limitOf(sql, request)}
  ) as ordered`;

/** Of the two scans only the one from the nearer end reads rows: the other one has a limit of 0. */
function deepPage(
  sql: Queryable,
  { page, pageSize }: PageRequest,
  { rows, order, id = sql`id` }: ListQuery,
): Fragment {
  const before = sql`${(page - 1) * pageSize}::bigint`;
  const size = sql`least(${pageSize}, greatest(total - ${before}, 0))`;
  const isNearStart = sql`2 * ${before} + ${pageSize} <= total`;
  // The planner expects a tenth of the rows from a limit that it does not know.
  return sql`
    select id, place from (
    select id, row_number() over () as place from (
      select ${id} as id from ${rows} order by ${sortBy(sql, order)}
      limit (select case when ${isNearStart} then ${pageSize} else 0 end from counted)
      offset ${before}
    ) as from_start
    union all
    select id, -row_number() over () as place from (
      select ${id} as id from ${rows} order by ${sortBy(sql, order, { isReversed: true })}
      limit (select case when ${isNearStart} then 0 else ${size} end from counted)
      offset (select greatest(total - ${before} - ${size}, 0) from counted)
    ) as from_end
    ) as both_ends limit ${sql.unsafe(String(pageSizeMax))}`;
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
