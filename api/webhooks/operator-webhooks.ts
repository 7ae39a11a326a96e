import * as v from 'valibot';
import { recoverDeadLetters } from '../../db/webhooks/redelivery.ts';
import { listAttemptDetails } from '../../db/webhooks/attempts/attempt-details.ts';
import { findDelivery, listDeliveries } from '../../db/webhooks/webhook-deliveries.ts';
import {
  listSubscriptionRecords,
  lockSubscription,
} from '../../db/webhooks/subscriptions/webhook-subscriptions.ts';
import { eventTypes } from '../../domain/webhooks/events.ts';
import { apiError, orNotFound } from '../http/api-error.ts';
import { mapItems, pageOf } from '../http/envelope.ts';
import { audit } from '../operator/audit.ts';
import { operatorRoutes, type AddRoutes } from '../define-route.ts';
import { realTime } from '../sandbox/vendor-clock.ts';
import { described, describeValues } from '../validation/described.ts';
import { deliveryStateTexts, eventTypeText, subscriptionIdText } from './webhook-texts.ts';
import { instantField, uuid } from '../validation/fields.ts';
import {
  booleanParameter,
  enumParameter,
  eventIdParameter,
  query,
  uuidParameter,
  vendorIdParameter,
} from '../validation/query.ts';
import { field, titled } from '../validation/response-parts.ts';
import { sample } from '../validation/sample.ts';
import { redeliverEvent } from './redeliver-event.ts';
import { attemptDetails, attemptDetailsResponse } from './responses/attempt-details.ts';
import {
  operatorDelivery,
  operatorDeliveryResponse,
  operatorSubscriptionResponse,
} from './responses/operator-webhook.ts';

const notFound = 'NOT_FOUND_VENDOR_WEBHOOK_DELIVERY';
const notRedeliverable = 'BUSINESS_VENDOR_WEBHOOK_DELIVERY_NOT_REDELIVERABLE';
/** The body of recover-dead-letters. */
export const recoverBody = v.strictObject({
  subscriptionId: described(uuid, ...subscriptionIdText),
  since: described(
    instantField,
    'Recovers dead letters from this instant on. RFC 3339 with a time and an offset or `Z`.',
    '2026-11-20T00:00:00Z',
  ),
});
const recoveredResponse = titled('WebhookRecovery', {
  recovered: field.integer('The number of dead letters that were put on a new retry schedule.', 12),
});
const { waiting, deadLettered, succeeded } = deliveryStateTexts;

/**
 * Deliveries of every vendor: list, read, redeliver one, recover all of a subscription; and the
 * subscriptions.
 */
export const operatorWebhookRoutes: AddRoutes = (app, { sql, lists, temporalUi }) => {
  const route = operatorRoutes(app, { role: 'Operations', tag: 'Operator: webhooks' });
  route({
    at: 'GET /operator/v1/webhook-deliveries',
    operationId: 'listDeliveries',
    summary: 'List deliveries, newest first',
    description:
      'Lists the deliveries of every vendor: one entry for each event and subscription, with a ' +
      'link to the history of its attempts.',
    query: query({
      state: enumParameter(
        ['waiting', 'deadLettered', 'succeeded'],
        describeValues('Only deliveries in this state.', { waiting, deadLettered, succeeded }),
        'deadLettered',
      ),
      vendorId: vendorIdParameter,
      eventType: enumParameter(eventTypes, 'Only deliveries of this event type.', eventTypeText[1]),
      eventId: eventIdParameter(
        'Only deliveries of this event: one for each subscription that gets it.',
        sample.eventId,
      ),
      subscriptionId: uuidParameter('Only deliveries to this subscription.', sample.subscriptionId),
      batchId: uuidParameter(
        'Only deliveries that were part of this delivery batch of an earlier version. The id ' +
          'is that of the workflow `webhook-delivery-batch/{id}`.',
        sample.batchId,
      ),
    }),
    payload: pageOf(operatorDeliveryResponse),
    handler: async ({ query: filter, page }) =>
      mapItems(await listDeliveries(lists, filter, page), (delivery) =>
        operatorDelivery(delivery, temporalUi),
      ),
  });
  route({
    at: 'GET /operator/v1/webhook-deliveries/:id',
    operationId: 'getDelivery',
    summary: 'Read a delivery',
    description: 'Reads one delivery, as the list shows it.',
    payload: operatorDeliveryResponse,
    notFound,
    handler: async ({ id }) =>
      operatorDelivery(orNotFound(await findDelivery(sql, id), notFound), temporalUi),
  });
  route({
    at: 'GET /operator/v1/webhook-deliveries/:id/attempts',
    operationId: 'listAttemptsOfDelivery',
    summary: 'List the attempts of a delivery, newest first',
    description:
      'Lists each attempt with its request and its response, as its vendor reads them: without ' +
      'the signature, the values of custom headers, and secrets.',
    payload: pageOf(attemptDetailsResponse),
    notFound,
    handler: async ({ id, page }) => {
      orNotFound(await findDelivery(sql, id), notFound);
      const found = await listAttemptDetails(lists, id, page);
      return mapItems(found, (attempt) => attemptDetails(attempt, realTime));
    },
  });
  route({
    at: 'POST /operator/v1/webhook-deliveries/:id/redeliver',
    operationId: 'redeliverDelivery',
    summary: 'Redeliver an event',
    description:
      'Starts a new retry schedule for one delivery at once. The event id stays ' +
      'the same and the attempt numbers continue. A delivery that waits for a later attempt is ' +
      'attempted now, and keeps its schedule. The call refuses a delivery whose attempt is due ' +
      'or under way, one of an inactive subscription, and a sample. It takes no body.',
    payload: operatorDeliveryResponse,
    notFound,
    refusals: [notRedeliverable],
    handler: async ({ id: deliveryId, request }) => {
      const delivery = await sql.begin((transaction) =>
        redeliverEvent(transaction, { deliveryId }, ({ state, attempts: attemptCount }) =>
          audit(transaction, request, 'delivery.redeliver', deliveryId, {
            before: { state, attemptCount },
            after: { state: 'waiting', attemptCount },
          }),
        ),
      );
      return operatorDelivery(delivery, temporalUi);
    },
  });
  route({
    at: 'POST /operator/v1/webhook-deliveries/recover',
    operationId: 'recoverDeadLetters',
    summary: 'Redeliver the dead letters of a subscription',
    description:
      'Redelivers every dead letter of an active subscription since an instant, ' +
      'by a new retry schedule, and returns their number. A repeated call finds only dead ' +
      'letters that came later.',
    body: recoverBody,
    payload: recoveredResponse,
    refusals: ['NOT_FOUND_VENDOR_WEBHOOK_SUBSCRIPTION', notRedeliverable],
    handler: async ({ body: { subscriptionId, since }, request }) => {
      const recovered = await sql.begin(async (transaction) => {
        const locked = await lockSubscription(transaction, subscriptionId);
        const subscription = orNotFound(locked, 'NOT_FOUND_VENDOR_WEBHOOK_SUBSCRIPTION');
        if (!subscription.isActive)
          throw apiError(notRedeliverable, { reason: 'SUBSCRIPTION_INACTIVE' });
        const count = await recoverDeadLetters(transaction, { subscriptionId, since });
        await audit(transaction, request, 'subscription.recover', subscriptionId, {
          before: null,
          after: { since, recovered: count },
        });
        return count;
      });
      return { recovered };
    },
  });
  route({
    at: 'GET /operator/v1/webhook-subscriptions',
    operationId: 'listSubscriptions',
    summary: 'List subscriptions, newest first',
    description:
      'Lists the subscriptions of every vendor, deleted ones included, with their failures and ' +
      'the reason why one is inactive. It never shows a secret.',
    query: query({
      vendorId: vendorIdParameter,
      isActive: booleanParameter(
        'Only active subscriptions (`true`), or only inactive ones (`false`).',
        'true',
      ),
      isDeleted: booleanParameter('Only deleted ones, or only the others.', 'false'),
    }),
    payload: pageOf(operatorSubscriptionResponse),
    handler: ({ query: filter, page }) => listSubscriptionRecords(lists, filter, page),
  });
};
