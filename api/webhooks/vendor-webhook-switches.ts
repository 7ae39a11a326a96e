import {
  activateSubscription,
  deleteSubscription,
  replaceSecret,
  switchOffSubscription,
  type SwitchOutcome,
} from '../../db/webhooks/subscriptions/subscription-changes.ts';
import { newWebhookSecret } from '../../security/webhook-signature.ts';
import { lockSubscription } from '../../db/webhooks/subscriptions/webhook-subscriptions.ts';
import { apiError, orNotFound } from '../http/api-error.ts';
import { audit } from '../operator/audit.ts';
import { vendorRoutes, type AddRoutes } from '../define-route.ts';
import { activeBody } from '../validation/fields.ts';
import { requireTargetCapabilities } from './webhook-body.ts';
import { subscriptionIdText, webhookSecretText } from './webhook-texts.ts';
import { deletedResponse, field, titled } from '../validation/response-parts.ts';

const notFound = 'NOT_FOUND_VENDOR_WEBHOOK_SUBSCRIPTION';
const subscriptionId = field.id(...subscriptionIdText);
const activeResponse = titled('WebhookSwitch', {
  id: subscriptionId,
  isActive: field.flag('Whether the subscription receives deliveries.', true),
});
const rotatedResponse = titled('RotatedWebhookSecret', {
  subscriptionId,
  secret: field.text(...webhookSecretText),
});

function requireDone(outcome: SwitchOutcome): void {
  if (outcome === 'none') throw apiError(notFound);
  if (outcome === 'limit')
    throw apiError('BUSINESS_VENDOR_WEBHOOK_SUBSCRIPTION_LIMIT', { reason: 'ACTIVE_LIMIT' });
}

/** Activates, deactivates and deletes a subscription, and replaces its secret. */
export const vendorWebhookSwitchRoutes: AddRoutes = (app, { sql, sealer }) => {
  const route = vendorRoutes(app, { capability: 'Orders', tag: 'Webhooks' });
  route({
    at: 'PATCH /api/v1/webhooks/:id/active',
    operationId: 'setWebhookActive',
    summary: 'Switch a subscription on or off',
    description:
      'Deactivates a subscription or activates it again. An inactive subscription gets no ' +
      'events and does not count among the five that can be active. Deactivating cancels the ' +
      'deliveries that wait; activating does not restore them. Sending the present state ' +
      'changes nothing.',
    body: activeBody,
    payload: activeResponse,
    notFound,
    refusals: ['BUSINESS_VENDOR_WEBHOOK_SUBSCRIPTION_LIMIT'],
    handler: async ({ caller: { vendorId }, id, body: { isActive }, request }) => {
      const change = isActive ? activateSubscription : switchOffSubscription;
      await sql.begin(async (transaction) => {
        const outcome = await change(transaction, vendorId, id);
        requireDone(outcome);
        if (outcome === 'unchanged') return;
        await audit(transaction, request, 'subscription.active', id, {
          before: { isActive: !isActive },
          after: { isActive },
        });
      });
      return { id, isActive };
    },
  });
  route({
    at: 'DELETE /api/v1/webhooks/:id',
    operationId: 'deleteWebhook',
    summary: 'Delete a subscription permanently',
    description:
      'Deletes a subscription permanently and cancels the deliveries that wait. You can no ' +
      'longer list its delivery attempts.',
    payload: deletedResponse,
    notFound,
    handler: async ({ caller: { vendorId }, id, request }) => {
      await sql.begin(async (transaction) => {
        requireDone(await deleteSubscription(transaction, vendorId, id));
        const change = { before: { vendorId }, after: null };
        await audit(transaction, request, 'subscription.delete', id, change);
      });
      return { deleted: true };
    },
  });
  route({
    at: 'POST /api/v1/webhooks/:id/rotate-secret',
    operationId: 'rotateWebhookSecret',
    summary: 'Replace the secret of a subscription',
    description:
      'Generates a new signing secret and returns it **this one time**. The service signs ' +
      'every later attempt with it, so the previous secret no longer verifies. Each call ' +
      'generates another secret. Each event type of the subscription requires its capability, ' +
      'and each removed one whose events wait or are dead letters. The call takes no body.',
    payload: rotatedResponse,
    notFound,
    handler: async ({ caller, id, request }) => {
      const { vendorId } = caller;
      const secret = newWebhookSecret();
      const secretSealed = sealer.seal(secret, id);
      await sql.begin(async (transaction) => {
        const found = orNotFound(await lockSubscription(transaction, id, vendorId), notFound);
        await requireTargetCapabilities(transaction, caller, found);
        requireDone(await replaceSecret(transaction, vendorId, { id, secretSealed }));
        const change = { before: null, after: { secret: 'rotated' } };
        await audit(transaction, request, 'subscription.rotate-secret', id, change);
      });
      return { subscriptionId: id, secret };
    },
  });
};
