import * as v from 'valibot';
import type { ReviewCommand } from '../../../domain/offers/review-offer.ts';
import { operatorRoutes, type AddRoutes } from '../../define-route.ts';
import { latestActOn, withLatestAct } from '../../operator/latest-act.ts';
import { decideOffer } from './decide-offer.ts';
import {
  expectedVersion,
  judgedVersion,
  optionalReason,
  reason,
  variantId,
} from './review-fields.ts';
import { operatorOffer, operatorOfferResponse } from '../responses/operator-offer.ts';

/** Reviewers' decisions; each is an Update of the offer's review workflow. */
const decisions = [
  {
    path: 'approve',
    action: 'approve',
    operationId: 'approveOffer',
    summary: 'Approve an offer',
    description:
      'Approves an offer in review: it goes on sale, and a staged price becomes live with the ' +
      'same decision. An offer in `PendingMatch` requires a `variantId`; an offer without a ' +
      "barcode takes the variant's. The offer needs a price above 0 of the vendor's agreement. " +
      '`expectedVersion` is required: the call refuses an offer whose identity, match, prices ' +
      'or agreement have changed since you read it. Stock does not count. The vendor gets ' +
      '`vendor.offer.review-decision`.',
    body: v.strictObject({ variantId, expectedVersion: judgedVersion }),
    refusals: [
      'CONFLICT_VERSION',
      'BUSINESS_OFFER_PRICE_REQUIRED',
      'BUSINESS_OFFER_INVALID_TRANSITION',
    ],
  },
  {
    path: 'reject',
    action: 'reject',
    operationId: 'rejectOffer',
    summary: 'Reject an offer',
    description:
      'Rejects an offer in `Draft`, `PendingMatch` or `PendingReview` and pauses its supply ' +
      'option. The vendor sees the reason and can edit the offer, which sends it back to ' +
      'review. A staged price stays staged. The vendor gets `vendor.offer.review-decision`.',
    body: v.strictObject({ reason, expectedVersion }),
    refusals: ['CONFLICT_VERSION', 'BUSINESS_OFFER_INVALID_TRANSITION'],
  },
  {
    path: 'return-to-review',
    action: 'returnToReview',
    operationId: 'returnOfferToReview',
    summary: 'Return an offer to review',
    description:
      'Corrects a decision: an `Approved` or `Suspended` offer becomes `PendingReview`. It is off ' +
      'sale until the next approval, which may name another variant. Prices stay. The vendor gets ' +
      '`vendor.offer.review-decision` with the decision `ReturnedToReview`.',
    body: v.strictObject({ reason, expectedVersion: judgedVersion }),
    refusals: ['CONFLICT_VERSION', 'BUSINESS_OFFER_INVALID_TRANSITION'],
  },
  {
    path: 'undo',
    action: 'undo',
    operationId: 'undoDecision',
    summary: 'Take back the latest decision',
    description:
      'Takes back the latest rejection, application or discarding of a staged price, within ' +
      '`DECISION_UNDO_MS` (a day), if the offer has not changed since: a rejected offer waits ' +
      'again as it did; an applied price is staged again, and the earlier one is live; a ' +
      'discarded price is staged again. The vendor gets `vendor.offer.review-decision` with the ' +
      'decision `ReturnedToReview`. To correct an approval, return the offer to review.',
    body: v.strictObject({ expectedVersion: judgedVersion }),
    refusals: ['CONFLICT_VERSION', 'BUSINESS_OFFER_DECISION_NOT_UNDOABLE'],
  },
  {
    path: 'pending-price/apply',
    action: 'applyPrice',
    operationId: 'applyPendingPrice',
    summary: 'Make the staged price live',
    description:
      'Makes the staged price the live price. The status of the offer does not change. ' +
      '`expectedVersion` is required, so that you apply the price that you have read. The ' +
      'vendor gets `vendor.offer.review-decision` with the decision `PriceApplied`.',
    body: v.strictObject({ reason: optionalReason, expectedVersion: judgedVersion }),
    refusals: ['CONFLICT_VERSION', 'BUSINESS_OFFER_NO_PENDING_PRICE'],
  },
  {
    path: 'pending-price/discard',
    action: 'discardPrice',
    operationId: 'discardPendingPrice',
    summary: 'Discard the staged price',
    description:
      'Discards the staged price. The live price and the status of the offer do not change. ' +
      'The vendor gets `vendor.offer.review-decision` with the decision `PriceDiscarded`.',
    body: v.strictObject({ reason: optionalReason, expectedVersion }),
    refusals: ['CONFLICT_VERSION', 'BUSINESS_OFFER_NO_PENDING_PRICE'],
  },
] as const;

export const operatorReviewDecisionRoutes: AddRoutes = (app, dependencies) => {
  const route = operatorRoutes(app, { role: 'Reviewer', tag: 'Operator: offers' });
  const { sql, temporalUi } = dependencies;
  for (const { path, action, body: fields, refusals, ...documentation } of decisions)
    route({
      at: `POST /operator/v1/offers/:id/${path}`,
      ...documentation,
      body: fields,
      refusals,
      payload: operatorOfferResponse,
      notFound: 'NOT_FOUND_VENDOR_OFFER',
      handler: async ({ id, body, request }) => {
        // The body of an action has the fields of its command.
        const command = { action, ...body } as ReviewCommand;
        const decided = decideOffer(dependencies, request, id, command);
        const offer = await withLatestAct(decided, () => latestActOn(sql, id));
        return operatorOffer(offer, temporalUi);
      },
    });
};
