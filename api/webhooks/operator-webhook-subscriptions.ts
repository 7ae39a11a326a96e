import { listSubscriptionRecords } from '../../db/webhooks/webhook-subscriptions.ts';
import type { Dependencies } from '../dependencies.ts';
import { envelope, pageOf, pagePayload, success } from '../http/envelope.ts';
import {
  operatorSubscription,
  operatorSubscriptionResponse,
} from './responses/operator-webhook.ts';
import { described } from '../validation/described.ts';
import { booleanParameter, pageParameters, query, vendorIdParameter } from '../validation/query.ts';
import type { Routes } from '../validation/compiler.ts';

const querystring = query({
  ...pageParameters,
  vendorId: vendorIdParameter,
  isActive: described(
    booleanParameter,
    'Only active subscriptions (`true`), or only inactive ones (`false`).',
    'true',
  ),
});

/** Subscriptions of every vendor, deleted ones included, newest first: which fail, which are inactive and why. */
export function operatorWebhookSubscriptionRoutes(app: Routes, { sql }: Dependencies): void {
  app.get(
    '/operator/v1/webhook-subscriptions',
    {
      config: { role: 'Operations' },
      schema: {
        querystring,
        response: { 200: envelope(pageOf(operatorSubscriptionResponse)) },
        tags: ['Operator: webhooks'],
        summary: 'List subscriptions, newest first',
        operationId: 'listSubscriptions',
        description:
          'Subscriptions of every vendor, deleted ones included: which fail, which are inactive and ' +
          'why. Never a secret.',
      },
    },
    async (request) => {
      const { vendorId = null, isActive = null, ...page } = request.query;
      const found = await listSubscriptionRecords(sql, { vendorId, isActive }, page);
      return success(pagePayload(found, page, operatorSubscription));
    },
  );
}
