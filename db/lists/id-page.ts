import type { Fragment } from 'postgres';
import type { Queryable } from '../core/client.ts';
import type { Columns } from '../core/columns.ts';
import { answerOf, readerOf } from '../core/rows.ts';
import { parts, statementOf } from '../core/statements/statement-parts.ts';
import { type Page, type PageRequest } from './page.ts';
import { sortBy, type SortOrder } from './sort-order.ts';

type Item = { readonly id: string };

/** How to read an item with all that belongs to it; `alias` names its own table in `tables`. */
export type ItemSource = Readonly<Record<'columns' | 'tables' | 'alias', Fragment>>;

/** `rows` is a table with its condition, `id` its key (default: `id`), `total` a subquery. */
export type ListQuery = Readonly<Record<'rows' | 'total', Fragment>> & {
  readonly order: SortOrder;
  readonly id?: Fragment;
  /** A subquery: whether the list needs another query. Default: false. */
  readonly isOutdated?: Fragment;
};

/** A page; `isOutdated` is the flag as the query found it on the snapshot of the page. */
export type IdPage<T> = Page<T> & { readonly isOutdated: boolean };

/** The rows that a page skips from the start of the list without reading the total. */
const shallowMax = 1000;

/**
 * Reads a page and its total by one statement, so that they agree. It finds the ids in an index and
 * reads only the page's items. A deep page is counted from the nearer end of the list, so it skips
 * at most half of the list, and nothing if it is beyond the end. `define` gets the function that
 * makes fragments.
 */
export async function readIdPage<TRow extends Item>(
  sql: Queryable,
  request: PageRequest,
  define: (sql: Queryable) => readonly [ItemSource, ListQuery],
): Promise<IdPage<TRow>> {
  const answer = await answerOf(statementOf(sql, pageStatement(parts, request, define(parts))));
  const [[totalCount, isOutdated] = [0, false]] = answer;
  return {
    items: answer
      .filter(([, , place]) => place !== null)
      .map(readerOf(answer, ['total', 'isOutdatedList', 'place'])) as TRow[],
    totalCount: totalCount as number,
    isOutdated: isOutdated as boolean,
  };
}

/** What a page of one table has besides its columns; of fragments that `parts` makes. */
type NewestQuery = {
  /** Conditions, each with its `and`. Default: all rows. */
  readonly conditions?: Fragment;
  /** Further columns, each with its comma. */
  readonly more?: Fragment;
  /** Default: `created_at` and `id`, both descending. */
  readonly order?: SortOrder;
  /** A subquery. Default: counts the rows. */
  readonly total?: Fragment;
};

/** A page of one table, the newest first. An index must have the order. */
export async function readNewest<TRow extends Item>(
  sql: Queryable,
  request: PageRequest,
  { table, list }: Pick<Columns<TRow>, 'table' | 'list'>,
  queryOf: (parts: Queryable) => NewestQuery = () => ({}),
): Promise<Page<TRow>> {
  const { items, totalCount } = await readIdPage<TRow>(sql, request, (parts) => {
    const { conditions = parts``, more = parts``, ...query } = queryOf(parts);
    const alias = parts.unsafe(table);
    const rows = parts`${alias} where true ${conditions}`;
    const total = parts`select count(*) from ${rows}`;
    const order: SortOrder = [
      [parts`created_at`, 'desc'],
      [parts`id`, 'desc'],
    ];
    return [
      { columns: parts`${list(parts)} ${more}`, tables: alias, alias },
      { rows, order, total, ...query },
    ];
  });
  return { items, totalCount };
}

function pageStatement(
  sql: Queryable,
  request: PageRequest,
  [{ columns, tables, alias }, query]: readonly [ItemSource, ListQuery],
): Fragment {
  const isShallow = request.page * request.pageSize <= shallowMax;
  return sql`
    with counted as materialized (
      select (${query.total})::int as total,
        (${query.isOutdated ?? sql`select false`}) as is_outdated_list
    ), page as materialized (
      ${isShallow ? shallowPage(sql, request, query) : deepPage(sql, request, query)}
    )
    select counted.*, listed.* from counted
    left join (
      select page.place, ${columns} from ${tables} join page on page.id = ${alias}.id
    ) as listed on true
    order by listed.place`;
}

const shallowPage = (
  sql: Queryable,
  { page, pageSize }: PageRequest,
  { rows, order, id = sql`id` }: ListQuery,
): Fragment => sql`
  select id, row_number() over () as place from (
    select ${id} as id from ${rows} order by ${sortBy(sql, order)} ${knownLimit(sql, shallowMax)}
  ) as ordered
  ${knownLimit(sql, pageSize)} ${page === 1 ? sql`` : sql`offset ${(page - 1) * pageSize}`}`;

/**
 * A limit that the planner knows. For a parameter, the planner expects a tenth of the rows and
 * plans the statement again at each call, which takes longer than a page.
 */
const knownLimit = (sql: Queryable, max: number): Fragment => sql.unsafe(`limit ${max}`);

/** Of the two scans only the one from the nearer end reads rows: the other one has a limit of 0. */
function deepPage(
  sql: Queryable,
  { page, pageSize }: PageRequest,
  { rows, order, id = sql`id` }: ListQuery,
): Fragment {
  const before = sql`${(page - 1) * pageSize}::bigint`;
  const size = sql`least(${pageSize}, greatest(total - ${before}, 0))`;
  const isNearStart = sql`2 * ${before} + ${pageSize} <= total`;
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
    ) as both_ends ${knownLimit(sql, pageSize)}`;
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
