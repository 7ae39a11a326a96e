import { defineSignal, defineUpdate } from '@temporalio/workflow';
import type { ReviewDecision } from '../../domain/webhooks/events.ts';
import type { OfferStatus } from '../../domain/offers/offer.ts';
import type { DecisionRequest } from '../decision-request.ts';

export type OfferReviewInput = { readonly offerId: string; readonly vendorId: string };

export type ReviewState = {
  readonly status: OfferStatus;
  readonly version: number;
  readonly isAwaitingDecision: boolean;
};

export type DecisionOutcome = ReviewState & {
  readonly decision: ReviewDecision;
  readonly operatorId: string;
};

/** The offer changed. */
export const offerChanged = defineSignal('changed');
/** An operator approves the offer. In PendingMatch the decision names the match. */
export const approveOffer = defineUpdate<DecisionOutcome, [DecisionRequest]>('approve');
/** An operator rejects the offer. The reason is in Postgres. */
export const rejectOffer = defineUpdate<DecisionOutcome, [DecisionRequest]>('reject');
/** An operator applies the staged price. */
export const applyOfferPrice = defineUpdate<DecisionOutcome, [DecisionRequest]>('applyPrice');
/** An operator returns a live or suspended offer to review. The reason is in Postgres. */
export const returnOfferToReview = defineUpdate<DecisionOutcome, [DecisionRequest]>(
  'returnToReview',
);
/** An operator takes back the latest decision. */
export const undoOfferDecision = defineUpdate<DecisionOutcome, [DecisionRequest]>('undo');
/** An operator discards the staged price. */
export const discardOfferPrice = defineUpdate<DecisionOutcome, [DecisionRequest]>('discardPrice');
