import type { Capability } from '../accounts/capabilities.ts';
import type { PricingModel } from '../accounts/agreement.ts';
import type { OrderLine } from '../orders/fulfilment-group.ts';
import type { ReturnEventData, ReturnEventType } from '../returns/return-event.ts';

/** The event types: two of part 6, and ours. */
export type EventType = keyof EventData;

export const capabilityForEvent: Record<EventType, Capability> = {
  'vendor.order.assigned': 'Orders',
  'vendor.offer.review-decision': 'Offers',
  'vendor.order.changed': 'Orders',
  'vendor.offer.agreement-switched': 'Offers',
  'vendor.return.requested': 'Orders',
  'vendor.return.received': 'Orders',
  'vendor.return.inspection-started': 'Orders',
  'vendor.return.inspection-closing': 'Orders',
  'vendor.return.decided': 'Orders',
  'vendor.return.refund-released': 'Orders',
  'vendor.webhook.disabled': 'Orders',
  'vendor.webhook.delivery-dead-lettered': 'Orders',
};
export const eventTypes = Object.keys(capabilityForEvent) as [EventType, ...EventType[]];

/** A reviewer's decision, as the event names it. */
export const reviewDecisions = [
  'Approved',
  'Rejected',
  'PriceApplied',
  'PriceDiscarded',
  'ReturnedToReview',
] as const;
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
  readonly lines: readonly OrderLine[];
};

/** The `data` of `vendor.order.changed`: a status that the vendor did not set itself. */
export type OrderChangedData = {
  readonly groupId: string;
  readonly orderGlobalId: string;
  readonly previousStatus: string;
  readonly status: string;
};

/** The `data` of `vendor.offer.agreement-switched`, without the percentages. */
export type AgreementSwitchedData = {
  readonly previousPricingModel: PricingModel;
  readonly pricingModel: PricingModel;
};

/** Why the gateway made a subscription inactive. */
export const disabledReasons = ['Gone', 'FailingTooLong'] as const;
export type DisabledReason = (typeof disabledReasons)[number];

export type WebhookDisabledData = {
  readonly subscriptionId: string;
  readonly reason: DisabledReason;
};

/** The `data` of `vendor.webhook.delivery-dead-lettered`: the event that was not delivered. */
export type DeadLetteredData = {
  readonly subscriptionId: string;
  readonly deliveryId: string;
  readonly deadLetteredEventId: string;
  readonly deadLetteredEventType: EventType;
  readonly attemptCount: number;
  readonly httpStatus: number | null;
  readonly errorSummary: string | null;
};

export type EventData = Readonly<Record<ReturnEventType, ReturnEventData>> & {
  readonly 'vendor.order.assigned': OrderAssignedData;
  readonly 'vendor.offer.review-decision': ReviewDecisionData;
  readonly 'vendor.order.changed': OrderChangedData;
  readonly 'vendor.offer.agreement-switched': AgreementSwitchedData;
  readonly 'vendor.webhook.disabled': WebhookDisabledData;
  readonly 'vendor.webhook.delivery-dead-lettered': DeadLetteredData;
};

/**
 * The body of an event, the same on every attempt, before the database appends its `sequence`.
 * `occurredAt` is RFC 3339; `test` is a sample.
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
