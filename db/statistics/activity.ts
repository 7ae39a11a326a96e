import type { Fragment } from 'postgres';
import type { Queryable } from '../core/client.ts';
import { equalTo } from '../lists/page.ts';
import { deleteOld } from '../core/delete-old.ts';
import { inAnyForm } from '../lists/compact-counters.ts';

/** The vendor id under which the counts of all vendors together are kept. */
export const allVendors = '00000000-0000-0000-0000-000000000000';

/** The kind of each decision in `activity_counts`: its action in the audit log. */
export const decisionKinds = {
  approved: 'offer.approve',
  rejected: 'offer.reject',
  returnedToReview: 'offer.returnToReview',
  pricesApplied: 'offer.applyPrice',
  pricesDiscarded: 'offer.discardPrice',
} as const;

/** The number of each decision on offers. */
export type Decisions = Readonly<Record<keyof typeof decisionKinds, number>>;

/** For each kind a column, by its name, with the sum of `count`. */
const sumsOf = (sql: Queryable, kindsByName: Readonly<Record<string, string>>, count: Fragment) =>
  Object.entries(kindsByName).map(
    ([name, kind]) =>
      sql`coalesce(sum(${count}) filter (where kind = ${kind}), 0)::int as ${sql(name)},`,
  );

/** A vendor's decisions of the last 90 days, by whole hours. */
export async function countDecisions(sql: Queryable, vendorId: string) {
  const since = sql`date_trunc('hour', now(), 'UTC') - interval '90 days'`;
  const [row] = await sql<[Decisions & { readonly since: Date }]>`
    select ${sumsOf(sql, decisionKinds, sql`delta`)} ${since} as since
    from all_activity()
    where vendor_id = ${vendorId} and kind = any(${Object.values(decisionKinds)}::text[])
      and hour >= ${since}`;
  return row;
}

/** The units of a statistic, and how many of them it has. */
export const statisticUnits = { hour: 48, day: 30 } as const;
export type StatisticUnit = keyof typeof statisticUnits;

/** By kind: how many, in the points of a statistic. */
const kinds = {
  // Attempts of webhooks, without samples.
  delivered: 'attempt.succeeded',
  failed: 'attempt.failed',
  ...decisionKinds,
  returnsRequested: 'return.requested',
  returnsDecided: 'return.decided',
} as const;

/** What happened from an instant on, for an hour or a day. */
export type ActivityPoint = Readonly<Record<keyof typeof kinds, number>> & {
  readonly at: Date;
  /** The median of how long the offers of its decisions had waited, within 5 %; null for none. */
  readonly medianWaitMs: number | null;
  /** Nine of ten had waited at most so long. */
  readonly p90WaitMs: number | null;
  /** The offers that wait for a reviewer at its end, or now. */
  readonly offersWaiting: number;
};

/** The middle of the first step up to which there is this share of the point's waits. */
const waitOf = (sql: Queryable, share: number) => sql`(
  select round(60000 * 2 ^ ((min(waited_step) + 0.5) / 8))::float8
  from steps where steps.at = point.at and steps.share >= ${share}
)`;

/**
 * The latest hours or days of a vendor or (null) of all vendors, the oldest first, in UTC. What
 * waits now and how that number changed say what waited then. It reads the hours that it returns.
 */
export async function readActivity(
  sql: Queryable,
  { vendorId, unit }: { readonly vendorId: string | null; readonly unit: StatisticUnit },
): Promise<readonly ActivityPoint[]> {
  const steps = statisticUnits[unit] - 1;
  const step = sql.unsafe(unit === 'hour' ? `interval '1 hour'` : `interval '24 hours'`);
  const first = sql`date_trunc(${unit}, now(), 'UTC') - ${steps} * ${step}`;
  return sql<ActivityPoint[]>`
    with activity as materialized (
      select date_trunc(${unit}, hour, 'UTC') as at, kind, waited_step, sum(delta) as total
      from all_activity()
      where vendor_id = ${vendorId ?? allVendors}
        and kind = any(${[...Object.values(kinds), 'offer.waiting']}::text[]) and hour >= ${first}
      group by 1, 2, 3
    ), waiting as materialized (
      select coalesce(sum(delta), 0) as total from offer_counts
      where ${inAnyForm(sql)} and is_awaiting ${equalTo(sql, { vendor_id: vendorId })}
    ), waits as (
      select at, waited_step, sum(total) as total from activity
      where waited_step >= 0 group by 1, 2 having sum(total) > 0
    ), steps as materialized (
      select at, waited_step,
        sum(total) over (partition by at order by waited_step)
          / sum(total) over (partition by at) as share
      from waits
    )
    select at, ${waitOf(sql, 0.5)} as median_wait_ms, ${waitOf(sql, 0.9)} as p90_wait_ms,
      ${sumsOf(sql, kinds, sql`activity.total`)}
      (waiting.total - coalesce((
        select sum(later.total) from activity as later
        where later.kind = 'offer.waiting' and later.at > point.at
      ), 0))::int as offers_waiting
    from generate_series(${first}, now(), ${step}) as point (at)
    left join activity using (at) cross join waiting
    group by at, point.at, waiting.total order by at`;
}

/** Deletes counts that no read needs any more. */
export const pruneActivity = (sql: Queryable): Promise<void> =>
  deleteOld(sql, {
    table: 'activity_counts',
    instant: `(hour at time zone 'UTC')`,
    age: '91 days',
  });
