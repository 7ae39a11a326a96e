import type { NewEvent } from '../db/events.ts';
import { eventBody, type ReviewDecision, type ReviewDecisionData } from '../domain/events.ts';
import type { Offer } from '../domain/offer.ts';

/** `vendor.offer.review-decision` of an offer that was just decided on. */
export function reviewDecisionEvent(id: string, offer: Offer, decision: ReviewDecision): NewEvent {
  const eventType = 'vendor.offer.review-decision';
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
  const body = eventBody({
    eventId: id,
    eventType,
    occurredAt: occurredAt.toISOString(),
    vendorId,
    test: false,
    data,
  });
  return { id, vendorId, eventType, body, occurredAt };
}
