import type { DeliveryFilter } from '../../../db/webhooks/webhook-deliveries.ts';

/** A filter that every delivery passes. */
export const anyDelivery: DeliveryFilter = {
  state: null,
  vendorId: null,
  eventType: null,
  eventId: null,
  subscriptionId: null,
  batchId: null,
};
