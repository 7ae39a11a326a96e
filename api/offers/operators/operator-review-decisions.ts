import type { FastifyRequest } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import * as v from 'valibot';
import { readDecidedOffer } from '../../../db/accounts/operator-commands.ts';
import { findAnyOfferNow } from '../../../db/offers/offers.ts';
import { findVariant } from '../../../db/offers/variants.ts';
import {
  reviewOffer,
  variantIdAfter,
  type ReviewCommand,
} from '../../../domain/offers/review-offer.ts';
import { ok } from '../../../domain/errors.ts';
import { offerReviewId } from '../../../workflows/ids.ts';
import type { Dependencies } from '../../dependencies.ts';
import { orNotFound, unwrap } from '../../http/api-error.ts';
import { sendCommand } from '../../operator/send-command.ts';
import { operatorRoutes, type AddRoutes } from '../../define-route.ts';
import {
  expectedVersion,
  judgedVersion,
  optionalReason,
  reason,
  variantId,
} from './review-fields.ts';
import { operatorOffer, operatorOfferResponse } from '../responses/operator-offer.ts';

const notFound = 'NOT_FOUND_VENDOR_OFFER';
/** Reviewers' decisions; each is an Update of the offer's review workflow. */
export const operatorReviewDecisionRoutes: AddRoutes = (app, dependencies) => {
  const route = operatorRoutes(app, { role: 'Reviewer', tag: 'Operator: offers' });
  const decide = (request: FastifyRequest, id: string, command: ReviewCommand) =>
    decideOffer(dependencies, request, id, command);
  route(
    'POST /operator/v1/offers/:id/approve',
    {
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
      payload: operatorOfferResponse,
      notFound,
      refusals: [
        'CONFLICT_VERSION',
        'BUSINESS_OFFER_PRICE_REQUIRED',
        'BUSINESS_OFFER_INVALID_TRANSITION',
      ],
    },
    ({ id, body, request }) => decide(request, id, { action: 'approve', ...body }),
  );
  route(
    'POST /operator/v1/offers/:id/reject',
    {
      operationId: 'rejectOffer',
      summary: 'Reject an offer',
      description:
        'Rejects an offer in `Draft`, `PendingMatch` or `PendingReview` and pauses its supply ' +
        'option. The vendor sees the reason and can edit the offer, which sends it back to ' +
        'review. A staged price stays staged. The vendor gets `vendor.offer.review-decision`.',
      body: v.strictObject({ reason, expectedVersion }),
      payload: operatorOfferResponse,
      notFound,
      refusals: ['CONFLICT_VERSION', 'BUSINESS_OFFER_INVALID_TRANSITION'],
    },
    ({ id, body, request }) => decide(request, id, { action: 'reject', ...body }),
  );
  route(
    'POST /operator/v1/offers/:id/return-to-review',
    {
      operationId: 'returnOfferToReview',
      summary: 'Return an offer to review',
      description:
        'Corrects a decision: an `Approved` or `Suspended` offer becomes `PendingReview`. It is off ' +
        'sale until the next approval, which may name another variant. Prices stay. The vendor gets ' +
        '`vendor.offer.review-decision` with the decision `ReturnedToReview`.',
      body: v.strictObject({ reason, expectedVersion: judgedVersion }),
      payload: operatorOfferResponse,
      notFound,
      refusals: ['CONFLICT_VERSION', 'BUSINESS_OFFER_INVALID_TRANSITION'],
    },
    ({ id, body, request }) => decide(request, id, { action: 'returnToReview', ...body }),
  );
  const answers = {
    payload: operatorOfferResponse,
    notFound,
    refusals: ['CONFLICT_VERSION', 'BUSINESS_OFFER_NO_PENDING_PRICE'],
  } as const;
  route(
    'POST /operator/v1/offers/:id/pending-price/apply',
    {
      operationId: 'applyPendingPrice',
      summary: 'Make the staged price live',
      description:
        'Makes the staged price the live price. The status of the offer does not change. ' +
        '`expectedVersion` is required, so that you apply the price that you have read. The ' +
        'vendor gets `vendor.offer.review-decision` with the decision `PriceApplied`.',
      body: v.strictObject({ reason: optionalReason, expectedVersion: judgedVersion }),
      ...answers,
    },
    ({ id, body, request }) => decide(request, id, { action: 'applyPrice', ...body }),
  );
  route(
    'POST /operator/v1/offers/:id/pending-price/discard',
    {
      operationId: 'discardPendingPrice',
      summary: 'Discard the staged price',
      description:
        'Discards the staged price. The live price and the status of the offer do not change. ' +
        'The vendor gets `vendor.offer.review-decision` with the decision `PriceDiscarded`.',
      body: v.strictObject({ reason: optionalReason, expectedVersion }),
      ...answers,
    },
    ({ id, body, request }) => decide(request, id, { action: 'discardPrice', ...body }),
  );
};

/**
 * Checks the decision against the record, so that a refusal needs no workflow, then sends it as an
 * Update, whose transaction checks it again. Answers the offer as that transaction left it.
 */
async function decideOffer(
  dependencies: Dependencies,
  request: FastifyRequest,
  offerId: string,
  command: ReviewCommand,
): Promise<ReturnType<typeof operatorOffer>> {
  const { sql, decisions, temporalUi } = dependencies;
  const { offer, now } = orNotFound(await findAnyOfferNow(sql, offerId), notFound);
  const variantId = variantIdAfter(offer, command);
  const variant = variantId === null ? null : await findVariant(sql, variantId);
  unwrap(reviewOffer(offer, command, { variant, newSupplyOptionId: uuidv7(), now }));
  const { vendorId } = offer;
  const { action } = command;
  const subject = {
    kind: 'offerReview',
    subjectId: offerId,
    workflowId: offerReviewId(offerId),
  } as const;
  const decided = await sendCommand(dependencies, request, subject, command, async (ids) => {
    const outcome = await decisions.decideOffer({ offerId, vendorId }, { action, ...ids });
    return outcome.ok ? ok(await readDecidedOffer(sql, ids.commandId)) : outcome;
  });
  return operatorOffer(decided, temporalUi);
}
