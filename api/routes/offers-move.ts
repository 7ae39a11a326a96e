import * as v from 'valibot';
import { moveOffer } from '../../domain/move-offer.ts';
import { valueOf } from '../api-error.ts';
import { vendorOf } from '../auth/authenticate.ts';
import { changeOffer } from '../change-offer.ts';
import type { Dependencies } from '../dependencies.ts';
import { envelope, success } from '../envelope.ts';
import { offerNested, offerNestedForm } from '../forms/offer-nested.ts';
import { pathId } from '../path-id.ts';
import type { Routes } from '../validation.ts';

const moves = [
  { action: 'submit', summary: 'Submit a draft, or a withdrawn offer again' },
  { action: 'withdraw', summary: 'Withdraw an offer: it stops selling at once' },
] as const;

/** `POST /api/v1/scent/offers/{id}/submit` (D23) and `/withdraw` (D30). */
export function offersMoveRoutes(app: Routes, { sql }: Dependencies): void {
  for (const { action, summary } of moves) {
    app.post(
      `/api/v1/scent/offers/:id/${action}`,
      {
        config: {
          capability: 'Offers',
          refusals: ['NOT_FOUND_VENDOR_OFFER', 'BUSINESS_OFFER_INVALID_TRANSITION'],
        },
        schema: {
          params: v.object({ id: v.string() }),
          response: { 200: envelope(offerNestedForm) },
          tags: ['Offers'],
          summary,
        },
      },
      async (request) => {
        const { vendorId } = vendorOf(request);
        const offerId = pathId(request.params.id, 'NOT_FOUND_VENDOR_OFFER');
        const moved = await changeOffer(sql, { vendorId, offerId }, (offer) =>
          moveOffer(offer, { action }, new Date()),
        );
        return success(offerNested(valueOf(moved)));
      },
    );
  }
}
