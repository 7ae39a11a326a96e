import type { Fragment } from 'postgres';
import type { Queryable } from '../core/client.ts';
import { instantText } from '../core/instant-text.ts';
import { countChanged } from './list-counts.ts';
import { limitOf, type PageRequest } from './page.ts';

/** A request for a vendor's items in the order of their changes. */
export type ChangePageRequest = {
  readonly list: 'groups' | 'returns' | 'offers';
  readonly vendorId: string;
  readonly status: string | null;
  /** RFC 3339 text, which keeps microseconds; exclusive. */
  readonly changedSince: string;
  /** The token of the request, which tells its pages from those of another client. */
  readonly tokenId: string;
  /**
   * The table with the condition that an item is the vendor's, and the column of its change time.
   */
  readonly own: Fragment;
  readonly changedAt: Fragment;
  /** Further conditions, and a text that identifies them. */
  readonly more?: { readonly condition: Fragment; readonly name: string };
  /**
   * A query of places (`id`, `status`, `at`) that items had at an instant and that `past_changes`
   * does not have.
   */
  readonly otherPast?: (latest: Fragment) => Fragment;
};
/** What identifies a request, beside its page. */
type ChangeList = Omit<ChangePageRequest, 'own' | 'changedAt' | 'otherPast'>;

/** The ids of a page's items; `nextChangedSince` is the latest change time on it (D67). */
export type ChangePage = {
  readonly ids: readonly string[];
  /** The change time of each item at its place on the page, by id. */
  readonly changeTimes: ReadonlyMap<string, string>;
  readonly totalCount: number;
  readonly nextChangedSince: string;
};

type Row = { readonly total: number; readonly id: string | null; readonly at: string | null };
/** What the first page of a request saw. */
export type PageSnapshot = { readonly latestChangeAt: string; readonly totalCount: number };

/**
 * One page of changes (D38). The first page waits for changes that have their time but no commit
 * yet. Later pages show the list as the first one saw it: an item that changes moves to the end,
 * which would move its successors to an earlier page. Without a first page in the last hour it
 * shows the present list.
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
 * The page of a snapshot, or (null) of the present list; the caller has waited for the changes that
 * have their time but no commit yet.
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
  const places = rows.flatMap(({ id, at }) => (id === null || at === null ? [] : [{ id, at }]));
  return {
    ids: places.map(({ id }) => id),
    changeTimes: new Map(places.map(({ id, at }) => [id, at])),
    totalCount: rows[0]?.total ?? 0,
    nextChangedSince: places.at(-1)?.at ?? asked.changedSince,
  };
}

const filterName = ({ status, more }: ChangeList): string => `${status ?? ''}${more?.name ?? ''}`;
const since = (sql: Queryable, { changedSince }: ChangeList) =>
  sql`${changedSince}::text::timestamptz`;
const statusIs = (sql: Queryable, { status }: ChangePageRequest) =>
  status === null ? sql`` : sql`and status = ${status}`;
const isSameList = (sql: Queryable, asked: ChangeList, { pageSize }: PageRequest) => sql`
  list = ${asked.list} and vendor_id = ${asked.vendorId} and changed_since = ${since(sql, asked)}
  and filter = ${filterName(asked)} and page_size = ${pageSize}`;

/**
 * The snapshot of the client's first page. With another token than on the first page it is the
 * oldest of the same request: in an older list every item has the same place or a later one, so the
 * client misses none. A first page has none.
 */
export async function findPageSnapshot(
  sql: Queryable,
  asked: ChangeList,
  request: PageRequest,
): Promise<PageSnapshot | null> {
  if (request.page === 1) return null;
  const [snapshot] = await sql<PageSnapshot[]>`
    select ${instantText(sql, sql`latest_change_at`)} as latest_change_at, total_count
    from page_snapshots where ${isSameList(sql, asked, request)}
    order by (token_id = ${asked.tokenId}) desc, page_snapshots.latest_change_at limit 1`;
  return snapshot ?? null;
}

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
  return sql<Row[]>`
    with page as materialized (
      select id, ${changedAt} as at from ${rows} and ${changedAt} > ${since(sql, asked)}
      order by ${changedAt}, id ${limitOf(sql, request)}
    ), counted as materialized (select (${total}) as total)
    ${request.page > 1 ? sql`` : storeSnapshot(sql, asked, request)}
    select total, page.id, ${instantText(sql, sql`page.at`)} as at
    from counted left join page on true order by page.at, page.id`;
}

/** Stores what the first page saw, or, if it is the only page, deletes an earlier snapshot. */
function storeSnapshot(sql: Queryable, asked: ChangePageRequest, request: PageRequest): Fragment {
  const { list, vendorId, tokenId, own, changedAt } = asked;
  const { pageSize } = request;
  return sql`, stored as (
      insert into page_snapshots (list, vendor_id, changed_since, filter, page_size, token_id,
        latest_change_at, total_count)
      select ${list}, ${vendorId}, ${since(sql, asked)}, ${filterName(asked)}, ${pageSize}, ${tokenId},
        (select max(${changedAt}) from ${own}), total
      from counted where total > ${pageSize}
      on conflict (list, vendor_id, changed_since, filter, page_size, token_id) do update
      set latest_change_at = excluded.latest_change_at, total_count = excluded.total_count,
        created_at = excluded.created_at
    ), ended as (
      delete from page_snapshots
      where ${isSameList(sql, asked, request)} and token_id = ${tokenId}
        and (select total from counted) <= ${pageSize}
    )`;
}

/**
 * The list of the snapshot: the items that have not changed since, and past changes of the others.
 */
function readPast(
  sql: Queryable,
  asked: ChangePageRequest,
  request: PageRequest,
  snapshot: PageSnapshot,
): Promise<Row[]> {
  const { list, vendorId, own, changedAt, more } = asked;
  const latest = sql`${snapshot.latestChangeAt}::text::timestamptz`;
  // Limits each part to the end of this page, because otherwise all rows would be sorted.
  const upToPage = sql`order by at, id limit ${request.page * request.pageSize}`;
  return sql<Row[]>`
    with page as materialized (
      select id, at from (
        (
          select id, ${changedAt} as at from ${own} ${statusIs(sql, asked)} ${more?.condition ?? sql``}
            and ${changedAt} > ${since(sql, asked)} and ${changedAt} <= ${latest}
          ${upToPage}
        )
        union all
        (
          select id, changed_at as at from past_changes
          where list = ${list} and vendor_id = ${vendorId} ${statusIs(sql, asked)}
            and changed_at > ${since(sql, asked)} and changed_at <= ${latest}
            and superseded_at > ${latest}
            ${
              // An offer's other facts may have changed since: without the condition it keeps its
              // place, and the caller leaves it out.
              more === undefined || list === 'offers'
                ? sql``
                : sql`and id in (select id from ${own} ${more.condition})`
            }
          ${upToPage}
        )
        ${
          asked.otherPast === undefined
            ? sql``
            : sql`union all (
                select id, at from (${asked.otherPast(latest)}) as other
                where at > ${since(sql, asked)} ${statusIs(sql, asked)} ${upToPage}
              )`
        }
      ) as past
      order by at, id ${limitOf(sql, request)}
    )
    select ${snapshot.totalCount}::int as total, page.id, ${instantText(sql, sql`page.at`)} as at
    from (values (true)) as always left join page on true order by page.at, page.id`;
}

/** Deletes snapshots and past changes of more than an hour ago. */
export async function prunePageSnapshots(sql: Queryable): Promise<void> {
  await sql`delete from page_snapshots where created_at < clock_timestamp() - interval '1 hour'`;
  // A change time may be ahead of the clock, never behind it.
  await sql`delete from past_changes where superseded_at < clock_timestamp() - interval '1 hour'`;
}
