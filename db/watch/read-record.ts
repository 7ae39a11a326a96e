import type { Sql } from '../core/client.ts';

/** What waits in the record, as numbers. An age or a time is in seconds, and null without rows. */
export type RecordCounts = {
  readonly outboxMessages: number;
  readonly outboxLowPriorityMessages: number;
  readonly outboxOldestAge: number | null;
  readonly messagesSetAside: number;
  readonly reviewsOpen: number;
  readonly reviewsOldestAge: number | null;
  readonly agreementSwitchesUnsettled: number;
  readonly agreementSwitchOldestAge: number | null;
  readonly inspectionsOpen: number;
  /** The time to the next deadline; negative after it. */
  readonly inspectionNextDeadline: number | null;
  readonly inspectionsOverdue: number;
  readonly returnsForStaff: number;
  readonly deliveriesWaiting: number;
  readonly deliveriesOverdue: number;
  readonly deliveryBatchesOpen: number;
  readonly deadLetters: number;
  readonly subscriptionsInactive: number;
  readonly jobsOpen: number;
  readonly jobsOldestAge: number | null;
};

/**
 * Counts what waits, as docs/operating.md says to watch it. Each part reads an index of what waits,
 * or kept counts.
 */
export async function readRecord(sql: Sql): Promise<RecordCounts> {
  const [state] = await sql<[RecordCounts]>`
    with waiting as (
      select delivery.batch_id,
        coalesce(latest.next_attempt_at, delivery.created_at) as due_at
      from webhook_deliveries as delivery
      left join webhook_attempts as latest
        on latest.delivery_id = delivery.id and latest.attempt_number = delivery.attempts
      where delivery.state = 'waiting'
    ), inspections as (
      select inspection_deadline, proposed_outcome, destination from return_requests
      where status = 'UnderInspection'
    )
    select
      (select count(*) from outbox where not is_low_priority)::int as outbox_messages,
      (select count(*) from outbox where is_low_priority)::int as outbox_low_priority_messages,
      (select extract(epoch from now() - min(created_at)) from outbox
        where not is_low_priority)::float8 as outbox_oldest_age,
      (select count(*) from outbox_set_aside)::int as messages_set_aside,
      (select count(*) from offers where awaiting_since is not null)::int as reviews_open,
      (select extract(epoch from now() - min(awaiting_since)) from offers
        where awaiting_since is not null)::float8 as reviews_oldest_age,
      (select count(*) from vendors
        where agreement_settled_epoch < agreement_epoch)::int as agreement_switches_unsettled,
      (select extract(epoch from now() - min(agreement_changed_at)) from vendors
        where agreement_settled_epoch < agreement_epoch)::float8 as agreement_switch_oldest_age,
      (select count(*) from inspections)::int as inspections_open,
      (select extract(epoch from min(inspection_deadline) - now()) from inspections
        where inspection_deadline > now())::float8 as inspection_next_deadline,
      (select count(*) from inspections
        where destination = 'Supplier' and proposed_outcome is null
          and inspection_deadline < now() - interval '1 minute')::int as inspections_overdue,
      (select count(*) from return_requests where requires_staff_review
        and status = 'UnderInspection')::int as returns_for_staff,
      (select count(*) from waiting)::int as deliveries_waiting,
      (select count(*) from waiting
        where due_at < now() - interval '2 minutes')::int as deliveries_overdue,
      (select count(distinct batch_id) from waiting)::int as delivery_batches_open,
      (select coalesce(sum(delta), 0) from delivery_counts
        where state = 'deadLettered')::int as dead_letters,
      (select count(*) from webhook_subscriptions where not is_active)::int
        as subscriptions_inactive,
      (select count(*) from bulk_jobs where state in ('Queued', 'Running'))::int as jobs_open,
      (select extract(epoch from now() - min(created_at)) from bulk_jobs
        where state in ('Queued', 'Running'))::float8 as jobs_oldest_age`;
  return state;
}

/** The connections of a pool in one state. */
export type PoolUse = {
  readonly pool: string;
  readonly state: string;
  readonly connections: number;
};

/** The gateway's connections by pool; Postgres hides the state of other roles' connections. */
export const readPools = (sql: Sql): Promise<readonly PoolUse[]> => sql<PoolUse[]>`
  select application_name as pool, coalesce(state, 'hidden') as state, count(*)::int as connections
  from pg_stat_activity
  where datname = current_database() and application_name like 'vendor-gateway %'
  group by 1, 2`;
