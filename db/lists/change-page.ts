import type { Fragment } from 'postgres';
import type { Queryable } from '../core/client.ts';
import { instantText } from '../core/instant-text.ts';
import { countChanged } from './list-counts.ts';
import { offsetOf, type PageRequest } from './page.ts';

/** A list of a vendor's things in the order in which they changed, as it is asked for. */
export type ChangePageRequest = {
  readonly list: 'groups' | 'returns';
  readonly vendorId: string;
  readonly status: string | null;
  /** RFC 3339 text, so that microseconds are kept; strictly after. */
  readonly changedSince: string;
  /** The token that it is asked with: whose pages they are. */
  readonly tokenId: string;
  /** The table with the condition that a thing is the vendor's, and its change time's column. */
  readonly own: Fragment;
  readonly changedAt: Fragment;
  /** What else is asked for: more conditions, and the text that tells them from others. */
  readonly more?: { readonly condition: Fragment; readonly name: string };
};

/** Which things are on a page, and where the next page of changes begins: the latest change time on it (D67). */
export type ChangePage = {
  readonly ids: readonly string[];
  readonly totalCount: number;
  readonly nextChangedSince: string;
};

type Row = { readonly total: number; readonly id: string | null; readonly at: string | null };
type Walk = { readonly latestChangeAt: string; readonly totalCount: number };

/**
 * One page of changes (D38). The first waits for changes that have their time and are about to be committed. Later pages show
 * the list as it stood at the first: what changes again meanwhile leaves its place for the end of the list, and whatever
 * came after it would slide to a page that was turned already. Without a first page within the hour it is the list of now.
 */
export async function readChangePage(
  sql: Queryable,
  asked: ChangePageRequest,
  request: PageRequest,
): Promise<ChangePage> {
  const walk = request.page === 1 ? null : await findWalk(sql, asked, request);
  if (walk === null) await sql`select wait_for_pending_changes(${asked.vendorId})`;
  const rows =
    walk === null ? await readNow(sql, asked, request) : await readThen(sql, asked, request, walk);
  const places = rows.filter(({ id }) => id !== null);
  return {
    ids: places.flatMap(({ id }) => id ?? []),
    totalCount: rows[0]?.total ?? 0,
    nextChangedSince: places.at(-1)?.at ?? asked.changedSince,
  };
}

/** What was read of a page's things, in the page's order; what was not read is left out. */
export function inOrderOf<T extends { readonly id: string }>(
  ids: readonly string[],
  items: readonly T[],
): readonly T[] {
  const byId = new Map(items.map((item) => [item.id, item]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

const filterName = ({ status, more }: ChangePageRequest): string =>
  `${status ?? ''}${more?.name ?? ''}`;
const since = (sql: Queryable, { changedSince }: ChangePageRequest) =>
  sql`${changedSince}::text::timestamptz`;
const statusIs = (sql: Queryable, { status }: ChangePageRequest) =>
  status === null ? sql`` : sql`and status = ${status}`;

/**
 * The walk that the client began. With another token than it began with, the oldest of those that ask alike: an older list has
 * everything at the same place or later, so nothing is passed over.
 */
async function findWalk(
  sql: Queryable,
  asked: ChangePageRequest,
  { pageSize }: PageRequest,
): Promise<Walk | null> {
  const [walk] = await sql<Walk[]>`
    select ${instantText(sql, sql`latest_change_at`)} as latest_change_at, total_count from page_snapshots
    where list = ${asked.list} and vendor_id = ${asked.vendorId} and changed_since = ${since(sql, asked)}
      and filter = ${filterName(asked)} and page_size = ${pageSize}
    order by (token_id = ${asked.tokenId}) desc, page_snapshots.latest_change_at limit 1`;
  return walk ?? null;
}

/** The list as it stands; the first of several pages notes what it saw. */
function readNow(sql: Queryable, asked: ChangePageRequest, request: PageRequest): Promise<Row[]> {
  const { list, vendorId, tokenId, own, changedAt, more } = asked;
  const rows = sql`${own} ${statusIs(sql, asked)} ${more?.condition ?? sql``}`;
  const total =
    more === undefined
      ? countChanged(sql, { ...asked, isForSupplier: true }, { rows, changedAt })
      : sql`select count(*)::int from ${rows} and ${changedAt} > ${since(sql, asked)}`;
  const noted =
    request.page > 1
      ? sql``
      : sql`, noted as (
          insert into page_snapshots (list, vendor_id, changed_since, filter, page_size, token_id, latest_change_at, total_count)
          select ${list}, ${vendorId}, ${since(sql, asked)}, ${filterName(asked)}, ${request.pageSize}, ${tokenId},
            (select max(${changedAt}) from ${own}), total
          from counted where total > ${request.pageSize}
          on conflict (list, vendor_id, changed_since, filter, page_size, token_id) do update
          set latest_change_at = excluded.latest_change_at, total_count = excluded.total_count, created_at = excluded.created_at
        ), ended as (
          -- There is no page to turn to any more.
          delete from page_snapshots
          where list = ${list} and vendor_id = ${vendorId} and changed_since = ${since(sql, asked)}
            and filter = ${filterName(asked)} and page_size = ${request.pageSize} and token_id = ${tokenId}
            and (select total from counted) <= ${request.pageSize}
        )`;
  return sql<Row[]>`
    with page as materialized (
      select id, ${changedAt} as at from ${rows} and ${changedAt} > ${since(sql, asked)}
      order by ${changedAt}, id limit ${request.pageSize} offset ${offsetOf(request)}
    ), counted as materialized (select (${total}) as total) ${noted}
    select total, page.id, ${instantText(sql, sql`page.at`)} as at
    from counted left join page on true order by page.at, page.id`;
}

/** The list as it stood: what has not changed since, and the places that were left since. */
function readThen(
  sql: Queryable,
  asked: ChangePageRequest,
  request: PageRequest,
  walk: Walk,
): Promise<Row[]> {
  const { list, vendorId, own, changedAt, more } = asked;
  const latestChangeAt = sql`${walk.latestChangeAt}::text::timestamptz`;
  // Each part no further than this page goes, in its own order: else all that there is would be sorted.
  const soFar = sql`order by at, id limit ${request.page * request.pageSize}`;
  return sql<Row[]>`
    with page as materialized (
      select id, at from (
        (
          select id, ${changedAt} as at from ${own} ${statusIs(sql, asked)} ${more?.condition ?? sql``}
            and ${changedAt} > ${since(sql, asked)} and ${changedAt} <= ${latestChangeAt}
          ${soFar}
        )
        union all
        (
          select id, changed_at as at from past_changes
          where list = ${list} and vendor_id = ${vendorId} ${statusIs(sql, asked)}
            and changed_at > ${since(sql, asked)} and changed_at <= ${latestChangeAt} and superseded_at > ${latestChangeAt}
            ${more === undefined ? sql`` : sql`and id in (select id from ${own} ${more.condition})`}
          ${soFar}
        )
      ) as stood
      order by at, id limit ${request.pageSize} offset ${offsetOf(request)}
    )
    select ${walk.totalCount}::int as total, page.id, ${instantText(sql, sql`page.at`)} as at
    from (values (true)) as always left join page on true order by page.at, page.id`;
}

/** Walks and places that nobody turns back to. */
export async function prunePageSnapshots(sql: Queryable): Promise<void> {
  await sql`delete from page_snapshots where created_at < clock_timestamp() - interval '1 hour'`;
  // A change time may run ahead of the clock, never behind it.
  await sql`delete from past_changes where superseded_at < clock_timestamp() - interval '1 hour'`;
}
