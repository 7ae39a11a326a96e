import { moveOffer } from '../../domain/offers/move-offer.ts';
import { unwrap } from '../http/api-error.ts';
import { vendorRoutes, type AddRoutes } from '../define-route.ts';
import { changeOffer } from './change-offer.ts';
import { nestedOfferResponse, toNestedOffer } from './responses/nested-offer.ts';

const moves = [
  {
    action: 'submit',
    operationId: 'submitOffer',
    summary: 'Submit a draft, a rejected or a withdrawn offer',
    description:
      'Sends a `Draft`, `Rejected` or `Withdrawn` offer to review: it becomes `PendingReview` if ' +
      'it is matched to a variant, and `PendingMatch` if not. A `Rejected` offer needs a ' +
      'barcode, as for an edit; the others need none. The call takes no body. Price and stock do ' +
      'not change.',
  },
  {
    action: 'withdraw',
    operationId: 'withdrawOffer',
    summary: 'Withdraw an offer',
    description:
      'Takes an offer off sale at once. It works in every status except `Withdrawn`. Price, ' +
      'stock and product data do not change; you can edit them without a change of status. ' +
      'Submit the offer to send it back to review. The call takes no body.',
  },
] as const;

/** Submit and withdraw. */
export const vendorOfferMoveRoutes: AddRoutes = (app, { sql }) => {
  const route = vendorRoutes(app, { capability: 'Offers', tag: 'Offers' });
  for (const { action, ...documentation } of moves) {
    route({
      at: `POST /api/v1/scent/offers/:id/${action}`,
      ...documentation,
      payload: nestedOfferResponse,
      notFound: 'NOT_FOUND_VENDOR_OFFER',
      refusals: ['BUSINESS_OFFER_INVALID_TRANSITION'],
      handler: async ({ caller: { vendorId }, id: offerId }) => {
        const moved = await changeOffer(sql, { vendorId, offerId }, (offer, now) =>
          moveOffer(offer, { action }, now),
        );
        return toNestedOffer(unwrap(moved));
      },
    });
  }
};
