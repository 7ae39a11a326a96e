import type { EventType, OrderAssignedData, ReviewDecisionData } from './events.ts';
import { orderGlobalId } from '../orders/order-id.ts';

/** Where a sample's ids and its time come from. */
type SampleSource = {
  /** A uuid that names nothing, another one each time. */
  readonly newId: () => string;
  /** RFC 3339. */
  readonly at: string;
};

const orderAssigned = ({ newId }: SampleSource): OrderAssignedData => ({
  groupId: newId(),
  orderGlobalId: orderGlobalId(newId()),
  status: 'Pending',
  lines: [{ lineId: newId(), variantId: newId(), sku: 'SAMPLE-SKU', quantity: 2 }],
});

const reviewDecision = ({ newId, at }: SampleSource): ReviewDecisionData => ({
  offerId: newId(),
  vendorExternalId: 'sample-offer',
  vendorSku: 'SAMPLE-SKU',
  decision: 'Approved',
  status: 'Approved',
  reason: null,
  reviewedAt: at,
});

const samples: Readonly<
  Record<EventType, (source: SampleSource) => OrderAssignedData | ReviewDecisionData>
> = {
  'vendor.order.assigned': orderAssigned,
  'vendor.offer.review-decision': reviewDecision,
};

/** `data` of a synthesized event, in the form of a real one; it names nothing that exists (part 4, test-fire). */
export const sampleData = (
  eventType: EventType,
  source: SampleSource,
): OrderAssignedData | ReviewDecisionData => samples[eventType](source);
