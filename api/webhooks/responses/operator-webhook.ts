import * as v from 'valibot';
import type { WebhookDelivery } from '../../../db/webhooks/webhook-deliveries.ts';
import { unrecoveredMax } from '../../../db/webhooks/subscriptions/webhook-subscriptions.ts';
import { webhookDeliveryId, webhookDeliveryBatchId } from '../../../workflows/ids.ts';
import type { Dependencies } from '../../dependencies.ts';
import { workflowLink, workflowLinkTo } from '../../operator/workflow-link.ts';
import { described } from '../../validation/described.ts';
import { field, titled, vendorId } from '../../validation/response-parts.ts';
import { sample } from '../../validation/sample.ts';
import { subscriptionIdText, webhookUrlText } from '../webhook-texts.ts';
import {
  attemptCount,
  deadLetteredAt,
  deliveryId,
  deliveryState,
  eventCreatedAt,
  webhookEventType,
  webhookSubscriptionResponse,
} from './webhook.ts';

const lastHttpStatus = field.integerOrNull(
  "The receiver's status at the latest attempt; null without a response.",
  503,
);
const lastErrorSummary = field.textOrNull(
  'Why the latest attempt failed, as an attempt shows it; null when it did not.',
  'http_status: 503',
);
const inactiveReason = field.textOrNull(
  'Why the subscription is inactive; null while it is active.',
  null,
);

/** One event to one subscription, with the link to the workflow that makes its attempts. */
export const operatorDeliveryResponse = titled('OperatorDelivery', {
  id: deliveryId,
  eventId: field.text("The event's id, the same on every attempt.", sample.eventId),
  eventType: webhookEventType,
  vendorId,
  subscriptionId: field.id(...subscriptionIdText),
  state: deliveryState,
  attemptCount,
  isTest: field.flag('Whether the event is a sample sent by test-fire.', false),
  createdAt: eventCreatedAt,
  deadLetteredAt,
  recoveredFrom: field.instantOrNull(
    'When the delivery was a dead letter before its redelivery, in UTC; null for one that is a ' +
      'dead letter now or never was.',
    null,
  ),
  lastHttpStatus,
  lastErrorSummary,
  nextAttemptAt: field.instantOrNull(
    'When a failed delivery is attempted again, in UTC; null before the first attempt and after ' +
      'the last one.',
    null,
  ),
  subscription: described(
    v.object({
      url: field.text(...webhookUrlText),
      isActive: field.flag('Whether the subscription receives deliveries.', true),
      inactiveReason,
    }),
    'The state of the subscription.',
  ),
  workflow: workflowLinkTo('the attempts', `webhook-delivery/${sample.deliveryId}`),
});

export const operatorDelivery = (
  {
    attempts,
    url,
    subscriptionIsActive,
    inactiveReason: reason,
    batchId,
    ...delivery
  }: WebhookDelivery,
  temporalUi: Dependencies['temporalUi'],
): v.InferInput<typeof operatorDeliveryResponse> => ({
  ...delivery,
  attemptCount: attempts,
  // A deactivation cancels a delivery whose retry was due later.
  nextAttemptAt: delivery.state === 'waiting' ? delivery.nextAttemptAt : null,
  subscription: { url, isActive: subscriptionIsActive, inactiveReason: reason },
  workflow: workflowLink(
    batchId === null ? webhookDeliveryId(delivery.id) : webhookDeliveryBatchId(batchId),
    temporalUi,
  ),
});

/** A subscription with its failures, without its secret. */
export const operatorSubscriptionResponse = titled('OperatorSubscription', {
  ...webhookSubscriptionResponse.entries,
  inactiveReason,
  failingSince: field.instantOrNull(
    'Since when every attempt has failed, in UTC; null when the last attempt succeeded.',
    null,
  ),
  deadLetters: field.integer('The number of dead letters since the last success or activation.', 0),
  unrecovered: field.integer(
    `The dead letters that were not redelivered since; ${unrecoveredMax} at most are counted.`,
    0,
  ),
  lastHttpStatus,
  lastErrorSummary,
  deletedAt: field.instantOrNull(
    'When the vendor deleted the subscription, in UTC; null unless it did.',
    null,
  ),
});
