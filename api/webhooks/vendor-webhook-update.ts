import type { FastifyRequest } from 'fastify';
import type * as v from 'valibot';
import type { Queryable } from '../../db/core/client.ts';
import { readVendorClock } from '../sandbox/vendor-clock.ts';
import { storeSubscription } from '../../db/webhooks/subscriptions/subscription-changes.ts';
import {
  findSubscription,
  lockSubscription,
  type WebhookSubscription,
} from '../../db/webhooks/subscriptions/webhook-subscriptions.ts';
import { fieldError } from '../../domain/errors.ts';
import type { EventType } from '../../domain/webhooks/events.ts';
import type { VendorCaller } from '../auth/tokens.ts';
import type { Dependencies } from '../dependencies.ts';
import { orNotFound, validationErrors } from '../http/api-error.ts';
import { audit } from '../operator/audit.ts';
import { vendorRoutes, type AddRoutes } from '../define-route.ts';
import { webhookSubscription, webhookSubscriptionResponse } from './responses/webhook.ts';
import { storedHeaders } from './custom-headers.ts';
import {
  auditedSubscription,
  requireAllowedUrl,
  requireEventCapabilities,
  requireTargetCapabilities,
  updateWebhookBody,
} from './webhook-body.ts';

const notFound = 'NOT_FOUND_VENDOR_WEBHOOK_SUBSCRIPTION';
const paths = [
  {
    path: '/api/v1/webhooks/:id',
    operationId: 'updateWebhook',
    summary: 'Change the URL or the event types of a subscription',
    description:
      'Replaces the URL, the event types or the custom headers. A field that is absent keeps its ' +
      'value, and so does a null URL or list of event types. A new URL passes the same checks as ' +
      'at creation. Each added event type requires its capability; with a new URL or headers each ' +
      'subscribed one does, and each removed one whose events wait or are dead letters. The ' +
      'change applies from the next attempt on, also to events that wait for a retry.',
  },
  {
    path: '/api/v1/scent/webhooks/:id',
    operationId: 'updateScentWebhook',
    summary: 'Change a subscription (alias)',
    description: 'An alias of `PUT /api/v1/webhooks/{id}`: both do the same.',
  },
] as const;

/** Null keeps the stored URL or types, and removes the headers, which undefined keeps. */
type Update = v.InferOutput<typeof updateWebhookBody> & {
  readonly caller: VendorCaller;
  readonly request: FastifyRequest;
  readonly id: string;
};

/** The update of a subscription, under two paths. */
export const vendorWebhookUpdateRoutes: AddRoutes = (app, dependencies) => {
  const route = vendorRoutes(app, { capability: 'Orders', tag: 'Webhooks' });
  for (const { path, ...documentation } of paths) {
    route({
      at: `PUT ${path}`,
      ...documentation,
      config: { waitsForOthers: true },
      body: updateWebhookBody,
      payload: webhookSubscriptionResponse,
      notFound,
      refusals: ['BUSINESS_VENDOR_WEBHOOK_SUBSCRIPTION_LIMIT'],
      handler: async ({ caller, id, body, request }) =>
        webhookSubscription(
          await update(dependencies, { ...body, caller, id, request }),
          await readVendorClock(dependencies, caller.vendorId),
        ),
    });
  }
};

/** Checks a new URL before it locks the row, because the check looks the host name up. */
async function update(dependencies: Dependencies, wanted: Update): Promise<WebhookSubscription> {
  const { sql } = dependencies;
  const { caller, id, url } = wanted;
  const found = orNotFound(await findSubscription(sql, caller.vendorId, id), notFound);
  await requireCapabilities(sql, wanted, found);
  const isUrlChecked = url !== null && url !== found.url;
  if (isUrlChecked) await requireAllowedUrl(dependencies, url);
  const updated = await storeUpdate(dependencies, wanted, isUrlChecked);
  return updated ?? update(dependencies, wanted);
}

/** Null when a concurrent update has made the unchecked URL a new one. */
const storeUpdate = (
  { sql, sealer }: Dependencies,
  wanted: Update,
  isUrlChecked: boolean,
): Promise<WebhookSubscription | null> =>
  sql.begin(async (transaction) => {
    const { caller, request, id, url, eventTypes, headers } = wanted;
    const before = orNotFound(await lockSubscription(transaction, id, caller.vendorId), notFound);
    await requireCapabilities(transaction, wanted, before);
    if (url !== null && url !== before.url && !isUrlChecked) return null;
    requireHeadersAgain(wanted, before);
    const custom = headers === undefined ? null : storedHeaders(sealer, headers ?? [], id);
    const after = {
      ...before,
      url: url ?? before.url,
      eventTypes: eventTypes ?? before.eventTypes,
      headerNames: custom?.headerNames ?? before.headerNames,
    };
    await storeSubscription(transaction, after, custom);
    const isUrlChanged = after.url !== before.url;
    await audit(transaction, request, 'subscription.update', id, {
      before: auditedSubscription(before),
      after: {
        ...auditedSubscription(after),
        ...(isUrlChanged ? { url: 'changed' } : {}),
        ...(custom === null ? {} : { headers: 'changed' }),
      },
    });
    return after;
  });

/**
 * Throws 400 for a URL of another origin that would get the values of the stored headers: the
 * caller who changes the URL may not know them.
 */
function requireHeadersAgain({ url, headers }: Update, before: WebhookSubscription): void {
  if (url === null || headers !== undefined || before.headerNames.length === 0) return;
  if (new URL(url).origin === new URL(before.url).origin) return;
  throw validationErrors(headersAgain);
}
const headersAgain = fieldError(
  'headers',
  'required',
  'must be sent again, or removed, with a URL of another origin',
);

/**
 * Throws 403 unless the caller holds the capability of each type that an update adds, and with a
 * new URL or headers those that {@link requireTargetCapabilities} checks.
 */
async function requireCapabilities(
  sql: Queryable,
  { caller, url, eventTypes, headers }: Update,
  subscription: WebhookSubscription,
): Promise<void> {
  // Headers may lead an event to another account of the receiver.
  if ((url !== null && url !== subscription.url) || headers !== undefined)
    await requireTargetCapabilities(sql, caller, subscription);
  const isAdded = (eventType: EventType) => !subscription.eventTypes.includes(eventType);
  requireEventCapabilities(caller, (eventTypes ?? []).filter(isAdded));
}
