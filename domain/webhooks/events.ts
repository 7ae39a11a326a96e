import type { Capability } from '../accounts/capabilities.ts';

/** The event types (part 6). Each requires a capability (D14). */
export const eventTypes = ['vendor.order.assigned', 'vendor.offer.review-decision'] as const;
export type EventType = (typeof eventTypes)[number];

export const capabilityForEvent: Record<EventType, Capability> = {
  'vendor.order.assigned': 'Orders',
  'vendor.offer.review-decision': 'Offers',
};

/** A reviewer's decision, as the event names it. */
export const reviewDecisions = ['Approved', 'Rejected', 'PriceApplied', 'PriceDiscarded'] as const;
export type ReviewDecision = (typeof reviewDecisions)[number];

/** The `data` of `vendor.offer.review-decision`, without operators' identities and money. */
export type ReviewDecisionData = {
  readonly offerId: string;
  readonly vendorExternalId: string | null;
  readonly vendorSku: string | null;
  readonly decision: ReviewDecision;
  readonly status: string;
  readonly reason: string | null;
  readonly reviewedAt: string;
};

/** The `data` of `vendor.order.assigned`, without address, money and partner. */
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

/** The `data` of each event type. */
export type EventData = {
  readonly 'vendor.order.assigned': OrderAssignedData;
  readonly 'vendor.offer.review-decision': ReviewDecisionData;
};

/**
 * The body of an event, the same on every attempt. `occurredAt` is RFC 3339; `test` is a sample.
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
