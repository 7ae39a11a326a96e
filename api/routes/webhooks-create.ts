import { v7 as uuidv7 } from 'uuid';
import * as v from 'valibot';
import { insertSubscription } from '../../db/webhook-subscriptions.ts';
import { invalid, fieldError } from '../../domain/errors.ts';
import { capabilityForEvent, eventTypes, type EventType } from '../../domain/events.ts';
import { newWebhookSecret } from '../../security/webhook-signature.ts';
import { apiError, ApiError } from '../api-error.ts';
import { vendorOf } from '../auth/authenticate.ts';
import type { VendorCaller } from '../auth/tokens.ts';
import type { Dependencies } from '../dependencies.ts';
import { envelope, success } from '../envelope.ts';
import { text } from '../fields.ts';
import { webhookSubscription, webhookSubscriptionForm } from '../forms/webhook.ts';
import type { Routes } from '../validation.ts';

const body = v.strictObject({
  // Judged further by the guardrail, which also knows what is no URL at all.
  url: text(2048),
  eventTypes: v.pipe(
    v.array(v.unknown()),
    v.maxLength(100, 'too_long: must name at most 100 event types'),
    v.array(v.picklist(eventTypes)),
    v.minLength(1, 'required: must name at least one event type'),
    v.check((types) => new Set(types).size === types.length, 'duplicate: must not name one twice'),
  ),
});

const payload = v.object({ subscription: webhookSubscriptionForm, secret: v.string() });

/** `POST /api/v1/webhooks`: the new subscription, and its secret this one time. */
export function webhooksCreateRoute(app: Routes, dependencies: Dependencies): void {
  const { sql, sealer } = dependencies;
  app.post(
    '/api/v1/webhooks',
    {
      config: { capability: 'Orders' },
      schema: {
        body,
        response: { 201: envelope(payload) },
        tags: ['Webhooks'],
        summary: 'Subscribe a URL',
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

/** Each event type asks for its own capability (D14). */
function requireEventCapabilities(caller: VendorCaller, types: readonly EventType[]): void {
  for (const eventType of types) {
    const requiredCapability = capabilityForEvent[eventType];
    if (!caller.capabilities.includes(requiredCapability)) {
      throw apiError('FORBIDDEN_CAPABILITY_NOT_GRANTED', { requiredCapability, eventType });
    }
  }
}

/** No URL at all is 400 on Url; one that the guardrail dislikes is 422 (D7, D65). */
async function requireAllowedUrl({ checkDestination }: Dependencies, url: string): Promise<void> {
  const verdict = await checkDestination(url);
  if (verdict.kind === 'not-a-url') {
    throw new ApiError(
      invalid(fieldError('url', 'invalid_url', 'must be an absolute URL of at most 2048 characters')).failure,
    );
  }
  if (verdict.kind === 'refused') {
    throw apiError('BUSINESS_VENDOR_WEBHOOK_SUBSCRIPTION_LIMIT', {
      reason: 'URL_NOT_ALLOWED',
      message: verdict.reason,
    });
  }
}
