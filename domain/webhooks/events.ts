import type { Capability } from '../accounts/capabilities.ts';

/** Event types a vendor may subscribe to (part 6), each with the capability it asks for (D14). */
export const eventTypes = ['vendor.order.assigned', 'vendor.offer.review-decision'] as const;
export type EventType = (typeof eventTypes)[number];

export const capabilityForEvent: Record<EventType, Capability> = {
  'vendor.order.assigned': 'Orders',
  'vendor.offer.review-decision': 'Offers',
};

/** What a reviewer decided, as the event names it. */
export const reviewDecisions = ['Approved', 'Rejected', 'PriceApplied', 'PriceDiscarded'] as const;
export type ReviewDecision = (typeof reviewDecisions)[number];

/** `data` of `vendor.offer.review-decision`: no staff identity, no money. */
export type ReviewDecisionData = {
  readonly offerId: string;
  readonly vendorExternalId: string | null;
  readonly vendorSku: string | null;
  readonly decision: ReviewDecision;
  readonly status: string;
  readonly reason: string | null;
  readonly reviewedAt: string;
};

/** `data` of `vendor.order.assigned`: no address, no money, no partner. */
export type OrderAssignedData = {
  readonly groupId: string;
  readonly orderGlobalId: string;
  readonly status: string;
  readonly lines: readonly {
    readonly lineId: string;
    readonly variantId: string;
    readonly sku: string;
    readonly quantity: number;
  }[];
};

/**
 * The exact bytes of one delivered event, the same on every attempt. `occurredAt` is an RFC 3339 instant;
 * `test` is true for a sample that a vendor asked for.
 */
export function eventBody(event: {
  readonly eventId: string;
  readonly eventType: EventType;
  readonly occurredAt: string;
  readonly vendorId: string;
  readonly test: boolean;
  readonly data: object;
}): string {
  const { eventId, eventType, occurredAt, vendorId, test, data } = event;
  return JSON.stringify({ eventId, eventType, occurredAt, apiVersion: 'v1', vendorId, test, data });
}
