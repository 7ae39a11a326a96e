import type { Offer, OfferStatus } from '../../domain/offers/offer.ts';
import type { Queryable, Sql } from '../core/client.ts';
import { countOffers, countOffersWhere } from './offer-counts.ts';
import { effectiveColumns, type EffectiveColumns } from './effective-columns.ts';
import { selectOffer, toFoundOffer, type FoundOffer, type OfferRow } from './offer-row.ts';
import { offsetOf, type Page, type PageRequest } from '../lists/page.ts';
import { onSnapshot } from '../core/snapshot.ts';

export type ReviewQueueFilter = {
  readonly status: OfferStatus | null;
  readonly vendorId: string | null;
  readonly awaitingDecision: boolean | null;
};

/** The operators' list of offers: what waits longest for a decision first, then the newest of the others. */
export const listOffersForReview = (
  sql: Sql,
  filter: ReviewQueueFilter,
  request: PageRequest,
): Promise<Page<Offer>> =>
  onSnapshot(sql, async (snapshot) => {
    // All at once: nearly always no switch is under way, and this is one round trip.
    const [switching, page] = await Promise.all([
      snapshot`
        select from vendors where agreement_settled_epoch < agreement_epoch
          ${filter.vendorId === null ? snapshot`` : snapshot`and id = ${filter.vendorId}`} limit 1`,
      listBy(snapshot, effectiveColumns(snapshot, false), filter, request),
    ]);
    const { items, totalCount } =
      switching.length > 0
        ? await listBy(snapshot, effectiveColumns(snapshot, true), filter, request)
        : page;
    return { items: items.map(({ offer }) => offer), totalCount };
  });

async function listBy(
  sql: Queryable,
  columns: EffectiveColumns,
  { status, vendorId, awaitingDecision }: ReviewQueueFilter,
  request: PageRequest,
): Promise<Page<FoundOffer>> {
  const { awaitingSince } = columns;
  const isAwaiting = sql`(${awaitingSince}) is not null`;
  const where = sql`
    where true
      ${status === null ? sql`` : sql`and ${columns.status} = ${status}`}
      ${vendorId === null ? sql`` : sql`and offers.vendor_id = ${vendorId}`}
      ${awaitingDecision === null ? sql`` : sql`and ${awaitingDecision ? isAwaiting : sql`not ${isAwaiting}`}`}`;
  const order =
    awaitingDecision === true
      ? sql`${awaitingSince}, offers.id`
      : sql`${awaitingSince} nulls last, offers.created_at desc, offers.id desc`;
  const [rows, totalCount] = await Promise.all([
    sql<OfferRow[]>`
      ${selectOffer(sql)} ${where} order by ${order} limit ${request.pageSize} offset ${offsetOf(request)}`,
    columns.isSwitching
      ? countOffersWhere(sql, where)
      : countOffers(sql, { vendorId, status, isAwaiting: awaitingDecision }),
  ]);
  return { items: rows.map(toFoundOffer), totalCount };
}
