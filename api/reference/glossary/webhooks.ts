import { inForms, meanings, type Glossary } from './entry.ts';
import { story } from './story.ts';

const eventTypes = meanings('The kind of event.', {
  'vendor.order.assigned': 'a shipment became the vendor’s. Asks for the capability `Orders`.',
  'vendor.offer.review-decision':
    'a reviewer approved or rejected an offer, or applied or discarded a staged price. Asks for `Offers`.',
});

const subscriptionForms = ['WebhookSubscription', 'OperatorSubscription'];
const url = {
  description:
    'The receiver: https to a public host by name, on port 443 or 8443, at most 2,048 characters.',
  example: story.receiver,
};
const subscriptionId = { description: "The subscription's id.", example: story.subscriptionId };
const states = {
  waiting: 'an attempt is due or under way.',
  succeeded: 'an attempt was answered with 2xx.',
  deadLettered: 'given up: every attempt failed, or the receiver answered 410.',
  cancelled: 'ended because its subscription became inactive.',
  failed: 'a sample that failed; samples are not repeated.',
} as const;
const state = meanings('Where the delivery stands.', states);

/** Subscriptions, deliveries and their attempts. */
export const webhooksGlossary: Glossary = {
  ...inForms(subscriptionForms, 'id', subscriptionId),
  'path.webhooks.id': subscriptionId,
  'setWebhookActive.id': subscriptionId,
  subscriptionId,
  ...inForms(subscriptionForms, 'url', url),
  'createWebhook.url': url,
  ...inForms(['updateWebhook', 'updateScentWebhook'], 'url', {
    description: `${url.description} Left out or null, it stays.`,
    example: story.receiver,
  }),
  eventTypes: {
    description: `Which events it gets: at least one, none twice. In an update, left out or null they stay. ${eventTypes}`,
    example: ['vendor.order.assigned', 'vendor.offer.review-decision'],
  },
  eventType: { description: eventTypes, example: 'vendor.offer.review-decision' },
  ...inForms(subscriptionForms, 'isActive', {
    description: 'Whether it gets deliveries. At most five of a vendor are active.',
    example: true,
  }),
  'setWebhookActive.isActive': { description: 'True switches it on, false off.', example: true },
  lastDeliveryAt: {
    description: 'When its last attempt ended, in UTC; null before the first.',
    example: '2026-11-03T10:05:01.214Z',
  },
  lastDeliveryStatus: {
    description: meanings('How its last attempt ended; null before the first.', {
      Success: 'it was answered with 2xx.',
      Failed: 'it failed, and attempts are left, or it was a sample.',
      DeadLettered: 'it failed as the last one.',
    }),
    example: 'Success',
  },
  ...inForms(subscriptionForms, 'createdAt', {
    description: 'When it was made, in UTC.',
    example: '2026-11-01T12:00:00.000Z',
  }),
  'createWebhook.subscription': { description: 'The new subscription.' },
  secret: {
    description:
      'The signing secret: `whsec_` and 32 random bytes in base64. This answer alone has it; keep it where secrets are kept.',
    example: 'whsec_7n2JY0c0m1x8QqvVb3l4ZtJ9w5kq0rXo2uHnS6yF1aE=',
  },
  deleted: { description: 'True: it is gone.', example: true },
  'DeliveryAttempt.id': { description: "The attempt's id.", example: story.attemptId },
  'path.deliveries.attemptId': {
    description: "The attempt's id, of the list of deliveries.",
    example: story.attemptId,
  },
  'Delivery.id': { description: "The delivery's id.", example: story.deliveryId },
  idempotencyKey: {
    description:
      'The same on all attempts of one event, and the `eventId` and the header `webhook-id` that the receiver saw: drop what you have by it.',
    example: story.eventId,
  },
  attemptNumber: {
    description: 'Counts from 1 for each event; a redelivery goes on counting.',
    example: 1,
  },
  httpStatus: {
    description: 'What the receiver answered; null when there was no complete answer.',
    example: 200,
  },
  sentAt: {
    description: 'When the attempt was made, in UTC; null when nothing was sent.',
    example: '2026-11-03T10:05:00.871Z',
  },
  succeeded: {
    description: 'Whether it was answered with 2xx; false while it is under way.',
    example: true,
  },
  errorSummary: {
    description:
      'Why it failed; null when it did not. It begins with one of `dns_error`, `connection_refused`, `connection_reset`, `network_unreachable`, `timeout`, `tls_error`, `redirect_not_followed`, `http_status`, `destination_blocked`, `subscription_inactive` and `worker_lost`.',
    example: null,
  },
  deadLetteredAt: {
    description: 'When the event was given up, in UTC; null unless it was.',
    example: null,
  },
  nextAttemptAt: {
    description:
      'When the next attempt is made, in UTC. On the last attempt of an event it repeats `sentAt`.',
    example: '2026-11-03T10:05:00.871Z',
  },
  ...inForms(['Delivery', 'OperatorDelivery'], 'state', { description: state, example: 'waiting' }),
  'listDeliveries.state': {
    description: meanings('Only deliveries in this state.', {
      waiting: states.waiting,
      deadLettered: states.deadLettered,
      succeeded: states.succeeded,
    }),
    example: 'deadLettered',
  },
  attemptCount: { description: 'Attempts made so far.', example: 1 },
  ...inForms(['Delivery', 'OperatorDelivery'], 'createdAt', {
    description: 'When the event was written, in UTC.',
    example: story.approved,
  }),
};
