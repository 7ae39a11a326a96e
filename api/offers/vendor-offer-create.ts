import { unwrap } from '../http/api-error.ts';
import { vendorOf } from '../auth/authenticate.ts';
import { createOfferBody, declarationOf } from './create-offer-body.ts';
import type { Dependencies } from '../dependencies.ts';
import { envelope, success } from '../http/envelope.ts';
import { offerFlat, flatOfferResponse } from './responses/flat-offer.ts';
import { submitOffer } from './submit-offer.ts';
import type { Routes } from '../validation/compiler.ts';

/** `POST /api/v1/scent/offers`: 201 with the new offer, 200 with the one that has the same vendorExternalId (D8). */
export function offersCreateRoute(app: Routes, { sql, vatRateBasisPoints }: Dependencies): void {
  const answer = envelope(flatOfferResponse);
  app.post(
    '/api/v1/scent/offers',
    {
      config: { capability: 'Offers', refusals: ['BUSINESS_OFFER_PRICE_FIELD_NOT_FOR_AGREEMENT'] },
      schema: {
        body: createOfferBody,
        response: { 200: answer, 201: answer },
        tags: ['Offers'],
        summary: 'Submit an offer',
        operationId: 'createOffer',
        description:
          'Submits a product at a cost, or at a sale price, for review. With `variantId` it is ' +
          '`PendingReview`, without one it needs `rawBrandName` and `rawProductName` and is ' +
          '`PendingMatch`; with `saveAsDraft` it is a `Draft` that no reviewer sees until you ' +
          'submit it. `cost` and `costIsVatInclusive` are required under both pricing models; under ' +
          '`PercentageOfSale` the cost is information only, and the offer needs a `salePrice` ' +
          'before it can be approved.\n\n' +
          '**Idempotent by `vendorExternalId`**: sent again with one that an offer of yours holds, ' +
          'the call answers that offer unchanged with 200, whatever else the body says. Without a ' +
          '`vendorExternalId` each call makes a new offer. Nothing goes live here: a reviewer ' +
          'decides.',
      },
    },
    async (request, reply) => {
      const submitted = await submitOffer(sql, {
        vendorId: vendorOf(request).vendorId,
        source: 'Api',
        declaration: declarationOf(request.body),
        vatRateBasisPoints,
      });
      const { offer, isNew } = unwrap(submitted);
      return reply.code(isNew ? 201 : 200).send(success(offerFlat(offer)));
    },
  );
}
