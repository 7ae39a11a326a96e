import { randomUUID } from 'node:crypto';
import type { Fragment } from 'postgres';
import type { Queryable } from '../core/client.ts';
import { deleteOld } from '../core/delete-old.ts';
import { firstOf } from '../core/rows.ts';
import { instantText } from '../core/statements/instant-text.ts';
import type { PageRequest } from './page.ts';

/** A vendor's list in the order of changes, whatever the page. */
export type ChangeList = {
  readonly list: 'groups' | 'returns' | 'offers';
  readonly vendorId: string;
  readonly status: string | null;
  /** RFC 3339 text, which keeps microseconds; exclusive. */
  readonly changedSince: string;
  /** The token of the request, which separates its pages from the pages of another client. */
  readonly tokenId: string;
  /**
   * Further conditions on the table, the same on `past_changes`, and a text that identifies them.
   */
  readonly more?: {
    readonly condition: Fragment;
    readonly pastCondition: Fragment;
    readonly name: string;
  };
};

/**
 * The state that the first page of a request saw. `totalCount` is null until a page has counted.
 */
export type PageSnapshot = {
  readonly latestChangeAt: string;
  readonly totalCount: number | null;
};

type SnapshotKey = {
  readonly tokenId: string;
  readonly pageSize: number;
  readonly isOfOneRequest: boolean;
};

/** A stored snapshot with its key, which {@link keepTotal} needs. */
export type BegunSnapshot = PageSnapshot & SnapshotKey & { readonly totalCount: null };

const filterName = ({ status, more }: ChangeList): string => `${status ?? ''}${more?.name ?? ''}`;
export const since = (sql: Queryable, { changedSince }: ChangeList): Fragment =>
  sql`${changedSince}::text::timestamptz`;
const isSameList = (sql: Queryable, asked: ChangeList, pageSize: number): Fragment => sql`
  list = ${asked.list} and vendor_id = ${asked.vendorId} and changed_since = ${since(sql, asked)}
  and filter = ${filterName(asked)} and page_size = ${pageSize}`;

/**
 * The snapshot of the client's first page; null for a first page itself. With another token than on
 * the first page, it is the oldest snapshot of the same request. An older list has every item at
 * the same position or a later one, so the client misses none.
 */
export async function findPageSnapshot(
  sql: Queryable,
  asked: ChangeList,
  request: PageRequest,
): Promise<PageSnapshot | null> {
  if (request.page === 1) return null;
  return firstOf(sql<PageSnapshot[]>`
    select ${instantText(sql, sql`latest_change_at`)} as latest_change_at, total_count
    from page_snapshots where ${isSameList(sql, asked, request.pageSize)}
      and not is_of_one_request
    order by (token_id = ${asked.tokenId}) desc, page_snapshots.latest_change_at limit 1`);
}

/**
 * Two CTEs: they store what the first page saw, or, if it is the only page, delete an earlier
 * snapshot. They follow one named `counted`, which has the `total`.
 */
export const storeSnapshot = (
  sql: Queryable,
  asked: ChangeList,
  { pageSize }: PageRequest,
  latest: Fragment,
): Fragment => sql`, stored as (
    ${insertSnapshot(
      sql,
      asked,
      { pageSize, tokenId: asked.tokenId, isOfOneRequest: false },
      sql`
      (${latest}), total from counted where total > ${pageSize}`,
    )}
  ), ended as (
    delete from page_snapshots
    where ${isSameList(sql, asked, pageSize)} and token_id = ${asked.tokenId}
      and (select total from counted) <= ${pageSize}
  )`;

/** `seen` is the end of a select: the latest change, and the total. */
const insertSnapshot = (
  sql: Queryable,
  asked: ChangeList,
  { pageSize, tokenId, isOfOneRequest }: SnapshotKey,
  seen: Fragment,
): Fragment => sql`
  insert into page_snapshots (list, vendor_id, changed_since, filter, page_size, token_id,
    is_of_one_request, latest_change_at, total_count)
  select ${asked.list}, ${asked.vendorId}, ${since(sql, asked)}, ${filterName(asked)}, ${pageSize},
    ${tokenId}, ${isOfOneRequest}::boolean, ${seen}
  on conflict (list, vendor_id, changed_since, filter, page_size, token_id) do update
  set latest_change_at = excluded.latest_change_at, total_count = excluded.total_count,
    created_at = excluded.created_at`;

/**
 * Stores a snapshot without a total, while the caller excludes the vendor's writers; `latest` is
 * their latest change. After the commit, `past_changes` keeps what the page needs to show the list
 * of this instant. A snapshot of a later page serves this request only.
 */
export async function beginSnapshot(
  sql: Queryable,
  asked: ChangeList,
  request: PageRequest,
  latest: Fragment,
): Promise<BegunSnapshot> {
  const isOfOneRequest = request.page > 1;
  const tokenId = isOfOneRequest ? randomUUID() : asked.tokenId;
  const key = { pageSize: request.pageSize, tokenId, isOfOneRequest };
  const [stored] = await sql<[{ latestChangeAt: string }]>`
    ${insertSnapshot(sql, asked, key, sql`(${latest}), null::integer`)}
    returning ${instantText(sql, sql`latest_change_at`)} as latest_change_at`;
  return { ...stored, ...key, totalCount: null };
}

/** Stores the total that a page has counted, or deletes the snapshot if no later page needs it. */
export async function keepTotal(
  sql: Queryable,
  asked: ChangeList,
  { pageSize, tokenId, isOfOneRequest, latestChangeAt }: BegunSnapshot,
  total: number,
): Promise<void> {
  const isThis = sql`${isSameList(sql, asked, pageSize)} and token_id = ${tokenId}
    and latest_change_at = ${latestChangeAt}::text::timestamptz`;
  await (!isOfOneRequest && total > pageSize
    ? sql`update page_snapshots set total_count = ${total} where ${isThis}`
    : sql`delete from page_snapshots where ${isThis}`);
}

/** Deletes snapshots and past changes that are older than an hour. */
export async function prunePageSnapshots(sql: Queryable): Promise<void> {
  await deleteOld(sql, { table: 'page_snapshots', instant: 'created_at', age: '1 hour' });
  // Before the clock of its vendor was where it was an hour ago. Only a sandbox moves a clock.
  await sql`
    delete from past_changes using (
      select vendors.id, coalesce(
        move.stands_at, real.at + coalesce(move.clock_offset, '0')
      ) as before
      from vendors cross join lateral (
        select clock_timestamp() - interval '1 hour' as at
      ) as real left join lateral (
        select clock_moves.* from clock_moves
        where vendor_id = vendors.id and moved_at <= real.at order by moved_at desc limit 1
      ) as move on true
      where vendors.clock_offset <> '0'
    ) as ahead
    where vendor_id = ahead.id and superseded_at <= ahead.before`;
  // A change time may be ahead of the clock, never behind it.
  await deleteOld(sql, { table: 'past_changes', instant: 'superseded_at', age: '1 hour' });
}
