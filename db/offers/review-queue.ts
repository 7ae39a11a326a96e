import type { Offer, OfferStatus } from '../../domain/offers/offer.ts';
import type { Sql } from '../core/client.ts';
import { onSnapshot } from '../core/snapshot.ts';
import { equalTo, type Page, type PageRequest } from '../lists/page.ts';
import { countOffers, readOfferPage } from './offer-page.ts';

export type ReviewQueueFilter = {
  readonly status: OfferStatus | null;
  readonly vendorId: string | null;
  readonly awaitingDecision: boolean | null;
};

/** The operators' list of offers: the longest wait for a decision first, then the newest offer. */
export const listOffersForReview = (
  sql: Sql,
  { status, vendorId, awaitingDecision }: ReviewQueueFilter,
  request: PageRequest,
): Promise<Page<Offer>> =>
  onSnapshot(sql, async (snapshot) => {
    const page = await readOfferPage(snapshot, vendorId, request, (columns) => {
      const isAwaiting = snapshot`(${columns.awaitingSince}) is not null`;
      return {
        where: snapshot`
          where true ${equalTo(snapshot, { 'offers.vendor_id': vendorId })}
            ${status === null ? snapshot`` : snapshot`and ${columns.status} = ${status}`}
            ${awaitingDecision === null ? snapshot`` : snapshot`and ${awaitingDecision ? isAwaiting : snapshot`not ${isAwaiting}`}`}`,
        order:
          awaitingDecision === true
            ? snapshot`${columns.awaitingSince}, offers.id`
            : snapshot`${columns.awaitingSince} nulls last, offers.created_at desc, offers.id desc`,
        keptTotal: countOffers(snapshot, { vendorId, status, isAwaiting: awaitingDecision }),
      };
    });
    return { ...page, items: page.items.map(({ offer }) => offer) };
  });
