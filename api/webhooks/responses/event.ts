import * as v from 'valibot';
import {
  eventTypes,
  reviewDecisions,
  type EventData,
  type EventType,
} from '../../../domain/webhooks/events.ts';
import {
  offerId,
  offerStatus,
  productEntries,
  reviewReason,
  vendorExternalId,
} from '../../offers/responses/nested-offer.ts';
import { orderGlobalIdText } from '../../orders/order-texts.ts';
import {
  groupId,
  groupStatus,
  orderLineResponse,
} from '../../orders/responses/fulfilment-group.ts';
import { described, describeValues } from '../../validation/described.ts';
import { enumeration, instant, titled, vendorId } from '../../validation/response-parts.ts';
import { sample } from '../../validation/sample.ts';

const dataSchemas = {
  'vendor.order.assigned': titled('VendorOrderAssignedData', {
    groupId,
    orderGlobalId: described(v.string(), ...orderGlobalIdText),
    status: groupStatus,
    lines: described(v.array(orderLineResponse), 'The lines of the shipment.'),
  }),
  'vendor.offer.review-decision': titled('VendorOfferReviewDecisionData', {
    offerId,
    vendorExternalId,
    vendorSku: productEntries.vendorSku,
    decision: enumeration(
      'ReviewDecision',
      reviewDecisions,
      describeValues("The reviewer's decision.", {
        Approved: 'the offer is live.',
        Rejected: 'the offer was rejected, with a reason.',
        PriceApplied: 'the staged price is the live price now.',
        PriceDiscarded: 'the staged price was discarded; the live price stays.',
      }),
      'Approved',
    ),
    status: offerStatus,
    reason: reviewReason,
    reviewedAt: described(instant, 'When the reviewer decided, in UTC.', sample.approvedAt),
  }),
} satisfies { readonly [T in EventType]: v.GenericSchema<EventData[T]> };

const dataExamples: EventData = {
  'vendor.order.assigned': {
    groupId: sample.groupId,
    orderGlobalId: sample.orderGlobalId,
    status: 'Pending',
    lines: [{ lineId: sample.lineId, variantId: sample.variantId, sku: sample.sku, quantity: 1 }],
  },
  'vendor.offer.review-decision': {
    offerId: sample.offerId,
    vendorExternalId: sample.vendorExternalId,
    vendorSku: sample.vendorSku,
    decision: 'Approved',
    status: 'Approved',
    reason: null,
    reviewedAt: sample.approvedAt,
  },
};

const eventSchemaOf = (eventType: EventType) =>
  v.object({
    eventId: described(
      v.string(),
      'The same on every attempt, and equal to the header `webhook-id`. Deduplicate by it.',
      sample.eventId,
    ),
    eventType: described(v.literal(eventType), 'The event type.'),
    occurredAt: described(instant, 'When it happened, in UTC.', sample.approvedAt),
    apiVersion: described(v.literal('v1'), 'The version of this body.'),
    vendorId,
    test: described(v.boolean(), 'Whether the event is a sample sent by test-fire.', false),
    data: described(dataSchemas[eventType], 'What happened.', dataExamples[eventType]),
  });

/** The body of each event type, as `eventBody` of the domain writes it. */
export const eventSchemas: ReadonlyMap<EventType, v.GenericSchema> = new Map(
  eventTypes.map((eventType) => [eventType, eventSchemaOf(eventType)]),
);
