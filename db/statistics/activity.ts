import type { Queryable } from '../core/client.ts';
import { deleteOld } from '../core/delete-old.ts';

/** Whose counts those of all vendors together are. */
export const allVendors = '00000000-0000-0000-0000-000000000000';

/** Decisions on offers. */
export type Decisions = {
  readonly approved: number;
  readonly rejected: number;
  readonly pricesApplied: number;
  readonly pricesDiscarded: number;
};

/** A vendor's decisions of the last 90 days, by whole hours. */
export async function countDecisions(
  sql: Queryable,
  vendorId: string,
): Promise<Decisions & { readonly since: Date }> {
  const [row] = await sql<[Decisions & { readonly since: Date }]>`
    select date_trunc('hour', now(), 'UTC') - interval '90 days' as since,
      coalesce(sum(delta) filter (where kind = 'offer.approve'), 0)::int as approved,
      coalesce(sum(delta) filter (where kind = 'offer.reject'), 0)::int as rejected,
      coalesce(sum(delta) filter (where kind = 'offer.applyPrice'), 0)::int as prices_applied,
      coalesce(sum(delta) filter (where kind = 'offer.discardPrice'), 0)::int as prices_discarded
    from activity_counts
    where vendor_id = ${vendorId}
      and kind in ('offer.approve', 'offer.reject', 'offer.applyPrice', 'offer.discardPrice')
      and hour >= date_trunc('hour', now(), 'UTC') - interval '90 days'`;
  return row;
}

/** Deletes counts that no read needs any more. */
export const pruneActivity = (sql: Queryable): Promise<void> =>
  deleteOld(sql, {
    table: 'activity_counts',
    key: 'ctid',
    instant: `(hour at time zone 'UTC')`,
    age: '91 days',
  });
