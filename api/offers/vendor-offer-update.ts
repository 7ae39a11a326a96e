import * as v from 'valibot';
import { editOffer } from '../../domain/offers/edit-offer.ts';
import { fail } from '../../domain/errors.ts';
import { unwrap } from '../http/api-error.ts';
import { vendorOf } from '../auth/authenticate.ts';
import { changeOffer } from './change-offer.ts';
import type { Dependencies } from '../dependencies.ts';
import { envelope, success } from '../http/envelope.ts';
import { offerFlat, flatOfferResponse } from './responses/flat-offer.ts';
import { toNestedOffer, nestedOfferResponse } from './responses/nested-offer.ts';
import { pathId } from '../validation/path-id.ts';
import { isOlderForm, offerEditOf, updateOfferBody } from './update-offer-body.ts';
import type { Routes } from '../validation/compiler.ts';

/**
 * `PATCH /api/v1/scent/offers/{id}`: a partial update of an offer that came by this API. With declared stock in the body it
 * is the older form, which answers the flat form of an offer (D24).
 */
export function offersUpdateRoute(app: Routes, { sql, vatRateBasisPoints }: Dependencies): void {
  app.patch(
    '/api/v1/scent/offers/:id',
    {
      config: {
        capability: 'Offers',
        refusals: ['NOT_FOUND_VENDOR_OFFER', 'BUSINESS_OFFER_PRICE_FIELD_NOT_FOR_AGREEMENT'],
      },
      schema: {
        params: v.object({ id: v.string() }),
        body: updateOfferBody,
        response: { 200: envelope(v.union([nestedOfferResponse, flatOfferResponse])) },
        tags: ['Offers'],
        summary: 'Update an offer',
        operationId: 'updateOffer',
        description:
          'A partial update of an offer that you submitted through this API; one that an operator ' +
          'entered for you answers 404. What is left out, or null, stays as it is; a blank text ' +
          'clears it, but for `barcode`, and for the two names while the offer has no match. A ' +
          'value that is stored already is no change.\n\n' +
          '**Two forms.** Without stock in the body it is the newer form, and answers the nested ' +
          'offer. With `declaredStockQuantity` or `declaredInStock` it is the older form: `cost` ' +
          'and `costIsVatInclusive` are required, `barcode` and sale price are not allowed, and the ' +
          'answer is the flat offer. Prefer the newer one, and push stock to its own route.\n\n' +
          '**What it does.** On an `Approved` offer a new price is staged, and the live one stays ' +
          'until a reviewer applies it; a changed `vendorSku`, `vendorExternalId`, `raw…` field or ' +
          'a replaced `barcode` sends the offer to `PendingReview`. Every edit of a `Rejected` ' +
          'offer sends it back to review, and so does a price of the new model on a ' +
          '`PendingRepricing` one. These resubmissions, and every product detail, need a barcode on ' +
          'the offer or in the body. The match itself is never changed here.',
      },
    },
    async (request) => {
      const { vendorId } = vendorOf(request);
      const offerId = pathId(request.params.id, 'NOT_FOUND_VENDOR_OFFER');
      const edit = offerEditOf(request.body);
      const changed = await changeOffer(sql, { vendorId, offerId }, (offer) =>
        offer.source === 'Api'
          ? editOffer(offer, edit, { vatRateBasisPoints, now: new Date() })
          : fail('NOT_FOUND_VENDOR_OFFER'),
      );
      const offer = unwrap(changed);
      return success(isOlderForm(request.body) ? offerFlat(offer) : toNestedOffer(offer));
    },
  );
}
