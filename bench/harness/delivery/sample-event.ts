import { randomUUID } from 'node:crypto';
import { eventBody } from '../../../domain/webhooks/events.ts';
import { sampleData } from '../../../domain/webhooks/webhook-sample.ts';
import { keyPlaceholder } from './order-key.ts';

/** The body of an event as the gateway sends it, with the placeholder as its order. */
export function sampleBody(): string {
  const eventType = 'vendor.order.assigned';
  const occurredAt = new Date().toISOString();
  const sample = sampleData(eventType, { newId: randomUUID, at: occurredAt });
  return eventBody({
    eventId: `evt_${randomUUID()}`,
    eventType,
    occurredAt,
    vendorId: randomUUID(),
    test: false,
    data: { ...sample, orderGlobalId: keyPlaceholder },
  });
}
