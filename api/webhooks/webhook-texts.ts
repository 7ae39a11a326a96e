import type { EventType } from '../../domain/webhooks/events.ts';
import { describeValues } from '../validation/described.ts';
import { sample } from '../validation/sample.ts';

/** Descriptions and examples of webhooks' fields that requests, responses and filters share. */

/** The meaning of each event type. */
export const eventTypeTexts: Readonly<Record<EventType, string>> = {
  'vendor.order.assigned':
    'a shipment was assigned to the vendor. Requires the capability `Orders`.',
  'vendor.offer.review-decision':
    'a reviewer approved or rejected an offer, returned it to review, or applied or discarded a ' +
    'staged price. Requires the capability `Offers`.',
  'vendor.order.changed':
    'an operator delivered, cancelled or returned a shipment. Requires `Orders`, as the ' +
    'following types do.',
  'vendor.return.requested': 'a customer requested a return that goes to the vendor.',
  'vendor.return.received': 'the goods of a return arrived.',
  'vendor.return.inspection-started': 'the vendor can propose an outcome.',
  'vendor.return.inspection-closing':
    'the inspection window ends soon, and without a proposal silence decides.',
  'vendor.return.decided': 'an operator or silence decided a return.',
  'vendor.return.refund-released': 'the refund of a return was released.',
  'vendor.webhook.disabled':
    'the gateway made a subscription inactive. Its other subscriptions receive this.',
  'vendor.webhook.delivery-dead-lettered':
    'an event could not be delivered to another subscription.',
  'vendor.offer.agreement-switched':
    'the pricing model changed, and offers may need new prices. Requires `Offers`.',
};

const eventTypesText = describeValues('The event type.', eventTypeTexts);
export const eventTypeText = [eventTypesText, 'vendor.offer.review-decision'] as const;
export const eventTypeListText = [
  'The event types that the subscription receives: at least one, without duplicates. ' +
    '`GET /api/v1/event-types` describes them.',
  ['vendor.order.assigned', 'vendor.offer.review-decision'],
] as const;

export const webhookUrlText = [
  'The receiver: https to a public host by name, on port 443 or 8443, at most 2,048 characters.',
  sample.webhookUrl,
] as const;
export const subscriptionIdText = ["The subscription's id.", sample.subscriptionId] as const;

/** The meaning of each delivery state. */
export const deliveryStateTexts = {
  waiting: 'an attempt is due or in progress.',
  succeeded: 'the receiver answered an attempt with 2xx.',
  deadLettered: 'given up: every attempt failed, or the receiver answered 410.',
  cancelled: 'cancelled because its subscription became inactive.',
  failed: 'a sample that failed; samples are not retried.',
} as const;

/** The webhook secret of a response that returns it once. */
export const webhookSecretText = [
  'The signing secret: `whsec_` and 32 random bytes in base64. No later response returns it; ' +
    'keep it in a secret store.',
  'whsec_7n2JY0c0m1x8QqvVb3l4ZtJ9w5kq0rXo2uHnS6yF1aE=',
] as const;
