import type { OfferStatus } from '../../domain/offers/offer.ts';
import { statusesToReprice } from '../../domain/offers/offer-status.ts';
import type { Queryable } from '../core/client.ts';
import { isSwitchUnderWay } from '../offers/effective-columns.ts';
import { countDecisions } from '../statistics/activity.ts';
import { unrecoveredMax } from '../webhooks/subscriptions/webhook-subscriptions.ts';
import { inAnyForm } from '../lists/compact-counters.ts';

/** The rejections that a summary has. */
const rejectionsMax = 5;

/** The health of a vendor's subscriptions; deleted ones do not count. */
export type SubscriptionsHealth = {
  readonly active: number;
  readonly inactive: number;
  /** Active ones that have only failed lately, and since when the first of them has. */
  readonly failing: number;
  readonly failingSince: Date | null;
  readonly unrecovered: number;
};

type Rejection = { readonly offerId: string; readonly reason: string | null; readonly at: Date };

/** What operators ask first about a vendor. */
export type VendorSummary = Awaited<ReturnType<typeof readVendorSummary>>;

/** Call it on a snapshot. Its cost does not depend on the number of offers. */
export async function readVendorSummary(sql: Queryable, vendorId: string) {
  const [health] = await sql<[SubscriptionsHealth]>`
    select count(*) filter (where is_active)::int as active,
      count(*) filter (where not is_active)::int as inactive,
      count(*) filter (where is_active and failing_since is not null)::int as failing,
      min(failing_since) filter (where is_active) as failing_since,
      coalesce(sum(dead.total), 0)::int as unrecovered
    from webhook_subscriptions as subscription cross join lateral (
      select count(*) as total from (
        select from webhook_deliveries
        where subscription_id = subscription.id and listed_state = 'deadLettered'
        limit ${unrecoveredMax}
      ) as dead_letter
    ) as dead
    where vendor_id = ${vendorId} and deleted_at is null`;
  return {
    offers: await countByStatus(sql, vendorId),
    decisions: await countDecisions(sql, vendorId),
    latestRejections: await sql<Rejection[]>`
      select id as offer_id, review_reason as reason, reviewed_at as at from offers
      where vendor_id = ${vendorId} and status = 'Rejected' and reviewed_at is not null
      order by reviewed_at desc, id desc limit ${rejectionsMax}`,
    subscriptions: health,
  };
}

/**
 * From the kept counts. While a switch of agreement is under way, the offers that have yet to
 * follow it count as switched, as in lists.
 */
async function countByStatus(
  sql: Queryable,
  vendorId: string,
): Promise<ReadonlyMap<OfferStatus, number>> {
  type Row = { readonly status: OfferStatus; readonly count: number };
  const kept = await sql<Row[]>`
    select status, sum(delta)::int as count from offer_counts
    where ${inAnyForm(sql)} and vendor_id = ${vendorId} group by status`;
  const counts = new Map(kept.map(({ status, count }) => [status, count]));
  const add = (status: OfferStatus, count: number) =>
    counts.set(status, (counts.get(status) ?? 0) + count);
  if (await isSwitchUnderWay(sql, vendorId)) {
    const outdated = await sql<Row[]>`
      select offers.status, count(*)::int as count
      from offers join vendors on vendors.id = offers.vendor_id
      where offers.vendor_id = ${vendorId} and offers.status = any(${[...statusesToReprice]})
        and offers.agreement_epoch < vendors.agreement_epoch
      group by offers.status`;
    for (const { status, count } of outdated) {
      add(status, -count);
      add('PendingRepricing', count);
    }
  }
  return counts;
}
