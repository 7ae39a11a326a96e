import type { Fragment } from 'postgres';
import type { Queryable } from '../core/client.ts';
import type { Columns } from '../core/columns.ts';
import { valuesOf, readerOf } from '../core/rows.ts';
import { parts, statementOf } from '../core/statements/statement-parts.ts';
import { countRows, pageSizeMax, type Page, type PageRequest } from './page.ts';
import { descending, sortBy, type SortOrder } from './sort-order.ts';

type Item = { readonly id: string };

/** How to read an item with all that belongs to it; `alias` names its own table in `tables`. */
export type ItemSource = Readonly<Record<'columns' | 'tables' | 'alias', Fragment>>;

/** `rows` is a table with its condition. */
export type ListSection = {
  readonly rows: Fragment;
  readonly order: SortOrder;
  /** A subquery. Default: counts the rows, to the `totalMax` of the request. */
  readonly total?: Fragment;
};

/** `id` is the key of the rows (default: `id`). */
export type ListQuery = ListSection & {
  readonly id?: Fragment;
  /**
   * The same list as sections, one after another, where no index has the order of all rows. A page
   * reads only the sections that it has rows of.
   */
  readonly sections?: readonly ListSection[];
  /**
   * `rows` with all tables of an item. A page near the start then reads its items from them, in the
   * order of an index, and not by their ids.
   */
  readonly itemRows?: Fragment;
  /** A subquery: whether the list needs another query. Default: false. */
  readonly isOutdated?: Fragment;
};

/** A page; `isOutdated` is the flag as the query found it on the snapshot of the page. */
export type IdPage<T> = Page<T> & { readonly isOutdated: boolean };

/** The rows that a page skips from the start of the list without reading the total. */
const shallowMax = 1000;

/** The positions of a section's rows among the page's: more than a page has, on both sides. */
const positionsOfSection = 10 * pageSizeMax;

/** The columns of a page's statement that are no columns of its items. */
const columnsOfPage = ['total', 'isOutdatedList', 'position'];

/**
 * Reads a page and its total by one statement, so that they agree. It finds the ids in an index and
 * reads only the page's items. A deep page is counted from the nearer end of the list or of its
 * section, so it skips at most half of it, and nothing if it is beyond the end. It is counted from
 * the start if the end was not counted to. `define` gets the function that makes fragments.
 */
export async function readIdPage<TRow extends Item>(
  sql: Queryable,
  request: PageRequest,
  define: (sql: Queryable) => readonly [ItemSource, ListQuery],
): Promise<IdPage<TRow>> {
  const result = await valuesOf(statementOf(sql, pageStatement(parts, request, define(parts))));
  const [[totalCount, isOutdated] = [0, false]] = result;
  return {
    items: result
      .filter(([, , position]) => position !== null)
      .slice(0, request.pageSize)
      .map(readerOf(result, columnsOfPage)) as TRow[],
    totalCount: totalOf(totalCount as number, request),
    isOutdated: isOutdated as boolean,
  };
}

/** The total. A request with `totalMax` learns only that the total is higher. */
const totalOf = (total: number, { totalMax }: PageRequest): number =>
  totalMax === undefined ? total : Math.min(total, totalMax + 1);

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
    const order = descending('created_at', 'id');
    return [
      { columns: parts`${list(parts)} ${more}`, tables: alias, alias },
      { rows, order, ...query },
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
  const isOutdated = sql`(${query.isOutdated ?? sql`select false`}) as is_outdated_list`;
  const { itemRows, order } = query;
  const counted = sql`select (${totalQuery(sql, query, request)})::int as total, ${isOutdated}`;
  if (isShallow && itemRows !== undefined) {
    const first = sql`
      select 1 as position, ${columns} from ${itemRows} order by ${sortBy(sql, order)}`;
    // The join with one row keeps the order.
    return sql`
      select counted.*, listed.* from (${counted}) as counted
      left join (${shallowLimit(sql, request, first)}) as listed on true`;
  }
  return sql`
    with ${
      isShallow && query.sections === undefined
        ? sql`
          counted as materialized (${counted}),
          page as materialized (${shallowPage(sql, request, query)})`
        : sectionsPage(sql, request, query, isOutdated)
    }
    select counted.*, listed.* from counted
    left join (
      select page.position, ${columns} from ${tables} join page on page.id = ${alias}.id
    ) as listed on true
    order by listed.position`;
}

const totalQuery = (sql: Queryable, { total, rows }: ListSection, request: PageRequest): Fragment =>
  total ?? countRows(sql, rows, request);

const shallowPage = (
  sql: Queryable,
  { page, pageSize }: PageRequest,
  { rows, order, id = sql`id` }: ListQuery,
): Fragment => sql`
  select id, row_number() over () as position from (
    select ${id} as id from ${rows} order by ${sortBy(sql, order)} ${knownLimit(sql, shallowMax)}
  ) as ordered
  ${limitOfPage(sql, pageSize)} ${page === 1 ? sql`` : sql`offset ${(page - 1) * pageSize}`}`;

const shallowLimit = (
  sql: Queryable,
  { page, pageSize }: PageRequest,
  ordered: Fragment,
): Fragment =>
  page === 1
    ? sql`${ordered} ${limitOfPage(sql, pageSize)}`
    : sql`
      select * from (${ordered} ${knownLimit(sql, shallowMax)}) as first
      ${limitOfPage(sql, pageSize)} offset ${(page - 1) * pageSize}`;

/**
 * A limit that the planner knows. For a parameter, the planner expects a tenth of the rows and
 * plans the statement again at each call, which takes longer than a page.
 */
const knownLimit = (sql: Queryable, max: number): Fragment => sql.unsafe(`limit ${max}`);

/**
 * The page sizes that a statement may have; another page reads as many rows as the next larger
 * size. Each size makes a statement, which every connection keeps with its plan.
 */
const knownSizes = [1, 5, 10, 20, 25, 50];
const limitOfPage = (sql: Queryable, pageSize: number): Fragment =>
  knownLimit(sql, knownSizes.find((size) => size >= pageSize) ?? pageSizeMax);

/**
 * The CTEs `counted` and `page` of a list by its sections. The totals say how many rows a page
 * takes from each section, and which end of the section is nearer. A scan with a limit of 0 reads
 * nothing.
 */
function sectionsPage(
  sql: Queryable,
  request: PageRequest,
  query: ListQuery,
  isOutdated: Fragment,
): Fragment {
  const { page, pageSize } = request;
  const { id = sql`id`, sections = [query] } = query;
  const before = (page - 1) * pageSize;
  const isShallow = page * pageSize <= shallowMax;
  const scans = sections.flatMap(({ rows, order }, index) => {
    const scan = (end: 'start' | 'end'): Fragment => {
      const isReversed = end === 'end';
      const ordered = sql`
        select ${id} as id from ${rows} order by ${sortBy(sql, order, { isReversed })}`;
      const limited = sql`select id from (${ordered} ${knownLimit(sql, shallowMax)}) as first`;
      const of = (column: string) =>
        sql`(select ${sql.unsafe(`${column}_${end} from spans where section = ${index}`)})`;
      return sql`
        select id, ${sql.unsafe(`${index * positionsOfSection} ${isReversed ? '-' : '+'}`)}
          row_number() over () as position
        from (
          ${isShallow ? limited : ordered}
          limit ${of('taken_from')} offset ${of('skipped_from')}
        ) as taken`;
    };
    return isShallow ? [scan('start')] : [scan('start'), scan('end')];
  });
  const totals = sections.map(
    (section, index) =>
      sql`(${sql.unsafe(`${index}`)}, (${totalQuery(sql, section, request)})::bigint)`,
  );
  return sql`
    sections as materialized (
      select section, total, (sum(total) over (order by section))::bigint - total as start
      from (values ${joined(sql, totals, sql`,`)}) as input (section, total)
    ), counted as materialized (
      select sum(total)::int as total, ${isOutdated} from sections
    ), spans as materialized (
      select section,
        case when is_near_start then taken else 0 end as taken_from_start,
        skipped as skipped_from_start,
        case when is_near_start then 0 else taken end as taken_from_end,
        total - skipped - taken as skipped_from_end
      from sections cross join lateral (
        select least(greatest(${before}::bigint - start, 0), total) as skipped
      ) as behind cross join lateral (
        select greatest(least(${before}::bigint + ${pageSize} - start, total) - skipped, 0) as taken
      ) as within cross join lateral (
        select ${isShallow ? sql`true` : sql`2 * skipped + taken <= total`} as is_near_start
      ) as nearer
    ), page as materialized (
      select id, position from (${joined(sql, scans, sql`union all`)}) as scanned
      ${limitOfPage(sql, pageSize)}
    )`;
}

const joined = (sql: Queryable, fragments: readonly Fragment[], by: Fragment): Fragment =>
  fragments.reduce((all, fragment) => sql`${all} ${by} ${fragment}`);

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
