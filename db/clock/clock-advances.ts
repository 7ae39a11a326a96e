import type { ClockState } from '../../domain/clock/advance.ts';
import { lockVendor } from '../accounts/vendors.ts';
import type { Queryable } from '../core/client.ts';
import { writeMessages } from '../outbox/write-messages.ts';

/** Why an advance ended before its target. */
export type StopReason = 'FailingReceivers';

/** A vendor's business clock (D132). */
export type Clock = {
  readonly isAdvancing: boolean;
  readonly now: Date;
  /** Of the latest advance; now without one. */
  readonly target: Date;
  readonly stopReason: StopReason | null;
};

export async function readClock(sql: Queryable, vendorId: string): Promise<Clock> {
  const [clock] = await sql<[Clock]>`
    select now, coalesce(target, now) as target, stop_reason,
      target is not null and ended_at is null as is_advancing
    from vendors left join clock_advances on vendor_id = vendors.id
    cross join lateral (select business_now(clock_offset) as now offset 0) as clock
    where vendors.id = ${vendorId}`;
  return clock;
}

/** Locks a vendor's clock until the transaction ends. */
export async function lockClock(sql: Queryable, vendorId: string): Promise<ClockState> {
  await lockVendor(sql, vendorId);
  const [state] = await sql<[ClockState]>`
    select (extract(epoch from clock_offset) * 1000)::float8 as offset_ms,
      exists (
        select from clock_advances where vendor_id = vendors.id and ended_at is null
      ) as is_advancing
    from vendors where id = ${vendorId}`;
  return state;
}

/** Starts the advance of a locked clock, with the message to its workflow. */
export async function startAdvance(
  sql: Queryable,
  vendorId: string,
  targetOffsetMs: number,
): Promise<void> {
  await sql`
    with advance as (
      insert into clock_advances (vendor_id, target, target_offset)
      select id, business_now(offsets.target), offsets.target
      from vendors
      cross join (select ${targetOffsetMs}::float8 * interval '1 millisecond' as target) as offsets
      where id = ${vendorId}
      on conflict (vendor_id) do update set target = excluded.target,
        target_offset = excluded.target_offset, stops = 0, retry_stops = 0, ended_at = null,
        stop_reason = null
      returning vendor_id as id
    )
    select ${writeMessages(sql, 'clockAdvance', { from: sql`advance`, payload: {} })} as messages`;
}

/** What has its time, and is not done yet. */
export type DueWork = {
  readonly returnIds: readonly string[];
  /** Deliveries that wait for a retry, which their runs make. */
  readonly retryIds: readonly string[];
  /** Whether nothing else is due or under way: no first attempt and no message. */
  readonly isRestDone: boolean;
};

/** Each list of due work has at most so many, which is enough to go on. */
const dueMax = 500;

/** The returns that go to a vendor and have an automatic step. */
const timedReturns = (sql: Queryable, vendorId: string) => sql`
  return_requests as request
  where vendor_id = ${vendorId} and destination = 'Supplier'
    and status in ('Received', 'UnderInspection')`;

/** A vendor's deliveries that are attempted, without samples. */
const attemptedDeliveries = (sql: Queryable, vendorId: string) => sql`
  webhook_subscriptions as subscription join webhook_deliveries as delivery
    on delivery.subscription_id = subscription.id and delivery.epoch = subscription.epoch
  where subscription.vendor_id = ${vendorId} and subscription.is_active
    and delivery.state = 'waiting' and not delivery.is_test`;

/** The work of a vendor that is due by its clock. */
export async function findDueWork(sql: Queryable, vendorId: string): Promise<DueWork> {
  const [work] = await sql<[DueWork]>`
    select
      array(
        select request.id from ${timedReturns(sql, vendorId)}
          and return_due_at(request) <= business_now(vendors.clock_offset)
        limit ${dueMax}
      ) as return_ids,
      array(
        select delivery.id from ${attemptedDeliveries(sql, vendorId)}
          and not delivery.is_under_way and delivery.next_attempt_at <= clock_timestamp()
        limit ${dueMax}
      ) as retry_ids,
      not exists (
        select from ${attemptedDeliveries(sql, vendorId)}
          and (delivery.is_under_way or delivery.next_attempt_at is null)
      ) and not exists (
        select from outbox
        where not is_low_priority and kind <> 'clockAdvance'
          and (subject_id = vendors.id or payload ->> 'vendorId' = vendors.id::text)
      ) as is_rest_done
    from vendors where id = ${vendorId}`;
  return work;
}

/** The work that has a time, due or not. */
export async function findTimedWork(
  sql: Queryable,
  vendorId: string,
): Promise<Pick<DueWork, 'returnIds' | 'retryIds'>> {
  const [work] = await sql<[Pick<DueWork, 'returnIds' | 'retryIds'>]>`
    select
      array(
        select request.id from ${timedReturns(sql, vendorId)}
          and return_due_at(request) is not null
      ) as return_ids,
      array(
        select delivery.id from ${attemptedDeliveries(sql, vendorId)}
          and delivery.next_attempt_at is not null
      ) as retry_ids`;
  return work;
}

/** An instant at which the clock stops, because work is due then. */
export type Stop = {
  readonly at: Date;
  readonly kind: 'return' | 'retry';
  /** Of the return or the delivery. */
  readonly subjectId: string;
};

/** What an advance does next: go to a stop, or to its target. */
export type NextMove = {
  /** Null: nothing more is due before the target. */
  readonly stop: Stop | null;
  /** The stops so far. */
  readonly stops: number;
  readonly retryStops: number;
  /** The steps that come due up to the target, as known now: of a return all, of a retry one. */
  readonly left: number;
};

/** The next stop of a vendor's advance; null when none is under way. */
export async function findNextMove(sql: Queryable, vendorId: string): Promise<NextMove | null> {
  const [row] = await sql<
    (Omit<NextMove, 'stop'> & {
      readonly at: Date | null;
      readonly kind: Stop['kind'];
      readonly subjectId: string;
    })[]
  >`
    with advance as materialized (
      select advances.*, business_now(target_offset) as reached, vendors.clock_offset
      from clock_advances as advances join vendors on vendors.id = advances.vendor_id
      where vendor_id = ${vendorId} and ended_at is null
    ), due as materialized (
      select 'return' as kind, request.id as subject_id, return_due_at(request) as at,
        coalesce(inspection_deadline, received_at
          + (inspection_start_ms + inspection_window_ms) * interval '1 millisecond') as ends_at,
        case
          when proposed_outcome is null and closing_announced_at is null
            and inspection_closing_ms > 0 and inspection_closing_ms < inspection_window_ms
            then inspection_closing_ms * interval '1 millisecond'
        end as closing
      from ${timedReturns(sql, vendorId)}
      union all
      select 'retry', delivery.id, delivery.next_attempt_at + (select clock_offset from advance),
        null, null
      from ${attemptedDeliveries(sql, vendorId)} and delivery.next_attempt_at is not null
    )
    select stops, retry_stops, next.*,
      (
        select count(distinct (subject_id, step))::int
        from due cross join unnest(array[at, ends_at - closing, ends_at]) as step
        where at <= reached and step <= reached
      ) as left
    from advance left join lateral (
      select kind, subject_id, at from due where at <= reached order by at, subject_id limit 1
    ) as next on true`;
  if (row === undefined) return null;
  const { at, kind, subjectId, ...counts } = row;
  return { ...counts, stop: at === null ? null : { at, kind, subjectId } };
}

/**
 * Moves a vendor's clock to a stop or, with null, to the target of its advance, and never back. What
 * waits by real time comes nearer by the same span: retries of deliveries, and the time since when a
 * subscription only fails.
 */
export async function moveClock(
  sql: Queryable,
  vendorId: string,
  { stop, stops, retryStops }: Pick<NextMove, 'stop' | 'stops' | 'retryStops'>,
): Promise<void> {
  const span = sql`
    greatest(interval '0', coalesce(
      ${stop?.at ?? null}::timestamptz - business_now(clock_offset), target_offset - clock_offset))`;
  const isRetry = stop?.kind === 'retry';
  await sql`
    with moved as (
      update clock_advances set stops = ${stops + (stop === null ? 0 : 1)},
        retry_stops = ${retryStops + (isRetry ? 1 : 0)}
      where vendor_id = ${vendorId}
      returning vendor_id, target_offset
    ), clock as (
      update vendors set clock_offset = least(target_offset, clock_offset + ${span})
      from moved where vendors.id = moved.vendor_id
      returning vendors.id as vendor_id, new.clock_offset - old.clock_offset as span
    ), delivery as (
      update webhook_deliveries as delivery set next_attempt_at = delivery.next_attempt_at - span
      from clock
      where delivery.vendor_id = clock.vendor_id and delivery.state = 'waiting'
        and delivery.next_attempt_at is not null
      returning delivery.id, delivery.attempts, delivery.next_attempt_at
    ), attempt as (
      update webhook_attempts as attempt set next_attempt_at = delivery.next_attempt_at
      from delivery
      where attempt.delivery_id = delivery.id and attempt.attempt_number = delivery.attempts
    )
    update webhook_subscriptions as subscription set failing_since = failing_since - span
    from clock
    where subscription.vendor_id = clock.vendor_id and failing_since is not null`;
}

/** Ends the advance of a vendor's clock. */
export async function endAdvance(
  sql: Queryable,
  vendorId: string,
  stopReason: StopReason | null,
): Promise<void> {
  await sql`
    update clock_advances set ended_at = clock_timestamp(), stop_reason = ${stopReason}
    where vendor_id = ${vendorId} and ended_at is null`;
}
