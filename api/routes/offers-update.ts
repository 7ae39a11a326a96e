import * as v from 'valibot';
import { editOffer } from '../../domain/edit-offer.ts';
import { fail } from '../../domain/errors.ts';
import { valueOf } from '../api-error.ts';
import { vendorOf } from '../auth/authenticate.ts';
import { changeOffer } from '../change-offer.ts';
import type { Dependencies } from '../dependencies.ts';
import { envelope, success } from '../envelope.ts';
import { offerFlat, offerFlatForm } from '../forms/offer-flat.ts';
import { offerNested, offerNestedForm } from '../forms/offer-nested.ts';
import { pathId } from '../path-id.ts';
import { isOlderForm, offerEditOf, updateOfferBody } from '../update-offer-body.ts';
import type { Routes } from '../validation.ts';

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
        response: { 200: envelope(v.union([offerNestedForm, offerFlatForm])) },
        tags: ['Offers'],
        summary: 'Update an offer',
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
      const offer = valueOf(changed);
      return success(isOlderForm(request.body) ? offerFlat(offer) : offerNested(offer));
    },
  );
}
