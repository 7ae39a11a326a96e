import type { Offer, OfferStatus } from '../domain/offer.ts';
import type { Queryable } from './client.ts';
import { selectOffer, toOffer, type OfferRow } from './offer-row.ts';
import { offsetOf, type Page, type PageRequest } from './page.ts';

export type ReviewQueueFilter = {
  readonly status: OfferStatus | null;
  readonly vendorId: string | null;
  readonly awaitingDecision: boolean | null;
};

/** The operators' list of offers: what waits longest for a decision first, then the newest of the others. */
export async function listOffersForReview(
  sql: Queryable,
  filter: ReviewQueueFilter,
  request: PageRequest,
): Promise<Page<Offer>> {
  const { status, vendorId, awaitingDecision } = filter;
  const where = sql`
    where true
      ${status === null ? sql`` : sql`and offers.status = ${status}`}
      ${vendorId === null ? sql`` : sql`and offers.vendor_id = ${vendorId}`}
      ${awaitingDecision === null ? sql`` : awaitingDecision ? sql`and offers.awaiting_since is not null` : sql`and offers.awaiting_since is null`}`;
  const [rows, [count]] = await Promise.all([
    sql<OfferRow[]>`
      ${selectOffer(sql)}
      ${where}
      order by ${awaitingDecision === true ? sql`offers.awaiting_since, offers.id` : sql`offers.awaiting_since nulls last, offers.created_at desc, offers.id desc`}
      limit ${request.pageSize} offset ${offsetOf(request)}`,
    sql<[{ total: number }]>`select count(*)::int as total from offers ${where}`,
  ]);
  return { items: rows.map(toOffer), totalCount: count.total };
}
