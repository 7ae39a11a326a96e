import type { FastifyRequest } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import * as v from 'valibot';
import {
  findSubscription,
  insertSubscription,
  listSubscriptions,
  reachedLimit,
  type WebhookSubscription,
} from '../../db/webhooks/subscriptions/webhook-subscriptions.ts';
import { newWebhookSecret } from '../../security/webhook-signature.ts';
import type { Dependencies } from '../dependencies.ts';
import { apiError, orNotFound } from '../http/api-error.ts';
import { mapItems, pageOf } from '../http/envelope.ts';
import { audit } from '../operator/audit.ts';
import { afterCommit } from '../commands/after-commit.ts';
import { vendorRoutes, type AddRoutes } from '../define-route.ts';
import { readVendorClock } from '../sandbox/vendor-clock.ts';
import { described } from '../validation/described.ts';
import { field, titled } from '../validation/response-parts.ts';
import {
  deliveryAttempt,
  deliveryAttemptResponse,
  webhookSubscription,
  webhookSubscriptionResponse,
} from './responses/webhook.ts';
import { testFire } from './test-fire.ts';
import {
  auditedSubscription,
  createWebhookBody,
  requireAllowedUrl,
  requireEventCapabilities,
} from './webhook-body.ts';
import { storedHeaders } from './custom-headers.ts';
import { webhookSecretText } from './webhook-texts.ts';

const notFound = 'NOT_FOUND_VENDOR_WEBHOOK_SUBSCRIPTION';
const createdResponse = titled('CreatedWebhookSubscription', {
  subscription: described(webhookSubscriptionResponse, 'The new subscription.'),
  secret: field.text(...webhookSecretText),
  ping: described(
    v.optional(v.nullable(deliveryAttemptResponse)),
    'The attempt of the sample; null if it could not be made in time, and with an ' +
      '`Idempotency-Key`. Present only with `ping`.',
  ),
});

/** A vendor's own subscriptions: create, list and read. */
export const vendorWebhookSubscriptionRoutes: AddRoutes = (app, dependencies) => {
  const { environment, sql, lists, sealer, testFires } = dependencies;
  const route = vendorRoutes(app, { capability: 'Orders', tag: 'Webhooks' });
  route({
    at: 'POST /api/v1/webhooks',
    operationId: 'createWebhook',
    summary: 'Subscribe a URL',
    description:
      'Subscribes a receiver to one or more event types. Each type requires a capability: ' +
      '`vendor.order.assigned` requires `Orders`, `vendor.offer.review-decision` requires ' +
      '`Offers`. The URL must be https on port 443 or 8443 and name a public host. At most ' +
      'five subscriptions can be active, and you can have twenty altogether; deleted ones do ' +
      'not count. The response contains the signing `secret` **this one time**; only a call ' +
      'with the `Idempotency-Key` of the first gets it again. With `ping` the call also sends ' +
      'a sample of the first event type, as test-fire does, and waits for it unless it has a ' +
      'key. [Webhooks](/docs/webhooks) explains how to verify signatures.',
    config: { handlerTimeoutMs: testFires.timeoutMs + 5000, waitsForOthers: true },
    body: createWebhookBody,
    payload: createdResponse,
    statuses: [201],
    makesSecret: true,
    refusals: ['BUSINESS_VENDOR_WEBHOOK_SUBSCRIPTION_LIMIT'],
    handler: async ({ caller, body, request, sql: commands }) => {
      const { url, eventTypes, headers, ping } = body;
      const id = uuidv7();
      const secret = newWebhookSecret();
      const secretSealed = sealer.seal(secret, id);
      const { vendorId } = caller;
      const created = await commands.begin(async (transaction) => {
        const custom = storedHeaders(sealer, headers ?? [], id);
        const wanted = { id, vendorId, url, eventTypes, secretSealed, headers: custom };
        const stored = await insertSubscription(transaction, wanted);
        if (stored === null) {
          const reason = await reachedLimit(transaction, vendorId);
          throw apiError('BUSINESS_VENDOR_WEBHOOK_SUBSCRIPTION_LIMIT', { reason });
        }
        const change = { before: null, after: { vendorId, ...auditedSubscription(stored) } };
        await audit(transaction, request, 'subscription.create', id, change);
        return stored;
      });
      const clock = await readVendorClock({ environment, sql: commands }, vendorId);
      const response = { subscription: webhookSubscription(created, clock), secret };
      if (ping !== true) return response;
      const send = () => pingNew(dependencies, created, request);
      if (commands.isInTransaction !== true) return { ...response, ping: await send() };
      // The response is kept in the transaction of the subscription, before a sample can be sent.
      afterCommit(request, () => void send());
      return { ...response, ping: null };
    },
    prepare: async ({ caller, body: { url, eventTypes } }) => {
      requireEventCapabilities(caller, eventTypes);
      await requireAllowedUrl(dependencies, url);
    },
  });
  route({
    at: 'GET /api/v1/webhooks',
    operationId: 'listWebhooks',
    summary: 'List subscriptions',
    description:
      'Lists your subscriptions, newest first, inactive ones included. It never shows a secret.',
    payload: pageOf(webhookSubscriptionResponse),
    handler: async ({ caller: { vendorId }, page }) => {
      const clock = await readVendorClock(dependencies, vendorId);
      const found = await listSubscriptions(lists, vendorId, page);
      return mapItems(found, (one) => webhookSubscription(one, clock));
    },
  });
  route({
    at: 'GET /api/v1/webhooks/:id',
    operationId: 'getWebhook',
    summary: 'Read a subscription',
    description:
      'Reads one of your subscriptions, with the result of its last delivery. It never shows ' +
      'the secret.',
    payload: webhookSubscriptionResponse,
    notFound,
    handler: async ({ caller: { vendorId }, id }) =>
      webhookSubscription(
        orNotFound(await findSubscription(sql, vendorId, id), notFound),
        await readVendorClock(dependencies, vendorId),
      ),
  });
};

/**
 * Sends a sample to a new subscription. A failure of the gateway is no failure of the call, whose
 * response is the only one with the secret.
 */
async function pingNew(
  dependencies: Dependencies,
  { id: subscriptionId, vendorId, eventTypes: [eventType] }: WebhookSubscription,
  { log }: FastifyRequest,
) {
  if (eventType === undefined) return null;
  try {
    return deliveryAttempt(
      await testFire(dependencies, { vendorId, subscriptionId, eventType }),
      await readVendorClock(dependencies, vendorId),
    );
  } catch (error) {
    log.warn({ err: error, subscriptionId }, 'the sample to a new subscription was not sent');
    return null;
  }
}
