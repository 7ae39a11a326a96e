import * as v from 'valibot';
import { lockDelivery, redeliver } from '../../db/webhooks/redelivery.ts';
import { findDelivery } from '../../db/webhooks/webhook-deliveries.ts';
import { apiError } from '../http/api-error.ts';
import { vendorOf } from '../auth/authenticate.ts';
import type { Dependencies } from '../dependencies.ts';
import { envelope, success } from '../http/envelope.ts';
import { vendorDelivery, vendorDeliveryResponse } from './responses/webhook.ts';
import { lockOwnSubscription } from './own-subscription.ts';
import { pathId } from '../validation/path-id.ts';
import { requireRedeliverable } from './redeliverable.ts';
import type { Routes } from '../validation/compiler.ts';

const notFound = 'NOT_FOUND_VENDOR_WEBHOOK_DELIVERY';

/** `POST /api/v1/webhooks/{id}/deliveries/{attemptId}/redeliver`: the attempt's event, on a fresh schedule (D51). */
export function webhooksRedeliverRoute(app: Routes, { sql }: Dependencies): void {
  app.post(
    '/api/v1/webhooks/:id/deliveries/:attemptId/redeliver',
    {
      config: {
        capability: 'Orders',
        refusals: [
          'NOT_FOUND_VENDOR_WEBHOOK_SUBSCRIPTION',
          'NOT_FOUND_VENDOR_WEBHOOK_DELIVERY',
          'BUSINESS_VENDOR_WEBHOOK_DELIVERY_NOT_REDELIVERABLE',
        ],
      },
      schema: {
        params: v.object({ id: v.string(), attemptId: v.string() }),
        response: { 200: envelope(vendorDeliveryResponse) },
        tags: ['Webhooks'],
        summary: 'Deliver an event once more',
        operationId: 'redeliverEvent',
        description:
          'Puts the event of an attempt on a fresh schedule of attempts that begins at once, ' +
          'whether it was delivered or given up. The `idempotencyKey` stays and the numbering goes ' +
          'on, so a receiver that deduplicates drops what it has. Refused while an attempt is still ' +
          'due, for an inactive subscription, and for a sample. It takes no body.',
      },
    },
    async (request) => {
      const caller = vendorOf(request);
      const { id, attemptId } = request.params;
      const delivery = await sql.begin(async (transaction) => {
        const subscription = await lockOwnSubscription(transaction, caller, id);
        const locked = await lockDelivery(transaction, {
          attemptId: pathId(attemptId, notFound),
          subscriptionId: subscription.id,
          vendorId: caller.vendorId,
        });
        if (locked === null) throw apiError(notFound);
        requireRedeliverable(locked);
        await redeliver(transaction, locked);
        return findDelivery(transaction, locked.id);
      });
      if (delivery === null) throw new Error('a delivery that was locked is not there');
      return success(vendorDelivery(delivery));
    },
  );
}
