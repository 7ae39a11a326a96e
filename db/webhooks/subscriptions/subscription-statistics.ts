import type { Queryable } from '../../core/client.ts';

/** The counts of a subscription's attempts of a day. */
export type SubscriptionStatistics = {
  readonly from: Date;
  readonly to: Date;
  /** Distinct deliveries with an attempt. */
  readonly deliveries: number;
  readonly attempts: number;
  readonly succeeded: number;
  readonly failed: number;
  /** Of attempts that the receiver answered; null without one. */
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
};

/**
 * The last 24 hours of a subscription, or the time since an instant (RFC 3339 text), from the index
 * of its attempts by time. Entries without a request, which end a delivery of an inactive
 * subscription, are no attempts here.
 */
export async function readStatistics(
  sql: Queryable,
  subscriptionId: string,
  since: string | null = null,
): Promise<SubscriptionStatistics> {
  const from =
    since === null ? sql`(now() - interval '24 hours')` : sql`${since}::text::timestamptz`;
  const [row] = await sql<[SubscriptionStatistics]>`
    select ${from} as from, now() as to,
      count(distinct delivery_id)::int as deliveries, count(*)::int as attempts,
      count(*) filter (where succeeded)::int as succeeded,
      count(*) filter (where not succeeded)::int as failed,
      percentile_disc(0.5) within group (order by duration_ms)
        filter (where http_status is not null) as p50_ms,
      percentile_disc(0.95) within group (order by duration_ms)
        filter (where http_status is not null) as p95_ms
    from webhook_attempts
    where subscription_id = ${subscriptionId} and created_at >= ${from}
      and error_summary is distinct from 'subscription_inactive'`;
  return row;
}
