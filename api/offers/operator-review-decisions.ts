import type { FastifyRequest } from 'fastify';
import * as v from 'valibot';
import type { ReviewCommand } from '../../domain/offers/review-offer.ts';
import { operatorOf } from '../auth/authenticate.ts';
import { decideOffer } from './decide-offer.ts';
import type { Dependencies } from '../dependencies.ts';
import { envelope, success } from '../http/envelope.ts';
import { described } from '../validation/described.ts';
import {
  filledText,
  optionalField,
  optionalText,
  uuid,
  wholeNumber,
} from '../validation/fields.ts';
import { sample } from '../validation/sample.ts';
import { reasonText } from './offer-texts.ts';
import { operatorOffer, operatorOfferResponse } from './responses/operator-offer.ts';
import { pathId } from '../validation/path-id.ts';
import type { Routes } from '../validation/compiler.ts';

const expectedVersion = described(
  optionalField(wholeNumber(1, 2_147_483_647)),
  "The offer's `version` as you read it: the decision is refused when the offer has changed since. " +
    'Without it, no version is checked.',
  3,
);
const approveBody = v.strictObject({
  variantId: described(
    optionalField(uuid),
    'The active variant to match the offer to, required from `PendingMatch`. Without it, the ' +
      'proposed match stays.',
    sample.variantId,
  ),
  expectedVersion,
});
const rejectBody = v.strictObject({
  reason: described(filledText(4000), ...reasonText),
  expectedVersion,
});
const priceBody = v.strictObject({
  reason: described(optionalText(4000), ...reasonText),
  expectedVersion,
});
const params = v.object({ id: v.string() });
const answer = envelope(operatorOfferResponse);
const tags = ['Operator: offers'];
const priceDecisions = [
  {
    path: 'apply',
    action: 'applyPrice',
    summary: 'Make the staged price the live one',
    operationId: 'applyPendingPrice',
    description:
      "Makes the staged price the live one; the offer's status stays. The vendor is told by " +
      '`vendor.offer.review-decision`, with the decision `PriceApplied`.',
  },
  {
    path: 'discard',
    action: 'discardPrice',
    summary: 'Drop the staged price',
    operationId: 'discardPendingPrice',
    description:
      "Drops the staged price; the live one and the offer's status stay. The vendor is told by " +
      '`vendor.offer.review-decision`, with the decision `PriceDiscarded`.',
  },
] as const;

/** Reviewers' decisions, each an Update on the offer's review. */
export function operatorReviewDecisionRoutes(app: Routes, dependencies: Dependencies): void {
  const config = { role: 'Reviewer' } as const;
  const decide = async (request: FastifyRequest, rawId: string, command: ReviewCommand) => {
    const offer = await decideOffer(dependencies, {
      offerId: pathId(rawId, 'NOT_FOUND_VENDOR_OFFER'),
      command,
      operator: operatorOf(request),
      requestId: request.id,
    });
    return success(operatorOffer(offer, dependencies.temporalUi));
  };
  app.post(
    '/operator/v1/offers/:id/approve',
    {
      config: {
        ...config,
        refusals: [
          'NOT_FOUND_VENDOR_OFFER',
          'CONFLICT_VERSION',
          'BUSINESS_OFFER_PRICE_REQUIRED',
          'BUSINESS_OFFER_INVALID_TRANSITION',
        ],
      },
      schema: {
        params,
        body: approveBody,
        response: { 200: answer },
        tags,
        summary: 'Approve an offer',
        operationId: 'approveOffer',
        description:
          'Approves all of an offer in review: a staged price becomes live with the same decision, ' +
          'and the offer sells. From `PendingMatch` a `variantId` is required, whose barcode it ' +
          'gets when it has none. Under `PercentageOfSale` the offer needs a sale price. With ' +
          '`expectedVersion` the decision is refused when the offer has changed since you read it. ' +
          'The vendor is told by `vendor.offer.review-decision`.',
      },
    },
    (request) => decide(request, request.params.id, { action: 'approve', ...request.body }),
  );
  app.post(
    '/operator/v1/offers/:id/reject',
    {
      config: {
        ...config,
        refusals: [
          'NOT_FOUND_VENDOR_OFFER',
          'CONFLICT_VERSION',
          'BUSINESS_OFFER_INVALID_TRANSITION',
        ],
      },
      schema: {
        params,
        body: rejectBody,
        response: { 200: answer },
        tags,
        summary: 'Reject an offer',
        operationId: 'rejectOffer',
        description:
          'Rejects an offer in `Draft`, `PendingMatch` or `PendingReview`; what it sold as is ' +
          'paused. The vendor reads the reason and may edit the offer, which sends it back to ' +
          'review. A staged price stays staged.',
      },
    },
    (request) => decide(request, request.params.id, { action: 'reject', ...request.body }),
  );
  for (const { path, action, ...words } of priceDecisions) {
    app.post(
      `/operator/v1/offers/:id/pending-price/${path}`,
      {
        config: {
          ...config,
          refusals: [
            'NOT_FOUND_VENDOR_OFFER',
            'CONFLICT_VERSION',
            'BUSINESS_OFFER_NO_PENDING_PRICE',
          ],
        },
        schema: { params, body: priceBody, response: { 200: answer }, tags, ...words },
      },
      (request) => decide(request, request.params.id, { action, ...request.body }),
    );
  }
}
