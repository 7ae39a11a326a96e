import { listSubscriptionRecords } from '../../db/webhooks/subscriptions/webhook-subscriptions.ts';
import { pageOf, pagePayload } from '../http/envelope.ts';
import { operatorRoutes, type AddRoutes } from '../define-route.ts';
import { described } from '../validation/described.ts';
import { booleanParameter, pageParameters, query, vendorIdParameter } from '../validation/query.ts';
import {
  operatorSubscription,
  operatorSubscriptionResponse,
} from './responses/operator-webhook.ts';

/** Subscriptions of every vendor. */
export const operatorWebhookSubscriptionRoutes: AddRoutes = (app, { lists }) => {
  const route = operatorRoutes(app, { role: 'Operations', tag: 'Operator: webhooks' });
  route(
    'GET /operator/v1/webhook-subscriptions',
    {
      operationId: 'listSubscriptions',
      summary: 'List subscriptions, newest first',
      description:
        'Lists the subscriptions of every vendor, deleted ones included, with their failures and ' +
        'the reason why one is inactive. It never shows a secret.',
      query: query({
        ...pageParameters,
        vendorId: vendorIdParameter,
        isActive: described(
          booleanParameter,
          'Only active subscriptions (`true`), or only inactive ones (`false`).',
          'true',
        ),
        isDeleted: described(booleanParameter, 'Only deleted ones, or only the others.', 'false'),
      }),
      payload: pageOf(operatorSubscriptionResponse),
    },
    async ({ query: { vendorId, isActive, isDeleted, ...page } }) => {
      const found = await listSubscriptionRecords(lists, { vendorId, isActive, isDeleted }, page);
      return pagePayload(found, page, operatorSubscription);
    },
  );
};
