import * as v from 'valibot';
import { fieldError, invalid } from '../domain/errors.ts';
import { capabilityForEvent, eventTypes, type EventType } from '../domain/events.ts';
import { apiError, ApiError } from './api-error.ts';
import type { VendorCaller } from './auth/tokens.ts';
import type { Dependencies } from './dependencies.ts';
import { text } from './fields.ts';
import { jsonSchemaOf } from './json-schema.ts';

/** A receiver's address; judged further by the guardrail, which also knows what is no URL at all. */
export const webhookUrl = v.pipe(text(2048), v.metadata({ jsonSchema: { maxLength: 2048, format: 'uri' } }));

/** At least one event type, none twice (D49). Its length is judged before its items, as that of every list. */
export const eventTypeList = v.pipe(
  v.array(v.unknown()),
  v.minLength(1, 'required: must name at least one event type'),
  v.maxLength(100, 'too_long: must name at most 100 event types'),
  v.metadata({ jsonSchema: { items: jsonSchemaOf(v.picklist(eventTypes)), uniqueItems: true } }),
  v.array(v.picklist(eventTypes)),
  v.check((types) => new Set(types).size === types.length, 'duplicate: must not name one twice'),
);

/** Each event type asks for its own capability (D14). */
export function requireEventCapabilities(caller: VendorCaller, types: readonly EventType[]): void {
  for (const eventType of types) {
    const requiredCapability = capabilityForEvent[eventType];
    if (!caller.capabilities.includes(requiredCapability)) {
      throw apiError('FORBIDDEN_CAPABILITY_NOT_GRANTED', { requiredCapability, eventType });
    }
  }
}

/** No URL at all is 400 on Url; one that the guardrail dislikes is 422 (D7, D65). */
export async function requireAllowedUrl(
  { checkDestination }: Pick<Dependencies, 'checkDestination'>,
  url: string,
): Promise<void> {
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
