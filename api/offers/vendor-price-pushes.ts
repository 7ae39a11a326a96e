import * as v from 'valibot';
import { pushPrice } from '../../domain/offers/edit-offer.ts';
import type { PriceDeclaration, PriceField } from '../../domain/offers/offer-prices.ts';
import { unwrap } from '../http/api-error.ts';
import { vendorOf } from '../auth/authenticate.ts';
import { changeOffer } from './change-offer.ts';
import type { Dependencies } from '../dependencies.ts';
import { envelope, success } from '../http/envelope.ts';
import { described } from '../validation/described.ts';
import { sar } from '../validation/fields.ts';
import { declaredText } from './offer-texts.ts';
import { toNestedOffer, nestedOfferResponse } from './responses/nested-offer.ts';
import { pathId } from '../validation/path-id.ts';
import type { Routes } from '../validation/compiler.ts';

const params = v.object({ id: v.string() });
const costBody = v.strictObject({
  cost: described(sar, ...declaredText.cost),
  costIsVatInclusive: described(v.boolean(), ...declaredText.costIsVatInclusive),
});
const salePriceBody = v.strictObject({
  salePrice: described(sar, ...declaredText.salePrice),
  salePriceIsVatInclusive: described(v.boolean(), ...declaredText.salePriceIsVatInclusive),
});
const answer = envelope(nestedOfferResponse);

/** The cost push (D33) and the sale-price push: one pipeline, each for the agreement whose price it is. */
export function offersPriceRoutes(app: Routes, { sql, vatRateBasisPoints }: Dependencies): void {
  const config = { capability: 'Cost', isPush: true } as const;
  const push = async (
    key: { readonly vendorId: string; readonly rawId: string },
    field: PriceField,
    declared: PriceDeclaration,
  ) => {
    const offerId = pathId(key.rawId, 'NOT_FOUND_VENDOR_OFFER');
    const changed = await changeOffer(sql, { vendorId: key.vendorId, offerId }, (offer) =>
      pushPrice(offer, { field, declared }, { vatRateBasisPoints, now: new Date() }),
    );
    return success(toNestedOffer(unwrap(changed)));
  };
  app.patch(
    '/api/v1/scent/offers/:id/cost',
    {
      config: {
        ...config,
        refusals: ['NOT_FOUND_VENDOR_OFFER', 'BUSINESS_OFFER_PRICE_FIELD_NOT_FOR_AGREEMENT'],
      },
      schema: {
        params,
        body: costBody,
        response: { 200: answer },
        tags: ['Offers'],
        summary: 'Push a cost',
        operationId: 'pushCost',
        description:
          'Declares a new cost and leaves all else as it is; for agreements of the model ' +
          '`CostPlusMargin` only. An offer that was ever approved stages it as `cost.pending`, and ' +
          'the live cost stays until a reviewer applies or discards it; an offer that was never ' +
          'approved takes it at once. The same push again changes nothing; the live cost pushed ' +
          'again drops what is staged: the last declaration wins. On a `Rejected` or ' +
          '`PendingRepricing` offer it resubmits to review, which needs a barcode on the offer. ' +
          'Counted apart from other calls, 1,200 a minute together with the other pushes.',
      },
    },
    (request) => {
      const { cost: amountHalalas, costIsVatInclusive: isVatInclusive } = request.body;
      const key = { vendorId: vendorOf(request).vendorId, rawId: request.params.id };
      return push(key, 'cost', { amountHalalas, isVatInclusive });
    },
  );
  app.patch(
    '/api/v1/scent/offers/:id/sale-price',
    {
      config: {
        ...config,
        refusals: ['NOT_FOUND_VENDOR_OFFER', 'BUSINESS_OFFER_PRICE_FIELD_NOT_FOR_AGREEMENT'],
      },
      schema: {
        params,
        body: salePriceBody,
        response: { 200: answer },
        tags: ['Offers'],
        summary: 'Push a sale price',
        operationId: 'pushSalePrice',
        description:
          'Declares a new sale price, your final one with the whole commission in it, and leaves ' +
          'all else as it is; for agreements of the model `PercentageOfSale` only. An offer that ' +
          'was ever approved stages it as `price.pending`, and the live price stays until a ' +
          'reviewer applies or discards it; an offer that was never approved takes it at once. The ' +
          'same push again changes nothing; the live price pushed again drops what is staged. On a ' +
          '`Rejected` or `PendingRepricing` offer it resubmits to review, which needs a barcode on ' +
          'the offer.',
      },
    },
    (request) => {
      const { salePrice: amountHalalas, salePriceIsVatInclusive: isVatInclusive } = request.body;
      const key = { vendorId: vendorOf(request).vendorId, rawId: request.params.id };
      return push(key, 'salePrice', { amountHalalas, isVatInclusive });
    },
  );
}
