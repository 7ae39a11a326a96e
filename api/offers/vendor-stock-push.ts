import * as v from 'valibot';
import { storeStock } from '../../db/offers/store-stock.ts';
import { barcodeMissing } from '../../domain/offers/barcode-rule.ts';
import { invalid } from '../../domain/errors.ts';
import { apiError, ApiError } from '../http/api-error.ts';
import { vendorOf } from '../auth/authenticate.ts';
import type { Dependencies } from '../dependencies.ts';
import { envelope, success } from '../http/envelope.ts';
import { described } from '../validation/described.ts';
import { optionalField, stockQuantity } from '../validation/fields.ts';
import { toNestedOffer, nestedOfferResponse } from './responses/nested-offer.ts';
import { stockAgrees } from './offer-body-rules.ts';
import { pathId } from '../validation/path-id.ts';
import { ruleSchemas, stockAgreesSchema } from '../validation/rule-schemas.ts';
import type { Routes } from '../validation/compiler.ts';

/** The body of a stock push. */
export const stockBody = v.pipe(
  v.strictObject({
    declaredInStock: described(v.boolean(), 'Whether the product is in stock.', true),
    declaredStockQuantity: described(
      optionalField(stockQuantity),
      'The number of pieces, 0 to 1,000,000. Out of stock: 0, or omit it. In stock: above 0, or ' +
        'omit it to keep the stored count.',
      18,
    ),
  }),
  stockAgrees(),
  ruleSchemas(stockAgreesSchema),
);

/** `PATCH /api/v1/scent/offers/{offerId}/stock`: applied at once, to the offer and to what it sells as, in one round trip. */
export function offersStockRoute(app: Routes, { sql }: Dependencies): void {
  app.patch(
    '/api/v1/scent/offers/:offerId/stock',
    {
      config: { capability: 'Stock', isPush: true, refusals: ['NOT_FOUND_VENDOR_OFFER'] },
      schema: {
        params: v.object({ offerId: v.string() }),
        body: stockBody,
        response: { 200: envelope(nestedOfferResponse) },
        tags: ['Offers'],
        summary: 'Push stock',
        operationId: 'pushStock',
        description:
          'Declares stock, which applies at once, without a review, to the offer and to what it ' +
          'sells as. It works on every offer of yours and never changes a status. Out of stock goes ' +
          'with a quantity of 0 or none, in stock with one above 0 or none; in stock without a ' +
          'quantity keeps a stored one above 0, else the count is unknown. The same state again ' +
          'changes nothing. On a `Rejected` offer it needs a barcode on the offer.',
      },
    },
    async (request) => {
      const pushed = await storeStock(sql, {
        ...request.body,
        vendorId: vendorOf(request).vendorId,
        offerId: pathId(request.params.offerId, 'NOT_FOUND_VENDOR_OFFER'),
        now: new Date(),
      });
      if (pushed === null) throw apiError('NOT_FOUND_VENDOR_OFFER');
      if (pushed.isRefused) throw new ApiError(invalid(barcodeMissing).failure);
      return success(toNestedOffer(pushed.offer));
    },
  );
}
