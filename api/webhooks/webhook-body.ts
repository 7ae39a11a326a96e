import * as v from 'valibot';
import type { Queryable } from '../../db/core/client.ts';
import { undeliveredTypes } from '../../db/webhooks/subscriptions/subscription-changes.ts';
import type { WebhookSubscription } from '../../db/webhooks/subscriptions/webhook-subscriptions.ts';
import { capabilityForEvent, eventTypes, type EventType } from '../../domain/webhooks/events.ts';
import { isAbsoluteUrl } from '../../guardrail/url.ts';
import { apiError } from '../http/api-error.ts';
import type { VendorCaller } from '../auth/tokens.ts';
import type { Dependencies } from '../dependencies.ts';
import { described } from '../validation/described.ts';
import { optionalField, text } from '../validation/fields.ts';
import { jsonSchemaOf } from '../validation/json-schema.ts';
import { headerList } from './custom-headers.ts';
import { eventTypeListText, webhookUrlText } from './webhook-texts.ts';

/** A receiver's URL. Text that is no URL is refused here; the guardrail checks the rest. */
const webhookUrl = v.pipe(
  text(2048),
  v.check(isAbsoluteUrl, 'invalid_url: must be an absolute URL'),
  v.metadata({ jsonSchema: { maxLength: 2048, format: 'uri' } }),
);

/** Named, because openapi-generator's Java does not compile with a list of unnamed ones. */
const subscribableEventType = v.pipe(v.picklist(eventTypes), v.title('SubscribableEventType'));

/** At least one event type, without duplicates. Like every list, its length comes first. */
const eventTypeList = v.pipe(
  v.array(v.unknown()),
  v.minLength(1, 'required: must name at least one event type'),
  v.maxLength(100, 'too_long: must name at most 100 event types'),
  v.metadata({ jsonSchema: { items: jsonSchemaOf(subscribableEventType), uniqueItems: true } }),
  v.array(v.picklist(eventTypes)),
  v.check(
    (types) => new Set(types).size === types.length,
    'duplicate: must not contain an event type twice',
  ),
);

const headersText =
  'Headers that each request to the receiver has, at most five. Not those that the gateway sets.';
const headersExample = [{ name: 'authorization', value: 'Bearer 5c1f' }];

export const createWebhookBody = v.strictObject({
  url: described(webhookUrl, ...webhookUrlText),
  eventTypes: described(eventTypeList, ...eventTypeListText),
  headers: described(optionalField(headerList), headersText, headersExample),
  ping: described(
    optionalField(v.boolean()),
    'Whether to send a sample of the first event type at once. Default: false.',
    true,
  ),
});

/** Null and an omitted field keep the stored value, but null removes the headers. */
export const updateWebhookBody = v.pipe(
  v.strictObject({
    url: described(
      optionalField(webhookUrl),
      `${webhookUrlText[0]} Omit it or send null to keep it.`,
      webhookUrlText[1],
    ),
    eventTypes: described(
      optionalField(eventTypeList),
      `${eventTypeListText[0]}\n\nOmit them or send null to keep them.`,
      eventTypeListText[1],
    ),
    headers: described(
      v.optional(v.nullable(headerList)),
      `${headersText} Omit them to keep them; null and an empty list remove them.`,
      headersExample,
    ),
  }),
  v.title('UpdateWebhookRequest'),
);

/** Throws 403 when the caller lacks the capability that an event type requires. */
export function requireEventCapabilities(caller: VendorCaller, types: readonly EventType[]): void {
  for (const eventType of types) {
    const requiredCapability = capabilityForEvent[eventType];
    if (!caller.capabilities.includes(requiredCapability)) {
      throw apiError('FORBIDDEN_CAPABILITY_NOT_GRANTED', { requiredCapability, eventType });
    }
  }
}

/**
 * Throws 403 unless the caller holds the capability of each type whose events a new URL or secret
 * of a subscription receives: the subscribed types, and removed ones with events to deliver.
 */
export async function requireTargetCapabilities(
  sql: Queryable,
  caller: VendorCaller,
  subscription: WebhookSubscription,
): Promise<void> {
  const { eventTypes: subscribed } = subscription;
  requireEventCapabilities(caller, subscribed);
  const lacking = eventTypes.filter(
    (type) => !subscribed.includes(type) && !caller.capabilities.includes(capabilityForEvent[type]),
  );
  requireEventCapabilities(caller, await undeliveredTypes(sql, subscription, lacking));
}

/**
 * A subscription for the audit log. Receivers may keep a secret in the path or the query of their
 * URL, so only its origin is recorded.
 */
export const auditedSubscription = ({
  url,
  eventTypes: types,
  headerNames,
}: Pick<WebhookSubscription, 'url' | 'eventTypes' | 'headerNames'>) => ({
  urlOrigin: new URL(url).origin,
  eventTypes: [...types],
  ...(headerNames.length === 0 ? {} : { headerNames: [...headerNames] }),
});

/** How the operator of a gateway for development allows a local receiver. */
const exemption = (origin: string): string =>
  `. In development, the operator can add ${origin} to WEBHOOK_ALLOWED_ORIGINS.`;

/** Throws 422 when the guardrail refuses the URL. */
export async function requireAllowedUrl(
  { checkDestination }: Pick<Dependencies, 'checkDestination'>,
  url: string,
): Promise<void> {
  const verdict = await checkDestination(url);
  if (verdict.kind === 'allowed') return;
  const { reason, localOrigin } =
    verdict.kind === 'refused' ? verdict : { reason: 'not a URL', localOrigin: undefined };
  throw apiError('BUSINESS_VENDOR_WEBHOOK_SUBSCRIPTION_LIMIT', {
    reason: 'URL_NOT_ALLOWED',
    message: localOrigin === undefined ? reason : `${reason}${exemption(localOrigin)}`,
  });
}
