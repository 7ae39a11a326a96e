import * as v from 'valibot';
import { deliveryStates, type WebhookDelivery } from '../../../db/webhooks/webhook-deliveries.ts';
import type { SubscriptionRecord } from '../../../db/webhooks/webhook-subscriptions.ts';
import { eventTypes } from '../../../domain/webhooks/events.ts';
import { webhookDeliveryId, webhookDeliveryBatchId } from '../../../workflows/ids.ts';
import type { Dependencies } from '../../dependencies.ts';
import { workflowLink, workflowLinkResponse } from '../../operator/workflow-link.ts';
import { id, instant, integer, isoOrNull, orNull } from '../../validation/response-parts.ts';
import { webhookSubscription, webhookSubscriptionResponse } from './webhook.ts';

/** One event to one subscription, with the link to the run that makes its attempts. */
export const operatorDeliveryResponse = v.object({
  id,
  eventId: v.string(),
  eventType: v.picklist(eventTypes),
  vendorId: id,
  subscriptionId: id,
  state: v.picklist(deliveryStates),
  attemptCount: integer,
  isTest: v.boolean(),
  createdAt: instant,
  deadLetteredAt: orNull(instant),
  subscription: v.object({ isActive: v.boolean(), inactiveReason: orNull(v.string()) }),
  workflow: workflowLinkResponse,
});

export const operatorDelivery = (
  delivery: WebhookDelivery,
  temporalUi: Dependencies['temporalUi'],
): v.InferInput<typeof operatorDeliveryResponse> => ({
  id: delivery.id,
  eventId: delivery.eventId,
  eventType: delivery.eventType,
  vendorId: delivery.vendorId,
  subscriptionId: delivery.subscriptionId,
  state: delivery.state,
  attemptCount: delivery.attempts,
  isTest: delivery.isTest,
  createdAt: delivery.createdAt.toISOString(),
  deadLetteredAt: isoOrNull(delivery.deadLetteredAt),
  subscription: {
    isActive: delivery.subscriptionIsActive,
    inactiveReason: delivery.inactiveReason,
  },
  workflow: workflowLink(
    delivery.batchId === null
      ? webhookDeliveryId(delivery.id)
      : webhookDeliveryBatchId(delivery.batchId),
    temporalUi,
  ),
});

/** A subscription, and how it fares; never its secret. */
export const operatorSubscriptionResponse = v.object({
  ...webhookSubscriptionResponse.entries,
  inactiveReason: orNull(v.string()),
  failingSince: orNull(instant),
  deadLetters: integer,
  deletedAt: orNull(instant),
});

export const operatorSubscription = (
  record: SubscriptionRecord,
): v.InferInput<typeof operatorSubscriptionResponse> => ({
  ...webhookSubscription(record),
  inactiveReason: record.inactiveReason,
  failingSince: isoOrNull(record.failingSince),
  deadLetters: record.deadLetters,
  deletedAt: isoOrNull(record.deletedAt),
});
