import { submitOffer } from '../../commands/offers/submit-offers.ts';
import type { CreationAgreement } from '../../domain/offers/create-offer.ts';
import { BoundedMap } from '../bounded-map.ts';
import { unwrap } from '../http/api-error.ts';
import { vendorRoutes, type AddRoutes } from '../define-route.ts';
import { createOfferBody, declarationOf } from './create-offer-body.ts';
import { flatOfferResponse, offerFlat } from './responses/flat-offer.ts';

/** The vendors whose agreements a process knows, in about two megabytes. */
const knownMax = 10_000;

/** Creates an offer: 201 with the new one, 200 with the offer that has its vendorExternalId. */
export const vendorOfferCreateRoute: AddRoutes = (app, { vatRateBasisPoints }) => {
  const route = vendorRoutes(app, { capability: 'Offers', tag: 'Offers' });
  const known = new BoundedMap<string, CreationAgreement>(knownMax);
  route({
    at: 'POST /api/v1/scent/offers',
    operationId: 'createOffer',
    summary: 'Submit an offer',
    description:
      'Submits a product for review, at a cost or at a sale price. With a `variantId` the ' +
      'offer becomes `PendingReview`. Without one it requires `rawBrandName` and ' +
      '`rawProductName` and becomes `PendingMatch`. With `saveAsDraft` it becomes a `Draft`, ' +
      'which no reviewer sees until you submit it. `cost` and `costIsVatInclusive` are ' +
      'required under both pricing models. Under `PercentageOfSale` the cost is information ' +
      'only and may be 0, and the offer needs a `salePrice` before a reviewer can approve it. ' +
      'An offer goes on sale only after its approval.\n\n' +
      '**Idempotent by `vendorExternalId`**: if an offer that you submitted through this API ' +
      'already has this `vendorExternalId`, the call returns that offer unchanged with 200 and ' +
      '`details.existing`, and ignores the rest of the body. Without a `vendorExternalId` each ' +
      'call without an `Idempotency-Key` creates another offer.',
    body: createOfferBody,
    payload: flatOfferResponse,
    statuses: [200, 201],
    validateOnly: 'call',
    refusals: ['BUSINESS_OFFER_PRICE_FIELD_NOT_FOR_AGREEMENT'],
    handler: async ({ caller: { vendorId }, body, reply, sql }) => {
      const submission = { vendorId, source: 'Api', vatRateBasisPoints, known } as const;
      const { offer, isNew } = unwrap(await submitOffer(sql, submission, declarationOf(body)));
      if (isNew) reply.code(201);
      return offerFlat(offer);
    },
  });
};
