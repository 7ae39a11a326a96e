import * as v from 'valibot';
import { listAttempts } from '../../db/webhooks/attempt-list.ts';
import { listSubscriptions } from '../../db/webhooks/webhook-subscriptions.ts';
import { vendorOf } from '../auth/authenticate.ts';
import type { Dependencies } from '../dependencies.ts';
import { envelope, pageOf, pagePayload, success } from '../http/envelope.ts';
import {
  deliveryAttempt,
  deliveryAttemptResponse,
  webhookSubscription,
  webhookSubscriptionResponse,
} from './responses/webhook.ts';
import { ownSubscription } from './own-subscription.ts';
import { pageParameters, query } from '../validation/query.ts';
import type { Routes } from '../validation/compiler.ts';

const params = v.object({ id: v.string() });
const querystring = query(pageParameters);

/** The reads of a vendor's own subscriptions and of their delivery attempts; never a secret. */
export function webhooksReadRoutes(app: Routes, { sql }: Dependencies): void {
  const config = { capability: 'Orders' } as const;
  app.get(
    '/api/v1/webhooks',
    {
      config,
      schema: {
        querystring,
        response: { 200: envelope(pageOf(webhookSubscriptionResponse)) },
        tags: ['Webhooks'],
        summary: 'List subscriptions',
        operationId: 'listWebhooks',
        description:
          'Your subscriptions, inactive ones included, with the newest first. Never a secret.',
      },
    },
    async (request) => {
      const page = await listSubscriptions(sql, vendorOf(request).vendorId, request.query);
      return success(pagePayload(page, request.query, webhookSubscription));
    },
  );
  app.get(
    '/api/v1/webhooks/:id',
    {
      config: { ...config, refusals: ['NOT_FOUND_VENDOR_WEBHOOK_SUBSCRIPTION'] },
      schema: {
        params,
        querystring: query({}),
        response: { 200: envelope(webhookSubscriptionResponse) },
        tags: ['Webhooks'],
        summary: 'Read a subscription',
        operationId: 'getWebhook',
        description:
          'One of your subscriptions, with how its last delivery went. The secret is never in it.',
      },
    },
    async (request) =>
      success(
        webhookSubscription(await ownSubscription(sql, vendorOf(request), request.params.id)),
      ),
  );
  app.get(
    '/api/v1/webhooks/:id/deliveries',
    {
      config: { ...config, refusals: ['NOT_FOUND_VENDOR_WEBHOOK_SUBSCRIPTION'] },
      schema: {
        params,
        querystring,
        response: { 200: envelope(pageOf(deliveryAttemptResponse)) },
        tags: ['Webhooks'],
        summary: 'List delivery attempts, newest first',
        operationId: 'listDeliveryAttempts',
        description:
          'Every attempt of the last 30 days, not only one for each event, with the newest first. ' +
          'Attempts of one event share their `idempotencyKey`, which is the `eventId` that your ' +
          'receiver saw. Samples by test-fire are among them.',
      },
    },
    async (request) => {
      const { id } = await ownSubscription(sql, vendorOf(request), request.params.id);
      const page = await listAttempts(sql, id, request.query);
      return success(pagePayload(page, request.query, deliveryAttempt));
    },
  );
}
