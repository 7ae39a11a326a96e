import type { Offer, OfferStatus } from '../../domain/offers/offer.ts';
import type { Sql } from '../core/client.ts';
import { onSnapshot } from '../core/snapshot.ts';
import { type Page, type PageRequest } from '../lists/page.ts';
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
    const page = await readOfferPage(snapshot, vendorId, request, (columns, parts) => {
      const isAwaiting = parts`(${columns.awaitingSince}) is not null`;
      const isAsAsked = awaitingDecision === true ? isAwaiting : parts`not ${isAwaiting}`;
      return {
        conditions: parts`
            ${status === null ? parts`` : parts`and ${columns.status} = ${status}`}
            ${awaitingDecision === null ? parts`` : parts`and ${isAsAsked}`}`,
        order:
          awaitingDecision === true
            ? [
                [columns.awaitingSince, 'asc'],
                [parts`offers.id`, 'asc'],
              ]
            : [
                [columns.awaitingSince, 'asc'],
                [parts`offers.created_at`, 'desc'],
                [parts`offers.id`, 'desc'],
              ],
        keptTotal: countOffers(parts, { vendorId, status, isAwaiting: awaitingDecision }),
      };
    });
    return { ...page, items: page.items.map(({ offer }) => offer) };
  });
