import * as v from 'valibot';
import {
  activateSubscription,
  deleteSubscription,
  replaceSecret,
  switchOffSubscription,
} from '../../db/webhooks/subscription-changes.ts';
import { newWebhookSecret } from '../../security/webhook-signature.ts';
import { apiError } from '../http/api-error.ts';
import { vendorOf } from '../auth/authenticate.ts';
import type { Dependencies } from '../dependencies.ts';
import { envelope, success } from '../http/envelope.ts';
import { described } from '../validation/described.ts';
import { activeField } from '../operator/switch-active.ts';
import { deletedResponse, id } from '../validation/response-parts.ts';
import { subscriptionIdText, webhookSecretText } from './webhook-texts.ts';
import { requireSubscription, subscriptionIdOf } from './own-subscription.ts';
import type { Routes } from '../validation/compiler.ts';

const config = { capability: 'Orders' } as const;
const params = v.object({ id: v.string() });
const tags = ['Webhooks'];
const activeResponse = v.object({
  id: described(id, ...subscriptionIdText),
  isActive: described(v.boolean(), 'Whether the subscription receives deliveries.', true),
});
const rotatedResponse = v.object({
  subscriptionId: described(id, ...subscriptionIdText),
  secret: described(v.string(), ...webhookSecretText),
});

/** Switches a subscription on and off, deletes it, and replaces its secret. */
export function webhooksSwitchRoutes(app: Routes, dependencies: Dependencies): void {
  activeRoute(app, dependencies);
  deleteRoute(app, dependencies);
  rotateSecretRoute(app, dependencies);
}

/** `PATCH /api/v1/webhooks/{id}/active`: at most five are active (part 8). */
function activeRoute(app: Routes, { sql }: Dependencies): void {
  app.patch(
    '/api/v1/webhooks/:id/active',
    {
      config: {
        ...config,
        refusals: [
          'NOT_FOUND_VENDOR_WEBHOOK_SUBSCRIPTION',
          'BUSINESS_VENDOR_WEBHOOK_SUBSCRIPTION_LIMIT',
        ],
      },
      schema: {
        params,
        body: v.strictObject({ isActive: activeField }),
        response: { 200: envelope(activeResponse) },
        tags,
        summary: 'Switch a subscription on or off',
        operationId: 'setWebhookActive',
        description:
          'An inactive subscription gets nothing, and does not count among the five that may be ' +
          'active. Switching off ends at once what waits to be delivered; switching on again does ' +
          'not bring it back. The state that it has already changes nothing.',
      },
    },
    async (request) => {
      const { vendorId } = vendorOf(request);
      const subscriptionId = subscriptionIdOf(request.params.id);
      const { isActive } = request.body;
      const change = isActive ? activateSubscription : switchOffSubscription;
      const outcome = await sql.begin((transaction) =>
        change(transaction, vendorId, subscriptionId),
      );
      requireSubscription(outcome !== 'none');
      if (outcome === 'limit') {
        throw apiError('BUSINESS_VENDOR_WEBHOOK_SUBSCRIPTION_LIMIT', { reason: 'ACTIVE_LIMIT' });
      }
      return success({ id: subscriptionId, isActive });
    },
  );
}

/** `DELETE /api/v1/webhooks/{id}`: for its vendor it is gone. */
function deleteRoute(app: Routes, { sql }: Dependencies): void {
  app.delete(
    '/api/v1/webhooks/:id',
    {
      config: { ...config, refusals: ['NOT_FOUND_VENDOR_WEBHOOK_SUBSCRIPTION'] },
      schema: {
        params,
        response: { 200: envelope(deletedResponse) },
        tags,
        summary: 'Delete a subscription',
        operationId: 'deleteWebhook',
        description:
          'Deletes a subscription for ever and ends what waits to be delivered to it. Its delivery ' +
          'attempts can no longer be read.',
      },
    },
    async (request) => {
      const { vendorId } = vendorOf(request);
      const subscriptionId = subscriptionIdOf(request.params.id);
      const outcome = await sql.begin((transaction) =>
        deleteSubscription(transaction, vendorId, subscriptionId),
      );
      requireSubscription(outcome !== 'none');
      return success({ deleted: true });
    },
  );
}

/** `POST /api/v1/webhooks/{id}/rotate-secret`: the new secret, this one time; the previous one verifies nothing more. */
function rotateSecretRoute(app: Routes, { sql, sealer }: Dependencies): void {
  app.post(
    '/api/v1/webhooks/:id/rotate-secret',
    {
      config: { ...config, refusals: ['NOT_FOUND_VENDOR_WEBHOOK_SUBSCRIPTION'] },
      schema: {
        params,
        response: { 200: envelope(rotatedResponse) },
        tags,
        summary: 'Replace the secret of a subscription',
        operationId: 'rotateWebhookSecret',
        description:
          'Makes a new signing secret and answers it **this one time**. Every attempt from now on ' +
          'is signed with it, and the previous secret stops verifying at once. Each call makes ' +
          'another one; it takes no body.',
      },
    },
    async (request) => {
      const { vendorId } = vendorOf(request);
      const subscriptionId = subscriptionIdOf(request.params.id);
      const secret = newWebhookSecret();
      const secretSealed = sealer.seal(secret, subscriptionId);
      const outcome = await replaceSecret(sql, vendorId, { id: subscriptionId, secretSealed });
      requireSubscription(outcome !== 'none');
      return success({ subscriptionId, secret });
    },
  );
}
