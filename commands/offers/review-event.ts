import { newEvent, type NewEvent } from '../../db/webhooks/webhook-events.ts';
import type { ReviewDecision, ReviewDecisionData } from '../../domain/webhooks/events.ts';
import type { Offer } from '../../domain/offers/offer.ts';

/** The `vendor.offer.review-decision` event for an offer after its decision. */
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
