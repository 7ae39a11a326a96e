import * as v from 'valibot';
import { listDeliveries, type WebhookDelivery } from '../../../db/webhook-deliveries.ts';
import { eventTypes } from '../../../domain/events.ts';
import { webhookDeliveryId } from '../../../workflows/ids.ts';
import type { Dependencies } from '../../dependencies.ts';
import { envelope, pageOf, pagePayload, success } from '../../envelope.ts';
import { id, instant } from '../../forms/parts.ts';
import { enumParameter, pageParameters, query, uuidParameter } from '../../query.ts';
import type { Routes } from '../../validation.ts';
import { workflowLink, workflowLinkForm } from '../../workflow-link.ts';

const querystring = query({
  ...pageParameters,
  state: enumParameter(['waiting', 'deadLettered', 'succeeded']),
  vendorId: uuidParameter,
  eventType: enumParameter(eventTypes),
});

const deliveryForm = v.object({
  id,
  eventId: v.string(),
  eventType: v.picklist(eventTypes),
  vendorId: id,
  subscriptionId: id,
  state: v.picklist(['waiting', 'succeeded', 'deadLettered', 'cancelled']),
  createdAt: instant,
  workflow: workflowLinkForm,
});

/** Deliveries of every vendor, newest first, each with the link to its history. */
export function operatorWebhookDeliveryRoutes(app: Routes, { sql, temporalUi }: Dependencies): void {
  const toForm = (delivery: WebhookDelivery): v.InferInput<typeof deliveryForm> => ({
    ...delivery,
    createdAt: delivery.createdAt.toISOString(),
    workflow: workflowLink(webhookDeliveryId(delivery.id), temporalUi),
  });
  app.get(
    '/operator/v1/webhook-deliveries',
    {
      config: { role: 'Operations' },
      schema: {
        querystring,
        response: { 200: envelope(pageOf(deliveryForm)) },
        tags: ['Operator: webhooks'],
        summary: 'List deliveries, newest first',
      },
    },
    async (request) => {
      const { state = null, vendorId = null, eventType = null, ...page } = request.query;
      const found = await listDeliveries(sql, { state, vendorId, eventType }, page);
      return success(pagePayload(found, page, toForm));
    },
  );
}
