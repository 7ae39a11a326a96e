import * as v from 'valibot';
import { findOffer } from '../../db/offers/offers.ts';
import { fail, invalid } from '../../domain/errors.ts';
import { editOffer } from '../../domain/offers/edit-offer.ts';
import { checkOlderForm } from '../../domain/offers/offer-prices.ts';
import { vendorOf } from '../auth/authenticate.ts';
import { unwrap } from '../http/api-error.ts';
import { isUuid } from '../validation/fields.ts';
import { vendorRoutes, type AddRoutes } from '../define-route.ts';
import { changeOffer } from './change-offer.ts';
import { flatOfferResponse, offerFlat } from './responses/flat-offer.ts';
import { nestedOfferResponse, toNestedOffer } from './responses/nested-offer.ts';
import {
  isInvalidOlderForm,
  isOlderForm,
  malformedFields,
  offerEditOf,
  updateOfferBody,
} from './update-offer-body.ts';

/**
 * Updates an offer that came through this API. A body with declared stock is the older form, which
 * returns the flat form of an offer.
 */
export const vendorOfferUpdateRoute: AddRoutes = (app, { sql, vatRateBasisPoints }) => {
  const route = vendorRoutes(app, { capability: 'Offers', tag: 'Offers' });
  route({
    at: 'PATCH /api/v1/scent/offers/:id',
    operationId: 'updateOffer',
    summary: 'Update an offer',
    description:
      'Updates some fields of an offer that you submitted through this API. An offer that an ' +
      'operator entered for you answers 404. A field that is absent or null keeps its value. A ' +
      'blank text clears the field, except `barcode`, and except the two names while the offer ' +
      'has no match. A value that is already stored is no change.\n\n' +
      '**Two forms of the body.** Without stock it is the newer form and returns the nested ' +
      'offer. With `declaredStockQuantity` or `declaredInStock`, null too, it is the older ' +
      'form: it requires `cost` and `costIsVatInclusive`, does not allow `barcode` and the ' +
      'sale price, and returns the flat offer. Under `PercentageOfSale` the older form is ' +
      'always 422. Prefer the newer form, and push stock to its own route. A VAT flag without ' +
      'its price is ignored.\n\n' +
      '**Effect on the status.** On an `Approved` offer a new price is staged: the live price ' +
      'stays in force until a reviewer applies the new one. A changed `vendorSku`, ' +
      '`vendorExternalId` or `raw…` field, or a replaced `barcode`, moves an `Approved` offer ' +
      'to `PendingReview`. Every edit of a `Rejected` offer sends it back to review; so does a ' +
      'price of the new model on a `PendingRepricing` offer. These resubmissions and every ' +
      'product detail require a barcode on the offer or in the body. An update never changes ' +
      'the match.',
    preValidation: async (request) => {
      const { id } = request.params as { readonly id: string };
      if (!isUuid(id) || !isInvalidOlderForm(request.body)) return;
      const offer = await findOffer(sql, vendorOf(request).vendorId, id.toLowerCase());
      if (offer?.source !== 'Api' || checkOlderForm(offer.pricingModel).ok) return;
      const malformed = malformedFields(request.body);
      unwrap(malformed.length > 0 ? invalid(...malformed) : checkOlderForm(offer.pricingModel));
    },
    body: updateOfferBody,
    validateOnly: 'call',
    payload: v.pipe(
      v.union([nestedOfferResponse, flatOfferResponse]),
      v.title('OfferInEitherForm'),
    ),
    notFound: 'NOT_FOUND_VENDOR_OFFER',
    refusals: ['BUSINESS_OFFER_PRICE_FIELD_NOT_FOR_AGREEMENT'],
    handler: async ({ caller: { vendorId }, id: offerId, body, sql: commands }) => {
      const edit = offerEditOf(body);
      const changed = await changeOffer(commands, { vendorId, offerId }, (offer, now) =>
        offer.source === 'Api'
          ? editOffer(offer, edit, { vatRateBasisPoints, now })
          : fail('NOT_FOUND_VENDOR_OFFER'),
      );
      const offer = unwrap(changed);
      return isOlderForm(body) ? offerFlat(offer) : toNestedOffer(offer);
    },
  });
};
