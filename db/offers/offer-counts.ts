import type { Fragment } from 'postgres';
import type { OfferStatus } from '../../domain/offers/offer.ts';
import type { Queryable } from '../core/client.ts';

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
