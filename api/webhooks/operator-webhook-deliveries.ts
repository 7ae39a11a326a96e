import { listDeliveries } from '../../db/webhooks/webhook-deliveries.ts';
import { eventTypes } from '../../domain/webhooks/events.ts';
import type { Dependencies } from '../dependencies.ts';
import { envelope, pageOf, pagePayload, success } from '../http/envelope.ts';
import { operatorDelivery, operatorDeliveryResponse } from './responses/operator-webhook.ts';
import { described, describeValues } from '../validation/described.ts';
import { deliveryStateTexts, eventTypeText } from './webhook-texts.ts';
import { enumParameter, pageParameters, query, vendorIdParameter } from '../validation/query.ts';
import type { Routes } from '../validation/compiler.ts';

const { waiting, deadLettered, succeeded } = deliveryStateTexts;
const querystring = query({
  ...pageParameters,
  state: described(
    enumParameter(['waiting', 'deadLettered', 'succeeded']),
    describeValues('Only deliveries in this state.', { waiting, deadLettered, succeeded }),
    'deadLettered',
  ),
  vendorId: vendorIdParameter,
  eventType: described(
    enumParameter(eventTypes),
    `Only deliveries of this event type. ${eventTypeText[0]}`,
    eventTypeText[1],
  ),
});

/** Deliveries of every vendor, newest first, each with the link to its history. */
export function operatorWebhookDeliveryRoutes(
  app: Routes,
  { sql, temporalUi }: Dependencies,
): void {
  app.get(
    '/operator/v1/webhook-deliveries',
    {
      config: { role: 'Operations' },
      schema: {
        querystring,
        response: { 200: envelope(pageOf(operatorDeliveryResponse)) },
        tags: ['Operator: webhooks'],
        summary: 'List deliveries, newest first',
        operationId: 'listDeliveries',
        description:
          'One entry for each event and subscription, of every vendor, with the link to the history ' +
          'of its attempts.',
      },
    },
    async (request) => {
      const { state = null, vendorId = null, eventType = null, ...page } = request.query;
      const found = await listDeliveries(sql, { state, vendorId, eventType }, page);
      return success(
        pagePayload(found, page, (delivery) => operatorDelivery(delivery, temporalUi)),
      );
    },
  );
}
