import * as v from 'valibot';
import type { DeliveryAttempt } from '../../../db/webhooks/attempts/attempt-list.ts';
import { deliveryStates, type WebhookDelivery } from '../../../db/webhooks/webhook-deliveries.ts';
import type { WebhookSubscription } from '../../../db/webhooks/subscriptions/webhook-subscriptions.ts';
import { eventTypes } from '../../../domain/webhooks/events.ts';
import type { VendorClock } from '../../sandbox/vendor-clock.ts';
import { describeValues } from '../../validation/described.ts';
import {
  enumeration,
  field,
  list,
  orNull,
  titled,
  vendorId,
} from '../../validation/response-parts.ts';
import { sample } from '../../validation/sample.ts';
import {
  deliveryStateTexts,
  eventTypeListText,
  eventTypeText,
  subscriptionIdText,
  webhookUrlText,
} from '../webhook-texts.ts';

export const webhookEventType = enumeration('WebhookEventType', eventTypes, ...eventTypeText);

/** The webhook subscription of part 2; the secret is never part of it. */
export const webhookSubscriptionResponse = titled('WebhookSubscription', {
  id: field.id(...subscriptionIdText),
  vendorId,
  url: field.text(...webhookUrlText),
  eventTypes: list(webhookEventType, ...eventTypeListText),
  isActive: field.flag(
    'Whether the subscription receives deliveries. A vendor has at most five active ones.',
    true,
  ),
  lastDeliveryAt: field.instantOrNull(
    'When the last attempt ended, in UTC; null before the first.',
    '2026-11-03T10:05:01.214Z',
  ),
  lastDeliveryStatus: orNull(
    v.picklist(['Success', 'Failed', 'DeadLettered']),
    describeValues('The outcome of the last attempt; null before the first.', {
      Success: 'the receiver answered with 2xx.',
      Failed: 'the attempt failed, and either attempts are left or it was a sample.',
      DeadLettered: 'the last possible attempt failed.',
    }),
    'Success',
  ),
  headerNames: list(v.string(), 'The names of the custom headers, in lower case.', [
    'authorization',
  ]),
  createdAt: field.instantOrNull(
    'When the subscription was created, in UTC.',
    sample.credentialCreatedAt,
  ),
});

export const webhookSubscription = (
  subscription: WebhookSubscription,
  clock: VendorClock,
): v.InferInput<typeof webhookSubscriptionResponse> => ({
  ...subscription,
  lastDeliveryAt: subscription.lastDeliveryAt && clock.shown(subscription.lastDeliveryAt),
  createdAt: clock.shown(subscription.createdAt),
});

const idempotencyKey = field.text(
  'The same on every attempt of one event: the `eventId` and the `webhook-id` header that the ' +
    'receiver saw. Deduplicate by it.',
  sample.eventId,
);
export const deadLetteredAt = field.instantOrNull(
  'When the service gave the event up, in UTC; null unless it did.',
  null,
);
export const deliveryState = enumeration(
  'WebhookDeliveryState',
  deliveryStates,
  describeValues("The delivery's state.", deliveryStateTexts),
  'waiting',
);
export const deliveryId = field.id("The delivery's id.", sample.deliveryId);
export const attemptCount = field.integer('The number of attempts so far.', 1);
export const eventCreatedAt = field.instant(
  'When the event was created, in UTC.',
  sample.approvedAt,
);

/** The delivery attempt of part 2. */
export const deliveryAttemptResponse = titled('WebhookDeliveryAttempt', {
  id: field.id("The attempt's id.", sample.attemptId),
  eventType: webhookEventType,
  idempotencyKey,
  attemptNumber: field.integer(
    'The number of the attempt, counted from 1 for each event; a redelivery continues the count.',
    1,
  ),
  httpStatus: field.integerOrNull(
    "The status of the receiver's response; null without a complete response.",
    200,
  ),
  sentAt: field.instantOrNull(
    'When the attempt was sent, in UTC; null when nothing was sent, or when nobody knows.',
    '2026-11-03T10:05:00.871Z',
  ),
  succeeded: field.flag(
    'Whether the receiver answered with 2xx; false while the attempt is in progress.',
    true,
  ),
  errorSummary: field.textOrNull(
    'Why the attempt failed; null when it did not. It starts with one of `dns_error`, ' +
      '`connection_refused`, `connection_reset`, `network_unreachable`, `timeout`, `tls_error`, ' +
      '`redirect_not_followed`, `http_status`, `destination_blocked`, `subscription_inactive` ' +
      'and `worker_lost`.',
    null,
  ),
  deadLetteredAt,
  nextAttemptAt: field.instant(
    'When the next attempt is due, in UTC; equal to `sentAt` on the last attempt of an event.',
    '2026-11-03T10:05:00.871Z',
  ),
});

export const deliveryAttempt = (
  attempt: DeliveryAttempt,
  clock: VendorClock,
): v.InferInput<typeof deliveryAttemptResponse> => ({
  id: attempt.id,
  eventType: attempt.eventType,
  idempotencyKey: attempt.eventId,
  attemptNumber: attempt.attemptNumber,
  httpStatus: attempt.httpStatus,
  sentAt: attempt.sentAt && clock.shown(attempt.sentAt),
  // An attempt under way has not succeeded yet.
  succeeded: attempt.succeeded === true,
  errorSummary: attempt.errorSummary,
  deadLetteredAt: attempt.deadLetteredAt && clock.shown(attempt.deadLetteredAt),
  nextAttemptAt: clock.due(attempt),
});

/** A delivery as its vendor sees it, after a redelivery. */
export const vendorDeliveryResponse = titled('WebhookDelivery', {
  id: deliveryId,
  subscriptionId: field.id(...subscriptionIdText),
  eventType: webhookEventType,
  idempotencyKey,
  state: deliveryState,
  attemptCount,
  createdAt: eventCreatedAt,
});

export const vendorDelivery = (
  delivery: WebhookDelivery,
  clock: VendorClock,
): v.InferInput<typeof vendorDeliveryResponse> => ({
  id: delivery.id,
  subscriptionId: delivery.subscriptionId,
  eventType: delivery.eventType,
  idempotencyKey: delivery.eventId,
  state: delivery.state,
  attemptCount: delivery.attempts,
  createdAt: clock.shown(delivery.createdAt),
});
