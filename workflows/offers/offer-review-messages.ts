import type { ReviewDecision } from '../../domain/webhooks/events.ts';
import type { OfferStatus } from '../../domain/offers/offer.ts';

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
