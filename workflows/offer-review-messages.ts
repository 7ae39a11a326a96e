import { defineSignal, defineUpdate } from '@temporalio/workflow';
import type { ReviewDecision } from '../domain/webhooks/events.ts';
import type { OfferStatus } from '../domain/offers/offer.ts';
import type { DecisionRequest } from './decision-request.ts';

export type OfferReviewInput = { readonly offerId: string; readonly vendorId: string };

/** Where an offer stands, as far as a reviewer is concerned. */
export type ReviewState = {
  readonly status: OfferStatus;
  readonly version: number;
  readonly isAwaitingDecision: boolean;
};

export type DecisionOutcome = ReviewState & {
  readonly decision: ReviewDecision;
  readonly operatorId: string;
};

/** The offer may have changed: look again. */
export const offerChanged = defineSignal('changed');
/** A reviewer approves the offer; from PendingMatch the decision carries the match. */
export const approveOffer = defineUpdate<DecisionOutcome, [DecisionRequest]>('approve');
/** A reviewer rejects the offer, with a reason that is kept in the record. */
export const rejectOffer = defineUpdate<DecisionOutcome, [DecisionRequest]>('reject');
/** A reviewer makes the staged price the live one. */
export const applyOfferPrice = defineUpdate<DecisionOutcome, [DecisionRequest]>('applyPrice');
/** A reviewer drops the staged price. */
export const discardOfferPrice = defineUpdate<DecisionOutcome, [DecisionRequest]>('discardPrice');
