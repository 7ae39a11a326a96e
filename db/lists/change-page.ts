import type { Fragment } from 'postgres';
import type { Queryable } from '../core/client.ts';
import { instantText } from '../core/statements/instant-text.ts';
import { countChanged } from './list-counts.ts';
import { limitOf, type PageRequest } from './page.ts';
import {
  findPageSnapshot,
  since,
  storeSnapshot,
  type ChangeList,
  type PageSnapshot,
} from './page-snapshots.ts';

/** A request for a vendor's items in the order of their changes. */
export type ChangePageRequest = ChangeList & {
  /**
   * The table with the condition that an item is the vendor's, and the column of its change time.
   */
  readonly own: Fragment;
  readonly changedAt: Fragment;
  /**
   * A query of positions (the columns that `past_changes` has, with `at`) that items had at an
   * instant and that `past_changes` does not have.
   */
  readonly otherPast?: (latest: Fragment) => Fragment;
  /** A subquery: the number of items that match the filters, whenever they changed. */
  readonly keptTotal?: Fragment;
};

/** The most items before `changedSince` that are counted in order to subtract them. */
const behindMax = 5000;

/** The ids of a page's items; `nextChangedSince` is the latest change time on it. */
export type ChangePage = {
  readonly ids: readonly string[];
  /** The change time of each item at its position on the page, by id. */
  readonly changeTimes: ReadonlyMap<string, string>;
  readonly totalCount: number;
  readonly nextChangedSince: string;
};

type Row = { readonly total: number; readonly id: string | null; readonly at: string | null };

/**
 * One page of changes. The first page waits for changes that have their time but are not committed
 * yet. Later pages show the list as of the first page, because an item that changes moves to the
 * end, and its successors would move to an earlier page. Without a first page in the last hour, a
 * later page shows the present list.
 */
export async function readChangePage(
  sql: Queryable,
  asked: ChangePageRequest,
  request: PageRequest,
): Promise<ChangePage> {
  const snapshot = await findPageSnapshot(sql, asked, request);
  if (snapshot === null) await sql`select wait_for_pending_changes(${asked.vendorId})`;
  return readPageOf(sql, asked, request, snapshot);
}

/**
 * The page of a snapshot, or (null) of the present list. The caller has waited for the changes that
 * have their time but are not committed yet.
 */
export async function readPageOf(
  sql: Queryable,
  asked: ChangePageRequest,
  request: PageRequest,
  snapshot: PageSnapshot | null,
): Promise<ChangePage> {
  const rows =
    snapshot === null
      ? await readPresent(sql, asked, request)
      : await readPast(sql, asked, request, snapshot);
  const positions = rows.flatMap(({ id, at }) => (id === null || at === null ? [] : [{ id, at }]));
  return {
    ids: positions.map(({ id }) => id),
    changeTimes: new Map(positions.map(({ id, at }) => [id, at])),
    totalCount: rows[0]?.total ?? 0,
    nextChangedSince: positions.at(-1)?.at ?? asked.changedSince,
  };
}

const statusIs = (sql: Queryable, { status }: ChangeList) =>
  status === null ? sql`` : sql`and status = ${status}`;

/** The present list; the first of several pages stores its snapshot. */
function readPresent(
  sql: Queryable,
  asked: ChangePageRequest,
  request: PageRequest,
): Promise<Row[]> {
  const { own, changedAt, more } = asked;
  const rows = sql`${own} ${statusIs(sql, asked)} ${more?.condition ?? sql``}`;
  const { list } = asked;
  const total =
    more === undefined && list !== 'offers'
      ? countChanged(sql, { ...asked, list, isForSupplier: true }, { rows, changedAt })
      : sql`select count(*)::int from ${rows} and ${changedAt} > ${since(sql, asked)}`;
  const latest = sql`select max(${changedAt}) from ${own}`;
  return sql<Row[]>`
    with page as materialized (
      select id, ${changedAt} as at from ${rows} and ${changedAt} > ${since(sql, asked)}
      order by ${changedAt}, id ${limitOf(sql, request)}
    ), counted as materialized (select (${total}) as total)
    ${request.page > 1 ? sql`` : storeSnapshot(sql, asked, request, latest)}
    select total, page.id, ${instantText(sql, sql`page.at`)} as at
    from counted left join page on true order by page.at, page.id`;
}

/**
 * The list of the snapshot: the items that have not changed since, and past changes of the others.
 * Counts them if no page has counted them yet.
 */
function readPast(
  sql: Queryable,
  asked: ChangePageRequest,
  request: PageRequest,
  { latestChangeAt, totalCount }: PageSnapshot,
): Promise<Row[]> {
  const latest = sql`${latestChangeAt}::text::timestamptz`;
  const sources = pastSources(sql, asked, latest);
  const joined = (of: (source: Fragment) => Fragment, by: Fragment): Fragment =>
    sources.map(of).reduce((all, source) => sql`${all} ${by} ${source}`);
  // Limits each part to the end of this page, because otherwise all rows would be sorted.
  const upToPage = sql`order by at, id limit ${request.page * request.pageSize}`;
  const counted = joined((source) => sql`(select count(*) from (${source}) as position)`, sql`+`);
  const total = totalCount === null ? nearerCount(sql, asked, latest, counted) : sql`${totalCount}`;
  return sql<Row[]>`
    with page as materialized (
      select id, at
      from (${joined((source) => sql`(${source} ${upToPage})`, sql`union all`)}) as past
      order by at, id ${limitOf(sql, request)}
    )
    select counted.total, page.id, ${instantText(sql, sql`page.at`)} as at
    from (select (${total})::int as total) as counted left join page on true
    order by page.at, page.id`;
}

/**
 * The number of positions as of the snapshot. A first sync has all items, so it counts those that
 * it does not have: few changed before `changedSince`, and few after the snapshot.
 */
function nearerCount(
  sql: Queryable,
  asked: ChangePageRequest,
  latest: Fragment,
  counted: Fragment,
): Fragment {
  const { own, changedAt, keptTotal } = asked;
  if (keptTotal === undefined) return counted;
  const behind = sql`${own} and ${changedAt} <= ${since(sql, asked)}`;
  const matches = statusIs(sql, asked);
  return sql`
    case when (
      select count(*) from (
        select from ${behind} order by ${changedAt} limit ${behindMax + 1}
      ) as first
    ) <= ${behindMax}
    then (${keptTotal}) - (select count(*) from ${behind} ${matches})
      - (select count(*) from ${own} ${matches} and ${changedAt} > ${latest})
      + (select count(*) from (${supersededPositions(sql, asked, latest)}) as position)
    else ${counted} end`;
}

/** Queries of the positions that items had at an instant; together they have each item once. */
function pastSources(
  sql: Queryable,
  asked: ChangePageRequest,
  latest: Fragment,
): readonly Fragment[] {
  const { own, changedAt, more, otherPast } = asked;
  return [
    sql`
      select id, ${changedAt} as at from ${own} ${statusIs(sql, asked)} ${more?.condition ?? sql``}
        and ${changedAt} > ${since(sql, asked)} and ${changedAt} <= ${latest}`,
    supersededPositions(sql, asked, latest),
    ...(otherPast === undefined
      ? []
      : [
          sql`
            select id, at from (${otherPast(latest)}) as other
            where at > ${since(sql, asked)} ${pastMatches(sql, asked)}`,
        ]),
  ];
}

const pastMatches = (sql: Queryable, asked: ChangeList): Fragment =>
  sql`${statusIs(sql, asked)} ${asked.more?.pastCondition ?? sql``}`;

/** The positions that items had at an instant and have left since. */
const supersededPositions = (sql: Queryable, asked: ChangeList, latest: Fragment): Fragment => sql`
  select id, changed_at as at from past_changes
  where list = ${asked.list} and vendor_id = ${asked.vendorId} ${pastMatches(sql, asked)}
    and changed_at > ${since(sql, asked)} and changed_at <= ${latest}
    and superseded_at > ${latest}`;
