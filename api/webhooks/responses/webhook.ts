import * as v from 'valibot';
import type { DeliveryAttempt } from '../../../db/webhooks/attempt-list.ts';
import { deliveryStates, type WebhookDelivery } from '../../../db/webhooks/webhook-deliveries.ts';
import type { WebhookSubscription } from '../../../db/webhooks/webhook-subscriptions.ts';
import { eventTypes } from '../../../domain/webhooks/events.ts';
import { id, instant, integer, isoOrNull, orNull } from '../../validation/response-parts.ts';

/** The webhook subscription of part 2; the secret is never part of it. */
export const webhookSubscriptionResponse = v.object({
  id,
  vendorId: id,
  url: v.string(),
  eventTypes: v.array(v.picklist(eventTypes)),
  isActive: v.boolean(),
  lastDeliveryAt: orNull(instant),
  lastDeliveryStatus: orNull(v.picklist(['Success', 'Failed', 'DeadLettered'])),
  createdAt: orNull(instant),
});

export const webhookSubscription = (
  subscription: WebhookSubscription,
): v.InferInput<typeof webhookSubscriptionResponse> => ({
  id: subscription.id,
  vendorId: subscription.vendorId,
  url: subscription.url,
  eventTypes: [...subscription.eventTypes],
  isActive: subscription.isActive,
  lastDeliveryAt: isoOrNull(subscription.lastDeliveryAt),
  lastDeliveryStatus: subscription.lastDeliveryStatus,
  createdAt: subscription.createdAt.toISOString(),
});

/** The delivery attempt of part 2. */
export const deliveryAttemptResponse = v.object({
  id,
  eventType: v.picklist(eventTypes),
  idempotencyKey: v.string(),
  attemptNumber: integer,
  httpStatus: orNull(integer),
  sentAt: orNull(instant),
  succeeded: v.boolean(),
  errorSummary: orNull(v.string()),
  deadLetteredAt: orNull(instant),
  nextAttemptAt: instant,
});

export const deliveryAttempt = (
  attempt: DeliveryAttempt,
): v.InferInput<typeof deliveryAttemptResponse> => ({
  id: attempt.id,
  eventType: attempt.eventType,
  idempotencyKey: attempt.eventId,
  attemptNumber: attempt.attemptNumber,
  httpStatus: attempt.httpStatus,
  sentAt: isoOrNull(attempt.sentAt),
  // An attempt under way has not succeeded yet.
  succeeded: attempt.succeeded === true,
  errorSummary: attempt.errorSummary,
  deadLetteredAt: isoOrNull(attempt.deadLetteredAt),
  nextAttemptAt: attempt.nextAttemptAt.toISOString(),
});

/** A delivery as its vendor sees it, after a redelivery (D51). */
export const vendorDeliveryResponse = v.object({
  id,
  subscriptionId: id,
  eventType: v.picklist(eventTypes),
  idempotencyKey: v.string(),
  state: v.picklist(deliveryStates),
  attemptCount: integer,
  createdAt: instant,
});

export const vendorDelivery = (
  delivery: WebhookDelivery,
): v.InferInput<typeof vendorDeliveryResponse> => ({
  id: delivery.id,
  subscriptionId: delivery.subscriptionId,
  eventType: delivery.eventType,
  idempotencyKey: delivery.eventId,
  state: delivery.state,
  attemptCount: delivery.attempts,
  createdAt: delivery.createdAt.toISOString(),
});
