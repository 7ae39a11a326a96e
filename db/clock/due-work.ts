import type { Fragment } from 'postgres';
import type { Queryable } from '../core/client.ts';
import { isTimed } from '../returns/timed-returns.ts';
import { waitingDeliveries } from '../webhooks/delivery-queue.ts';

/** What has its time, and is not done yet. */
export type DueWork = {
  /** In the order of their instants. */
  readonly returnIds: readonly string[];
  /** Deliveries that wait for a retry, which their runs make; in the order of their instants. */
  readonly retryIds: readonly string[];
  /** How many attempts of deliveries have no result yet. */
  readonly underWay: number;
  /** Whether nothing else is due or under way: no first attempt and no message. */
  readonly isRestDone: boolean;
  /** Whether the advance has not ended, as a reset ends it. */
  readonly isOpen: boolean;
};

/** The most items of each list of due work, which is enough to continue. */
const dueMax = 500;

/** A vendor's deliveries that are attempted again, without samples. */
const retries = (sql: Queryable, vendorId: string): Fragment => sql`
  webhook_subscriptions as subscription join webhook_deliveries as delivery
    on delivery.subscription_id = subscription.id and delivery.epoch = subscription.epoch
  where subscription.vendor_id = ${vendorId} and subscription.is_active
    and delivery.listed_state = 'waiting' and delivery.next_attempt_at is not null
    and not delivery.is_test`;

export async function findDueWork(sql: Queryable, vendorId: string): Promise<DueWork> {
  const count = (condition: Fragment): Fragment => {
    const isCounted = sql`and epoch = subscription.epoch and not is_test ${condition}`;
    return sql`(
      select count(*)::int from webhook_subscriptions as subscription
      cross join lateral ${waitingDeliveries(sql, isCounted, sql`and subscription_id = subscription.id`)}
      where subscription.vendor_id = ${vendorId} and subscription.is_active
    )`;
  };
  const [work] = await sql<[DueWork]>`
    select
      array(
        select request.id from return_requests as request where ${isTimed(sql, vendorId)}
          and return_due_at(request) <= business_now(vendors.clock_offset, clock_stands_at)
        order by return_due_at(request), request.id limit ${dueMax}
      ) as return_ids,
      array(
        select delivery.id from ${retries(sql, vendorId)}
          and not delivery.is_under_way and delivery.next_attempt_at <= clock_timestamp()
        order by delivery.next_attempt_at, delivery.id limit ${dueMax}
      ) as retry_ids,
      waiting.under_way,
      waiting.under_way + waiting.unattempted = 0 and not exists (
        select from outbox
        where not is_low_priority and kind <> 'clockAdvance'
          and (subject_id = vendors.id or payload ->> 'vendorId' = vendors.id::text)
      ) as is_rest_done,
      exists (
        select from clock_advances where vendor_id = vendors.id and ended_at is null
      ) as is_open
    from vendors cross join lateral (
      select ${count(sql`and is_under_way`)} as under_way,
        ${count(sql`and not is_under_way and next_attempt_at is null`)} as unattempted
    ) as waiting
    where id = ${vendorId}`;
  return work;
}

/** The work that has a time, due or not. */
export async function findTimedWork(sql: Queryable, vendorId: string) {
  const [work] = await sql<[Pick<DueWork, 'returnIds' | 'retryIds'>]>`
    select array(select id from return_requests where ${isTimed(sql, vendorId)}) as return_ids,
      array(select delivery.id from ${retries(sql, vendorId)}) as retry_ids`;
  return work;
}

/**
 * A row for each return and each delivery of a vendor that has a time: `kind`, `subject_id`, `at`
 * by the vendor's clock, and of a return `steps`, the instants of its further steps.
 */
export const timedWork = (sql: Queryable, vendorId: string): Fragment => sql`
  select 'return' as kind, request.id as subject_id, return_due_at(request) as at,
    array[ends.at - case
      when proposed_outcome is null and closing_announced_at is null
        and inspection_closing_ms > 0 and inspection_closing_ms < inspection_window_ms
        then inspection_closing_ms * interval '1 millisecond'
    end, ends.at] as steps
  from return_requests as request cross join lateral (
    select coalesce(inspection_deadline, received_at
      + (inspection_start_ms + inspection_window_ms) * interval '1 millisecond') as at
  ) as ends
  where ${isTimed(sql, vendorId)}
  union all
  select 'retry', delivery.id, delivery.next_attempt_at + (
    select clock_offset from vendors where vendors.id = ${vendorId}
  ), '{}'
  from ${retries(sql, vendorId)}`;
