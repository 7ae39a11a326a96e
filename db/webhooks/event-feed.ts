import type { EventType } from '../../domain/webhooks/events.ts';
import type { Queryable } from '../core/client.ts';

/** Events that one page looks through. A filter may choose few of them. */
const examinedMax = 2000;

/** A vendor's events after a number. */
export type FeedRequest = {
  readonly vendorId: string;
  readonly after: number;
  readonly types: readonly EventType[];
  readonly pageSize: number;
};

/**
 * `bodies` are the JSON texts of the events, oldest first. The next page begins after `nextAfter`:
 * the numbers up to there are examined. `oldest` is the first number that is kept.
 */
export type FeedPage = Awaited<ReturnType<typeof readFeed>>;

type Row = {
  readonly latest: number;
  readonly expired: number;
  readonly examined: number | null;
  readonly sequence: number | null;
  readonly body: string | null;
};

/**
 * Reads a page of the feed. Numbers become visible in their order, so no event comes later with a
 * number before `nextAfter`.
 */
export async function readFeed(sql: Queryable, { vendorId, after, types, pageSize }: FeedRequest) {
  const rows = await sql<[Row, ...Row[]]>`
    with sequences as materialized (
      select coalesce(max(latest), 0) as latest, coalesce(max(expired_through), 0) as expired
      from event_sequences where vendor_id = ${vendorId}
    ), examined as materialized (
      select event.sequence, event.event_type, event.body
      from sequences cross join lateral (
        select sequence, event_type, body from webhook_events
        where vendor_id = ${vendorId} and sequence > greatest(${after}::bigint, sequences.expired)
        order by sequence limit ${examinedMax}
      ) as event
    )
    select latest::float8, expired::float8,
      (select max(sequence) from examined)::float8 as examined, page.sequence::float8, page.body
    from sequences left join lateral (
      select sequence, body from examined where event_type = any(${[...types]}::text[])
      order by sequence limit ${pageSize}
    ) as page on true
    order by page.sequence`;
  const [{ latest, expired, examined }] = rows;
  const found = rows.filter(({ sequence }) => sequence !== null);
  const isFull = found.length === pageSize;
  const end = isFull ? found.at(-1)?.sequence : examined;
  return {
    bodies: found.map(({ body }) => body ?? ''),
    nextAfter: end ?? Math.max(after, expired),
    oldest: expired + 1,
    latest,
  };
}

/** The latest numbers of vendors that have one. */
export async function readLatestNumbers(
  sql: Queryable,
  vendorIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await sql<{ vendorId: string; latest: number }[]>`
    select vendor_id, latest::float8 from event_sequences
    where vendor_id = any(${[...vendorIds]}::uuid[])`;
  return new Map(rows.map(({ vendorId, latest }) => [vendorId, latest]));
}
