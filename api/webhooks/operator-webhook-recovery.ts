import * as v from 'valibot';
import { lockDelivery, recoverDeadLetters, redeliver } from '../../db/webhooks/redelivery.ts';
import { findDelivery } from '../../db/webhooks/webhook-deliveries.ts';
import { lockSubscription } from '../../db/webhooks/webhook-subscriptions.ts';
import { apiError } from '../http/api-error.ts';
import { audit } from '../operator/audit.ts';
import type { Dependencies } from '../dependencies.ts';
import { envelope, success } from '../http/envelope.ts';
import { uuid } from '../validation/fields.ts';
import { operatorDelivery, operatorDeliveryResponse } from './responses/operator-webhook.ts';
import { integer } from '../validation/response-parts.ts';
import { parseInstant } from '../validation/instant.ts';
import { requireSubscription } from './own-subscription.ts';
import { pathId } from '../validation/path-id.ts';
import { requireRedeliverable } from './redeliverable.ts';
import { described } from '../validation/described.ts';
import { subscriptionIdText } from './webhook-texts.ts';
import type { Routes } from '../validation/compiler.ts';

const config = { role: 'Operations' } as const;
const tags = ['Operator: webhooks'];
const recoveredResponse = v.object({
  recovered: described(integer, 'The number of dead letters that were put on a new schedule.', 12),
});
const notFound = 'NOT_FOUND_VENDOR_WEBHOOK_DELIVERY';

const instant = v.pipe(
  v.string(),
  v.check(
    (value) => parseInstant(value) !== null,
    'invalid_date: must be RFC 3339 with a time and an offset',
  ),
  v.metadata({ jsonSchema: { format: 'date-time' } }),
  v.transform((value) => parseInstant(value) ?? ''),
);
const recoverBody = v.strictObject({
  subscriptionId: described(uuid, ...subscriptionIdText),
  since: described(
    instant,
    'Recovers dead letters from this instant on. RFC 3339 with a time and an offset or `Z`.',
    '2026-11-20T00:00:00Z',
  ),
});

/** Puts one delivery, or every dead letter of a subscription, on a fresh schedule. */
export function operatorWebhookRecoveryRoutes(app: Routes, dependencies: Dependencies): void {
  redeliverRoute(app, dependencies);
  recoverRoute(app, dependencies);
}

function redeliverRoute(app: Routes, { sql, temporalUi }: Dependencies): void {
  app.post(
    '/operator/v1/webhook-deliveries/:id/redeliver',
    {
      config: {
        ...config,
        refusals: [
          'NOT_FOUND_VENDOR_WEBHOOK_DELIVERY',
          'BUSINESS_VENDOR_WEBHOOK_DELIVERY_NOT_REDELIVERABLE',
        ],
      },
      schema: {
        params: v.object({ id: v.string() }),
        response: { 200: envelope(operatorDeliveryResponse) },
        tags,
        summary: 'Deliver an event once more',
        operationId: 'redeliverDelivery',
        description:
          'Puts one delivery on a fresh schedule of attempts that begins at once. Its event id ' +
          'stays and the numbering goes on. Refused while an attempt is still due, for an inactive ' +
          'subscription, and for a sample. It takes no body.',
      },
    },
    async (request) => {
      const deliveryId = pathId(request.params.id, notFound);
      const delivery = await sql.begin(async (transaction) => {
        const locked = await lockDelivery(transaction, { deliveryId });
        if (locked === null) throw apiError(notFound);
        requireRedeliverable(locked);
        await redeliver(transaction, locked);
        await audit(transaction, request, {
          action: 'delivery.redeliver',
          subjectType: 'delivery',
          subjectId: deliveryId,
          before: { state: locked.state, attemptCount: locked.attempts },
          after: { state: 'waiting', attemptCount: locked.attempts },
        });
        return findDelivery(transaction, deliveryId);
      });
      if (delivery === null) throw new Error('a delivery that was locked is not there');
      return success(operatorDelivery(delivery, temporalUi));
    },
  );
}

function recoverRoute(app: Routes, { sql }: Dependencies): void {
  app.post(
    '/operator/v1/webhook-deliveries/recover',
    {
      config: {
        ...config,
        refusals: [
          'NOT_FOUND_VENDOR_WEBHOOK_SUBSCRIPTION',
          'BUSINESS_VENDOR_WEBHOOK_DELIVERY_NOT_REDELIVERABLE',
        ],
      },
      schema: {
        body: recoverBody,
        response: { 200: envelope(recoveredResponse) },
        tags,
        summary: 'Deliver once more what was given up since an instant',
        operationId: 'recoverDeadLetters',
        description:
          'Puts every dead letter of an active subscription since an instant on a fresh schedule, ' +
          'and answers how many there were. Called again, it finds only what was given up anew.',
      },
    },
    async (request) => {
      const { subscriptionId, since } = request.body;
      const recovered = await sql.begin(async (transaction) => {
        const subscription = await lockSubscription(transaction, subscriptionId);
        requireSubscription(subscription !== null);
        if (!subscription.isActive) {
          const reason = 'SUBSCRIPTION_INACTIVE';
          throw apiError('BUSINESS_VENDOR_WEBHOOK_DELIVERY_NOT_REDELIVERABLE', { reason });
        }
        const count = await recoverDeadLetters(transaction, { subscriptionId, since });
        await audit(transaction, request, {
          action: 'subscription.recover',
          subjectType: 'subscription',
          subjectId: subscriptionId,
          before: null,
          after: { since, recovered: count },
        });
        return count;
      });
      return success({ recovered });
    },
  );
}
