import * as v from 'valibot';
import { moveOffer } from '../../domain/offers/move-offer.ts';
import { unwrap } from '../http/api-error.ts';
import { vendorOf } from '../auth/authenticate.ts';
import { changeOffer } from './change-offer.ts';
import type { Dependencies } from '../dependencies.ts';
import { envelope, success } from '../http/envelope.ts';
import { toNestedOffer, nestedOfferResponse } from './responses/nested-offer.ts';
import { pathId } from '../validation/path-id.ts';
import type { Routes } from '../validation/compiler.ts';

const moves = [
  {
    action: 'submit',
    summary: 'Submit a draft, or a withdrawn offer again',
    operationId: 'submitOffer',
    description:
      'Sends a `Draft` or a `Withdrawn` offer to review: `PendingReview` when it is matched to ' +
      'a variant, else `PendingMatch`. It takes no body and needs no barcode. Price and stock ' +
      'stay as they are.',
  },
  {
    action: 'withdraw',
    summary: 'Withdraw an offer: it stops selling at once',
    operationId: 'withdrawOffer',
    description:
      'Takes an offer off sale at once, from every status but `Withdrawn`. Price, stock and ' +
      'product data stay, and may be edited meanwhile without moving the status; submit the ' +
      'offer to send it back to review. It takes no body.',
  },
] as const;

/** `POST /api/v1/scent/offers/{id}/submit` (D23) and `/withdraw` (D30). */
export function offersMoveRoutes(app: Routes, { sql }: Dependencies): void {
  for (const { action, ...words } of moves) {
    app.post(
      `/api/v1/scent/offers/:id/${action}`,
      {
        config: {
          capability: 'Offers',
          refusals: ['NOT_FOUND_VENDOR_OFFER', 'BUSINESS_OFFER_INVALID_TRANSITION'],
        },
        schema: {
          params: v.object({ id: v.string() }),
          response: { 200: envelope(nestedOfferResponse) },
          tags: ['Offers'],
          ...words,
        },
      },
      async (request) => {
        const { vendorId } = vendorOf(request);
        const offerId = pathId(request.params.id, 'NOT_FOUND_VENDOR_OFFER');
        const moved = await changeOffer(sql, { vendorId, offerId }, (offer) =>
          moveOffer(offer, { action }, new Date()),
        );
        return success(toNestedOffer(unwrap(moved)));
      },
    );
  }
}
