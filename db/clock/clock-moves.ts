import type { Queryable } from '../core/client.ts';
import { timedWork } from './due-work.ts';

/** An instant at which the clock stops, because work is due then. */
export type Stop = {
  readonly at: Date;
  readonly kind: 'return' | 'retry';
  /** Of the return or the first delivery. */
  readonly subjectId: string;
};

/** What an advance does next: go to a stop, or to its target. */
export type NextMove = {
  /** Null: nothing more is due before the target. */
  readonly stop: Stop | null;
  /** When the advance began. */
  readonly begunAt: Date;
  /** Where the clock is. */
  readonly now: Date;
  /** The stops so far. */
  readonly stops: number;
  /** Those at which only retries that failed again were due. */
  readonly retryStops: number;
  /** The steps that come due up to the target, as known now: of a return all, of a retry one. */
  readonly left: number;
};

/** Retries that are due within this time are one stop. */
export const retrySpanMs = 60_000;

/**
 * The next stop of a vendor's advance; null when none is under way. Retries wait for up to a minute
 * for others, and for the returns that are due by then.
 */
export async function findNextMove(sql: Queryable, vendorId: string): Promise<NextMove | null> {
  const [row] = await sql<
    (Omit<NextMove, 'stop'> & {
      readonly at: Date | null;
      readonly kind: Stop['kind'];
      readonly subjectId: string;
    })[]
  >`
    with advance as materialized (
      select advances.*, business_now(target_offset) as reached,
        business_now(clock_offset, clock_stands_at) as now
      from clock_advances as advances join vendors on vendors.id = advances.vendor_id
      where vendor_id = ${vendorId} and ended_at is null
    ), timed as materialized (
      select timed.* from (${timedWork(sql, vendorId)}) as timed, advance where at <= reached
    ), retry as materialized (
      select subject_id, at as first_at, (
        select max(at) from timed as others
        where kind = 'retry' and at <= timed.at + ${retrySpanMs} * interval '1 millisecond'
      ) as at
      from timed where kind = 'retry' order by timed.at, subject_id limit 1
    )
    select begun_at, stops, retry_stops, now, next.*,
      (
        select count(distinct (subject_id, step))::int
        from timed cross join unnest(steps || at) as step
        where step <= reached
      ) as left
    from advance left join lateral (
      select kind, subject_id, at from (
        (select kind, subject_id, at, at as by from timed
        where kind = 'return' order by at, subject_id limit 1)
        union all
        select 'retry', subject_id, at, first_at + ${retrySpanMs} * interval '1 millisecond'
        from retry
      ) as first
      order by by, kind limit 1
    ) as next on true`;
  if (row === undefined) return null;
  const { at, kind, subjectId, ...rest } = row;
  return { ...rest, stop: at === null ? null : { at, kind, subjectId } };
}

/**
 * Moves a vendor's clock to a stop, where it stands, or, with null, to the target of its advance,
 * from where it runs; never back. What waits by real time comes nearer by the same span: retries of
 * deliveries, and the time since when a subscription only fails.
 */
export async function moveClock(
  sql: Queryable,
  vendorId: string,
  stop: Pick<Stop, 'at'> | null,
): Promise<void> {
  const at = sql`
    greatest(${stop?.at ?? null}::timestamptz, business_now(clock_offset, clock_stands_at))`;
  await sql`
    with moved as (
      update clock_advances set stops = stops + ${stop === null ? 0 : 1}
      where vendor_id = ${vendorId} and ended_at is null
      returning vendor_id, target_offset
    ), clock as (
      update vendors set
        clock_stands_at = case when ${stop !== null} then ${at} end,
        -- It never falls: while the clock stands, real time passes.
        clock_offset = least(target_offset, greatest(
          clock_offset,
          case when ${stop !== null} then ${at} - business_now(null) else target_offset end
        ))
      from moved where vendors.id = moved.vendor_id
      returning vendors.id as vendor_id, new.clock_offset - old.clock_offset as span,
        new.clock_offset as ahead
    ), delivery as (
      update webhook_deliveries as delivery set next_attempt_at = delivery.next_attempt_at - span
      from clock
      where span > '0' and delivery.vendor_id = clock.vendor_id
        and delivery.listed_state = 'waiting'
        and delivery.next_attempt_at is not null
      returning delivery.id, delivery.attempts, delivery.next_attempt_at, ahead
    ), attempt as (
      update webhook_attempts as attempt set next_attempt_at = delivery.next_attempt_at,
        due_by_clock = delivery.next_attempt_at + ahead
      from delivery
      where attempt.delivery_id = delivery.id and attempt.attempt_number = delivery.attempts
    )
    update webhook_subscriptions as subscription set failing_since = failing_since - span
    from clock
    where span > '0' and subscription.vendor_id = clock.vendor_id and failing_since is not null`;
}

/**
 * Counts a stop at which only these retries were due, if all of them have failed again. Of several
 * deliveries the one counts that has failed most often, so that many deliveries of one receiver end
 * no advance early.
 */
export async function countFailedStop(
  sql: Queryable,
  vendorId: string,
  deliveryIds: readonly string[],
): Promise<void> {
  await sql`
    with retried as (
      select bool_and(state in ('waiting', 'deadLettered')) as failed, max((
        select count(*) from webhook_attempts as attempt
        where attempt.delivery_id = delivery.id and attempt_number > 1
          and attempt.created_at >= begun_at and succeeded is false
      )) as times
      from webhook_deliveries as delivery, clock_advances
      where delivery.id = any(${[...deliveryIds]}::uuid[]) and clock_advances.vendor_id = ${vendorId}
    )
    update clock_advances set retry_stops = retry_stops + 1, failed_again = times
    from retried
    where vendor_id = ${vendorId} and ended_at is null and failed and times > failed_again`;
}
