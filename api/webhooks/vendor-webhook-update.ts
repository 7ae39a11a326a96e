import * as v from 'valibot';
import type { Sql } from '../../db/core/client.ts';
import { storeSubscription } from '../../db/webhooks/subscription-changes.ts';
import type { WebhookSubscription } from '../../db/webhooks/webhook-subscriptions.ts';
import type { EventType } from '../../domain/webhooks/events.ts';
import { vendorOf } from '../auth/authenticate.ts';
import type { VendorCaller } from '../auth/tokens.ts';
import type { Dependencies } from '../dependencies.ts';
import { envelope, success } from '../http/envelope.ts';
import { described } from '../validation/described.ts';
import { optionalField } from '../validation/fields.ts';
import { webhookSubscription, webhookSubscriptionResponse } from './responses/webhook.ts';
import { lockOwnSubscription, ownSubscription } from './own-subscription.ts';
import { eventTypeListText, webhookUrlText } from './webhook-texts.ts';
import type { Routes } from '../validation/compiler.ts';
import {
  eventTypeList,
  requireAllowedUrl,
  requireEventCapabilities,
  webhookUrl,
} from './webhook-body.ts';

const body = v.strictObject({
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
});

const places = [
  { path: '/api/v1/webhooks/:id', operationId: 'updateWebhook' },
  { path: '/api/v1/scent/webhooks/:id', operationId: 'updateScentWebhook' },
] as const;

type Update = {
  readonly caller: VendorCaller;
  readonly rawId: string;
  /** Null leaves it as it is. */
  readonly url: string | null;
  readonly eventTypes: readonly EventType[] | null;
};

/** `PUT /api/v1/webhooks/{id}`, and the same under `/scent`. */
export function webhooksUpdateRoutes(app: Routes, dependencies: Dependencies): void {
  for (const { path, operationId } of places) {
    app.put(
      path,
      {
        config: {
          capability: 'Orders',
          refusals: [
            'NOT_FOUND_VENDOR_WEBHOOK_SUBSCRIPTION',
            'BUSINESS_VENDOR_WEBHOOK_SUBSCRIPTION_LIMIT',
          ],
        },
        schema: {
          params: v.object({ id: v.string() }),
          body,
          response: { 200: envelope(webhookSubscriptionResponse) },
          tags: ['Webhooks'],
          summary: 'Change the URL or the event types of a subscription',
          operationId,
          description:
            'Replaces the URL, the event types or both; what is left out, or null, stays. A new URL ' +
            'is judged as at creation, and each event type that is added asks for its capability. The ' +
            'change counts from the next attempt on, also for events that wait for a retry.',
        },
      },
      async (request) => {
        const caller = vendorOf(request);
        const changed = await change(dependencies, {
          ...request.body,
          caller,
          rawId: request.params.id,
        });
        return success(webhookSubscription(changed));
      },
    );
  }
}

/** A new URL is judged before any row is locked, since its host name is looked up; what counts as new, by the locked row. */
async function change(dependencies: Dependencies, update: Update): Promise<WebhookSubscription> {
  const { caller, rawId, url, eventTypes } = update;
  const found = await ownSubscription(dependencies.sql, caller, rawId);
  requireEventCapabilities(caller, addedTypes(found, eventTypes));
  const isUrlJudged = url !== null && url !== found.url;
  if (isUrlJudged) await requireAllowedUrl(dependencies, url);
  const changed = await store(dependencies.sql, update, isUrlJudged);
  return changed ?? change(dependencies, update);
}

/** Null when the URL has become a change meanwhile and is yet to be judged. */
async function store(
  sql: Sql,
  { caller, rawId, url, eventTypes }: Update,
  isUrlJudged: boolean,
): Promise<WebhookSubscription | null> {
  return sql.begin(async (transaction) => {
    const before = await lockOwnSubscription(transaction, caller, rawId);
    requireEventCapabilities(caller, addedTypes(before, eventTypes));
    if (url !== null && url !== before.url && !isUrlJudged) return null;
    const after = {
      ...before,
      url: url ?? before.url,
      eventTypes: eventTypes ?? before.eventTypes,
    };
    await storeSubscription(transaction, after);
    return after;
  });
}

const addedTypes = (
  { eventTypes: subscribed }: WebhookSubscription,
  wanted: readonly EventType[] | null,
): readonly EventType[] => (wanted ?? []).filter((eventType) => !subscribed.includes(eventType));
