import { v7 as uuidv7 } from 'uuid';
import * as v from 'valibot';
import { insertSubscription } from '../../db/webhooks/webhook-subscriptions.ts';
import { newWebhookSecret } from '../../security/webhook-signature.ts';
import { apiError } from '../http/api-error.ts';
import { vendorOf } from '../auth/authenticate.ts';
import type { Dependencies } from '../dependencies.ts';
import { envelope, success } from '../http/envelope.ts';
import { webhookSubscription, webhookSubscriptionResponse } from './responses/webhook.ts';
import { described } from '../validation/described.ts';
import { eventTypeListText, webhookSecretText, webhookUrlText } from './webhook-texts.ts';
import type { Routes } from '../validation/compiler.ts';
import {
  eventTypeList,
  requireAllowedUrl,
  requireEventCapabilities,
  webhookUrl,
} from './webhook-body.ts';

const body = v.strictObject({
  url: described(webhookUrl, ...webhookUrlText),
  eventTypes: described(eventTypeList, ...eventTypeListText),
});
const payload = v.object({
  subscription: described(webhookSubscriptionResponse, 'The new subscription.'),
  secret: described(v.string(), ...webhookSecretText),
});

/** `POST /api/v1/webhooks`: the new subscription, and its secret this one time. */
export function webhooksCreateRoute(app: Routes, dependencies: Dependencies): void {
  const { sql, sealer } = dependencies;
  app.post(
    '/api/v1/webhooks',
    {
      config: { capability: 'Orders', refusals: ['BUSINESS_VENDOR_WEBHOOK_SUBSCRIPTION_LIMIT'] },
      schema: {
        body,
        response: { 201: envelope(payload) },
        tags: ['Webhooks'],
        summary: 'Subscribe a URL',
        operationId: 'createWebhook',
        description:
          'Subscribes a receiver to one or more event types. Each type asks for its own capability: ' +
          '`vendor.order.assigned` for `Orders`, `vendor.offer.review-decision` for `Offers`. The ' +
          'URL is https on port 443 or 8443, to a public host by name. At most five subscriptions ' +
          'are active. The answer carries the signing `secret` **this one time**; see ' +
          '[Webhooks](/docs/webhooks) for how to verify by it.',
      },
    },
    async (request, reply) => {
      const caller = vendorOf(request);
      const { url, eventTypes: types } = request.body;
      requireEventCapabilities(caller, types);
      await requireAllowedUrl(dependencies, url);
      const id = uuidv7();
      const secret = newWebhookSecret();
      const created = await sql.begin((transaction) =>
        insertSubscription(transaction, {
          id,
          vendorId: caller.vendorId,
          url,
          eventTypes: types,
          secretSealed: sealer.seal(secret, id),
        }),
      );
      if (created === null) {
        throw apiError('BUSINESS_VENDOR_WEBHOOK_SUBSCRIPTION_LIMIT', { reason: 'ACTIVE_LIMIT' });
      }
      return reply.code(201).send(success({ subscription: webhookSubscription(created), secret }));
    },
  );
}
