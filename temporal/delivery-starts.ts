import type { WorkflowStartOptions } from '@temporalio/client';
import { TypedSearchAttributes } from '@temporalio/common';
import type { DeliveryDetails } from '../domain/messages.ts';
import type { webhookDelivery } from '../workflows/webhooks/webhook-delivery.ts';
import type { WebhookDeliveryInput } from '../workflows/webhooks/webhook-delivery-messages.ts';
import { webhookDeliveryId } from '../workflows/ids.ts';
import { detailsText } from '../workflows/lib/details-text.ts';
import {
  batchIdKey,
  deadLetteredAtKey,
  deliveryStateKey,
  eventIdKey,
  eventTypeKey,
  nextAttemptAtKey,
  subscriptionIdKey,
  vendorIdKey,
  vendorNameKey,
} from '../workflows/search-attributes.ts';

/** Start options of webhook deliveries; `workflow-starts.ts` has them for all other workflows. */

/**
 * One run at a time for a delivery. Another may follow a closed one, for a fresh schedule or after
 * a repeated hand-over; it reads from Postgres what is left.
 */
export const webhookDeliveryStart = (
  input: WebhookDeliveryInput,
  taskQueue: string,
  details?: DeliveryDetails,
) =>
  ({
    taskQueue,
    workflowId: webhookDeliveryId(input.deliveryId),
    args: [input],
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    staticSummary: `${input.eventType} to ${
      details === undefined ? `vendor ${input.vendorId}` : shortened(details.vendorName)
    }`,
    staticDetails: detailsText([
      input.ended === undefined
        ? `Delivery \`${input.deliveryId}\`: at most ${input.retryDelaysMs.length + 1} attempts.`
        : `Delivery \`${input.deliveryId}\`: ${input.ended} after attempt ${input.from.attempts}.`,
      ...(details === undefined ? [] : [originText(input.vendorId, details)]),
      'An ended delivery is sent again with `POST ' +
        `/operator/v1/webhook-deliveries/${input.deliveryId}/redeliver\`.`,
    ]),
    typedSearchAttributes: new TypedSearchAttributes([
      { key: vendorIdKey, value: input.vendorId },
      { key: eventTypeKey, value: input.eventType },
      { key: deliveryStateKey, value: input.ended ?? 'waiting' },
      ...(input.ended === undefined
        ? [{ key: nextAttemptAtKey, value: new Date(input.from.dueAt ?? Date.now()) }]
        : []),
      ...(details === undefined ? [] : deliveryAttributes(details)),
    ]),
  }) as const satisfies WorkflowStartOptions<typeof webhookDelivery>;

/** Temporal refuses a summary of more than 400 bytes; a character takes up to four. */
const shortened = (name: string): string => {
  const characters = Array.from(name);
  return characters.length <= 80 ? name : `${characters.slice(0, 79).join('')}…`;
};

const originText = (vendorId: string, { eventId, subscriptionId }: DeliveryDetails): string =>
  `Event \`${eventId}\` to subscription \`${subscriptionId}\` of vendor \`${vendorId}\`.`;

const deliveryAttributes = (details: DeliveryDetails) => [
  { key: vendorNameKey, value: details.vendorName },
  { key: eventIdKey, value: details.eventId },
  { key: subscriptionIdKey, value: details.subscriptionId },
  ...(details.batchId === null ? [] : [{ key: batchIdKey, value: details.batchId }]),
  ...(details.deadLetteredAt === null
    ? []
    : [{ key: deadLetteredAtKey, value: new Date(details.deadLetteredAt) }]),
];
