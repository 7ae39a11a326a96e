import { newEvent, type NewEvent } from '../db/webhooks/webhook-events.ts';
import type { ReviewDecision, ReviewDecisionData } from '../domain/webhooks/events.ts';
import type { Offer } from '../domain/offers/offer.ts';

/** `vendor.offer.review-decision` of an offer that was just decided on. */
export function reviewDecisionEvent(offer: Offer, decision: ReviewDecision): NewEvent {
  const { vendorId, changedAt: occurredAt } = offer;
  const data: ReviewDecisionData = {
    offerId: offer.id,
    vendorExternalId: offer.vendorExternalId,
    vendorSku: offer.vendorSku,
    decision,
    status: offer.status,
    reason: offer.reviewReason,
    reviewedAt: occurredAt.toISOString(),
  };
  return newEvent({ eventType: 'vendor.offer.review-decision', vendorId, occurredAt, data });
}
