import type { EventData, EventType } from './events.ts';
import { orderGlobalId } from '../orders/order-id.ts';
import type { ReturnEventData } from '../returns/return-event.ts';
import type { ReturnStatus } from '../returns/return-status.ts';

type SampleSource = {
  /** Returns a new uuid, which is the id of nothing. */
  readonly newId: () => string;
  /** RFC 3339. */
  readonly at: string;
};

const returnIn =
  (status: ReturnStatus) =>
  ({ newId, at }: SampleSource): ReturnEventData => {
    const isDecided = status === 'InspectionAccepted' || status === 'RefundReleased';
    return {
      returnId: newId(),
      returnRequestNumber: 'RR-00000000',
      orderGlobalId: orderGlobalId(newId()),
      status,
      inspectionStartsAt: status === 'Received' ? at : null,
      inspectionWindowDeadline: status === 'Pending' || status === 'Received' ? null : at,
      silenceOutcome: status === 'UnderInspection' ? 'AcceptedSound' : null,
      outcome: isDecided ? 'AcceptedSound' : null,
      decidedBy: isDecided ? 'Silence' : null,
    };
  };

const samples: { readonly [T in EventType]: (source: SampleSource) => EventData[T] } = {
  'vendor.order.assigned': ({ newId }) => ({
    groupId: newId(),
    orderGlobalId: orderGlobalId(newId()),
    status: 'Pending',
    lines: [{ lineId: newId(), variantId: newId(), sku: 'SAMPLE-SKU', quantity: 2 }],
  }),
  'vendor.offer.review-decision': ({ newId, at }) => ({
    offerId: newId(),
    vendorExternalId: 'sample-offer',
    vendorSku: 'SAMPLE-SKU',
    decision: 'Approved',
    status: 'Approved',
    reason: null,
    reviewedAt: at,
  }),
  'vendor.order.changed': ({ newId }) => ({
    groupId: newId(),
    orderGlobalId: orderGlobalId(newId()),
    previousStatus: 'Shipped',
    status: 'Delivered',
  }),
  'vendor.offer.agreement-switched': () => ({
    previousPricingModel: 'CostPlusMargin',
    pricingModel: 'PercentageOfSale',
  }),
  'vendor.return.requested': returnIn('Pending'),
  'vendor.return.received': returnIn('Received'),
  'vendor.return.inspection-started': returnIn('UnderInspection'),
  'vendor.return.inspection-closing': returnIn('UnderInspection'),
  'vendor.return.decided': returnIn('InspectionAccepted'),
  'vendor.return.refund-released': returnIn('RefundReleased'),
  'vendor.webhook.disabled': ({ newId }) => ({ subscriptionId: newId(), reason: 'Gone' }),
  'vendor.webhook.delivery-dead-lettered': ({ newId }) => ({
    subscriptionId: newId(),
    deliveryId: newId(),
    deadLetteredEventId: `evt_${newId()}`,
    deadLetteredEventType: 'vendor.order.assigned',
    attemptCount: 10,
    httpStatus: 503,
    errorSummary: 'http_status: 503',
  }),
};

/**
 * The `data` of a sample, like the `data` of a real event. Nothing has its ids (part 4, test-fire).
 */
export const sampleData = (eventType: EventType, source: SampleSource): EventData[EventType] =>
  samples[eventType](source);
