import { statusesInReview } from '../../domain/offers/offer-status.ts';
import type { Sql } from '../core/client.ts';
import { workerLost } from '../webhooks/attempts/begin-attempts.ts';
import type { Scan } from './scan.ts';

/**
 * Adds to `activity_counts` the attempts and the waiting offers from before the table, as far as
 * the record has them. No trigger counted them. The doctor cannot compare them, because attempts
 * are deleted while their counts are kept. Exact beside writers, as one statement compares both in
 * one snapshot. It adds nothing a second time.
 */
export const earlierActivity = {
  source: 'vendors',
  pageSize: 20,
  wrong: (sql) => sql`select id, 'may have activity from before its counts' as text from page`,
  repair: addOfVendors,
} satisfies Scan;

/** Returns how many counts it adds. */
async function addOfVendors(sql: Sql, vendorIds: readonly string[]): Promise<number> {
  const isWaiting = (status: string) =>
    sql`(${sql.unsafe(status)} = any(${[...statusesInReview]}::text[]))`;
  const { count } = await sql`
    with spans as materialized (
      -- Later hours are counted by the triggers. A migration makes the triggers within an hour after
      -- this function.
      select date_trunc('hour', least(
          table_added.applied_at + interval '1 day', counting.applied_at + interval '1 hour'
        ), 'UTC') as last,
        date_trunc('hour', now(), 'UTC') - interval '90 days' as first
      from schema_migrations as table_added, schema_functions as counting
      where table_added.name = '0014-activity-counts.sql'
        and counting.name = 'activity_owners.sql'
    ), happened as materialized (
      select subscriptions.vendor_id,
        case when succeeded then 'attempt.succeeded' else 'attempt.failed' end as kind,
        attempts.created_at + coalesce(attempts.duration_ms, 0) * interval '1 millisecond' as at,
        1 as amount
      from webhook_subscriptions as subscriptions
      join webhook_attempts as attempts on attempts.subscription_id = subscriptions.id
      join webhook_deliveries as deliveries on deliveries.id = attempts.delivery_id
      where subscriptions.vendor_id = any(${[...vendorIds]}::uuid[])
        and succeeded is not null and not is_test
        and coalesce(error_summary, '') <> all(${[workerLost, 'subscription_inactive']}::text[])
      union all
      select vendor_id, 'offer.waiting', at,
        ${isWaiting('to_status')}::int - ${isWaiting(`coalesce(from_status, '')`)}::int
      from offers join offer_status_changes on offer_id = offers.id
      where vendor_id = any(${[...vendorIds]}::uuid[])
      union all
      -- Staged prices that wait now.
      select vendor_id, 'offer.waiting', awaiting_since, 1 from offers
      where vendor_id = any(${[...vendorIds]}::uuid[])
        and awaiting_since is not null and not ${isWaiting('status')}
    ), real as (
      select vendor_id, kind, date_trunc('hour', at, 'UTC') as hour, sum(amount) as total
      from happened, spans where at >= first and date_trunc('hour', at, 'UTC') <= last
      group by 1, 2, 3
    ), kept as (
      select vendor_id, kind, hour, sum(delta) as total from all_activity(), spans
      where vendor_id = any(${[...vendorIds]}::uuid[]) and hour between first and last
        and kind in ('attempt.succeeded', 'attempt.failed', 'offer.waiting')
      group by 1, 2, 3
    )
    insert into activity_counts (vendor_id, kind, hour, delta)
    select owner, kind, hour, real.total - coalesce(kept.total, 0)
    from real left join kept using (vendor_id, kind, hour)
    cross join activity_owners(vendor_id) as owner
    where case when kind = 'offer.waiting' then real.total <> coalesce(kept.total, 0)
      else real.total > coalesce(kept.total, 0) end`;
  return count;
}
