import type { Fragment } from 'postgres';
import type { OfferStatus } from '../domain/offer.ts';
import type { Queryable } from './client.ts';

export type OfferCountFilter = {
  readonly vendorId: string | null;
  readonly status: OfferStatus | null;
  readonly isAwaiting: boolean | null;
};

/** How many offers there are, from the kept counts: the same time whatever the number. */
export async function countOffers(
  sql: Queryable,
  { vendorId, status, isAwaiting }: OfferCountFilter,
): Promise<number> {
  const [row] = await sql<[{ total: number }]>`
    select coalesce(sum(delta), 0)::int as total from offer_counts
    where true
      ${vendorId === null ? sql`` : sql`and vendor_id = ${vendorId}`}
      ${status === null ? sql`` : sql`and status = ${status}`}
      ${isAwaiting === null ? sql`` : sql`and is_awaiting = ${isAwaiting}`}`;
  return row.total;
}

/** How many offers a condition on `offers` and `vendors` is true for, counted one by one. */
export async function countOffersWhere(sql: Queryable, where: Fragment): Promise<number> {
  const [row] = await sql<[{ total: number }]>`
    select count(*)::int as total from offers join vendors on vendors.id = offers.vendor_id ${where}`;
  return row.total;
}

/**
 * Folds the lines of each count into one; one process at a time, and a process that finds another at it leaves it to
 * that. Whoever counts meanwhile sees the lines before or after, never in between.
 */
export async function foldOfferCounts(sql: Queryable): Promise<void> {
  await sql`
    with turn as materialized (
      select pg_try_advisory_xact_lock(hashtextextended('offer_counts', 0)) as is_ours
    ), crowded as (
      select vendor_id, status, is_awaiting from offer_counts, turn where turn.is_ours
      group by vendor_id, status, is_awaiting having count(*) > 1
    ), gone as (
      delete from offer_counts using crowded
      where (offer_counts.vendor_id, offer_counts.status, offer_counts.is_awaiting) =
        (crowded.vendor_id, crowded.status, crowded.is_awaiting)
      returning offer_counts.*
    )
    insert into offer_counts (vendor_id, status, is_awaiting, delta)
    select vendor_id, status, is_awaiting, sum(delta) from gone
    group by vendor_id, status, is_awaiting having sum(delta) <> 0`;
}
