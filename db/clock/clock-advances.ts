import type { ClockState } from '../../domain/clock/advance.ts';
import { lockVendor } from '../accounts/vendors.ts';
import type { Queryable } from '../core/client.ts';
import { writeMessages } from '../outbox/write-messages.ts';
import { timedWork } from './due-work.ts';

/** Why an advance ended before its target. */
export type StopReason = 'FailingReceivers';

/** A vendor's business clock. */
export type Clock = {
  readonly isAdvancing: boolean;
  readonly now: Date;
  /** Of the latest advance; now without one. */
  readonly target: Date;
  readonly stopReason: StopReason | null;
};

/** A vendor's business clock, and what is due by it. */
export type ClockProgress = Clock & {
  /** The stops of the latest advance. */
  readonly stops: number;
  /** The steps that come due up to the target of an advance under way, as known now. */
  readonly left: number;
  /** When the next work is due; null without any. */
  readonly nextDue: Date | null;
};

export async function readClock(sql: Queryable, vendorId: string): Promise<Clock> {
  const [clock] = await sql<[Clock]>`
    select now, coalesce(target, now) as target, stop_reason,
      target is not null and ended_at is null as is_advancing
    from vendors left join clock_advances on vendor_id = vendors.id
    cross join lateral (
      select business_now(clock_offset, clock_stands_at) as now offset 0
    ) as clock
    where vendors.id = ${vendorId}`;
  return clock;
}

/** As {@link readClock}, with what is due. */
export async function readProgress(sql: Queryable, vendorId: string): Promise<ClockProgress> {
  const clock = await readClock(sql, vendorId);
  const [progress] = await sql<[Pick<ClockProgress, 'stops' | 'left' | 'nextDue'>]>`
    with timed as materialized (${timedWork(sql, vendorId)})
    select coalesce(stops, 0) as stops,
      (
        select count(distinct (subject_id, step))::int
        from timed cross join unnest(steps || at) as step
        where ended_at is null and step <= business_now(target_offset)
      ) as left,
      -- A retry may wait for others.
      (select greatest(min(at), ${clock.now}) from timed having count(*) > 0) as next_due
    from vendors left join clock_advances on vendor_id = vendors.id
    where vendors.id = ${vendorId}`;
  return { ...clock, ...progress };
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

/** Starts the advance of a locked clock, with the message to its run. */
export async function startAdvance(
  sql: Queryable,
  vendorId: string,
  targetOffsetMs: number,
): Promise<void> {
  await sql`
    with advance as (
      insert into clock_advances (vendor_id, target, target_offset, begun_at)
      select id, business_now(offsets.target), offsets.target, clock_timestamp()
      from vendors
      cross join (select ${targetOffsetMs}::float8 * interval '1 millisecond' as target) as offsets
      where id = ${vendorId}
      on conflict (vendor_id) do update set target = excluded.target,
        target_offset = excluded.target_offset, begun_at = excluded.begun_at, stops = 0,
        retry_stops = 0, failed_again = 0, ended_at = null, stop_reason = null
      returning vendor_id as id
    )
    select ${writeMessages(sql, 'clockAdvance', { from: sql`advance`, payload: {} })} as messages`;
}

/**
 * Makes a vendor's clock stand where it is, if an advance is under way. It locks both rows, in the
 * order of a reset: without the second lock, the statement would not see that the reset which it
 * has waited for ended the advance.
 */
export async function holdClock(sql: Queryable, vendorId: string): Promise<void> {
  await sql`
    with advancing as (
      select id from vendors join clock_advances on vendor_id = id
      where id = ${vendorId} and ended_at is null and clock_stands_at is null
      for no key update
    )
    update vendors set clock_stands_at = business_now(clock_offset)
    from advancing where vendors.id = advancing.id`;
}

/** Lets a vendor's clock run from where it stands. */
export async function releaseClock(sql: Queryable, vendorId: string): Promise<void> {
  await sql`
    update vendors set clock_stands_at = null,
      clock_offset = greatest(clock_offset, clock_stands_at - business_now(null))
    where id = ${vendorId} and clock_stands_at is not null`;
}

/**
 * Ends an advance of a vendor's clock, and lets the clock run. Changes nothing if a reset has ended
 * this advance: the vendor may have begun another one.
 */
export async function endAdvance(
  sql: Queryable,
  vendorId: string,
  { begunAt, stopReason }: { readonly begunAt: Date; readonly stopReason: StopReason | null },
): Promise<void> {
  const { count } = await sql`
    update clock_advances set ended_at = clock_timestamp(), stop_reason = ${stopReason}
    where vendor_id = ${vendorId} and ended_at is null
      and date_trunc('milliseconds', begun_at) = ${begunAt}`;
  if (count > 0) await releaseClock(sql, vendorId);
}
