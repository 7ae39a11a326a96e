import type { EventData, EventType } from './events.ts';
import { orderGlobalId } from '../orders/order-id.ts';

type SampleSource = {
  /** Answers a new uuid, which names nothing. */
  readonly newId: () => string;
  /** RFC 3339. */
  readonly at: string;
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
};

/** The `data` of a sample, like a real event's; its ids name nothing (part 4, test-fire). */
export const sampleData = (eventType: EventType, source: SampleSource): EventData[EventType] =>
  samples[eventType](source);
