import * as v from 'valibot';
import { eventTypes } from '../../domain/webhooks/events.ts';
import { vendorOf } from '../auth/authenticate.ts';
import type { Dependencies } from '../dependencies.ts';
import { envelope, success } from '../http/envelope.ts';
import { deliveryAttempt, deliveryAttemptResponse } from './responses/webhook.ts';
import { described } from '../validation/described.ts';
import { eventTypeText } from './webhook-texts.ts';
import { testFire } from './test-fire.ts';
import type { Routes } from '../validation/compiler.ts';

/** `POST /api/v1/webhooks/{id}/test-fire`: a sample, through the real path, and what became of it (part 4, rule 4). */
export function webhooksTestFireRoute(app: Routes, dependencies: Dependencies): void {
  app.post(
    '/api/v1/webhooks/:id/test-fire',
    {
      config: {
        capability: 'Orders',
        handlerTimeoutMs: dependencies.testFires.timeoutMs + 5000,
        refusals: [
          'VALIDATION_WEBHOOK_EVENT_TYPE_NOT_SUBSCRIBED',
          'NOT_FOUND_VENDOR_WEBHOOK_SUBSCRIPTION',
          'BUSINESS_VENDOR_WEBHOOK_SUBSCRIPTION_INACTIVE',
        ],
      },
      schema: {
        params: v.object({ id: v.string() }),
        body: v.strictObject({
          eventType: described(v.picklist(eventTypes), ...eventTypeText),
        }),
        response: { 200: envelope(deliveryAttemptResponse) },
        tags: ['Webhooks'],
        summary: 'Send a sample event',
        operationId: 'testFireWebhook',
        description:
          'Sends a made-up event of a subscribed type through the real path, signature and URL ' +
          'checks included, with `test: true` in its envelope. It is one attempt without retries. ' +
          'The call waits for it and answers it with 200, also when your receiver failed: look at ' +
          '`succeeded`. The subscription must be active.',
      },
    },
    async (request) => {
      const { eventType } = request.body;
      const asked = { caller: vendorOf(request), rawId: request.params.id, eventType };
      return success(deliveryAttempt(await testFire(dependencies, asked)));
    },
  );
}
