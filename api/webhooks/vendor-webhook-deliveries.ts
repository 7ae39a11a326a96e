import * as v from 'valibot';
import {
  recoveredMax,
  recoverMissed,
  recoverUndelivered,
  recoverWaiting,
} from '../../db/webhooks/redelivery.ts';
import { lockSubscription } from '../../db/webhooks/subscriptions/webhook-subscriptions.ts';
import { capabilityForEvent, eventTypes } from '../../domain/webhooks/events.ts';
import { apiError, orNotFound } from '../http/api-error.ts';
import { vendorRoutes, type AddRoutes } from '../define-route.ts';
import { readVendorClock } from '../sandbox/vendor-clock.ts';
import { described } from '../validation/described.ts';
import { instantField, optionalField } from '../validation/fields.ts';
import { field, titled } from '../validation/response-parts.ts';
import { eventTypeText } from './webhook-texts.ts';
import { requireEventCapabilities } from './webhook-body.ts';
import { pathId } from '../validation/path-id.ts';
import { limitManualDelivery } from './limit-manual-delivery.ts';
import { redeliverEvent } from './redeliver-event.ts';
import {
  deliveryAttempt,
  deliveryAttemptResponse,
  vendorDelivery,
  vendorDeliveryResponse,
} from './responses/webhook.ts';
import { testFire } from './test-fire.ts';

const notFound = 'NOT_FOUND_VENDOR_WEBHOOK_SUBSCRIPTION';
const deliveryNotFound = 'NOT_FOUND_VENDOR_WEBHOOK_DELIVERY';
const notRedeliverable = 'BUSINESS_VENDOR_WEBHOOK_DELIVERY_NOT_REDELIVERABLE';

export const vendorRecoveryBody = v.strictObject({
  since: described(
    instantField,
    'Recovers what was attempted, or happened, at this instant or later. RFC 3339 with a time ' +
      'and an offset or `Z`.',
    '2026-11-20T00:00:00Z',
  ),
  state: described(
    optionalField(v.picklist(['DeadLettered', 'Waiting', 'Missed'])),
    '`DeadLettered`: only dead letters. `Waiting`: only what waits for a later attempt. ' +
      '`Missed`: only events that were never attempted. Default: all of these, and what a ' +
      'deactivation cancelled.',
    'DeadLettered',
  ),
});

/**
 * Sends a sample (part 4, rule 4), redelivers the event of an attempt, and what ended undelivered.
 */
export const vendorWebhookDeliveryRoutes: AddRoutes = (app, dependencies) => {
  const { environment, sql, testFires } = dependencies;
  const route = vendorRoutes(app, { capability: 'Orders', tag: 'Webhooks' });
  route({
    at: 'POST /api/v1/webhooks/:id/test-fire',
    operationId: 'testFireWebhook',
    summary: 'Send a sample event',
    description:
      'Sends a sample of a subscribed event type like a real event, with signature and URL ' +
      'checks, and with `test: true` in its envelope. It makes one attempt without retries. ' +
      'The call waits for the attempt and returns it with 200 even if your receiver failed: ' +
      'read `succeeded`. The subscription must be active. By default, at most 10 samples in ' +
      'any 60 seconds for one subscription; calls that send none do not count.',
    config: { handlerTimeoutMs: testFires.timeoutMs + 5000, waitsForOthers: true },
    body: v.strictObject({
      eventType: described(v.picklist(eventTypes), 'A subscribed event type.', eventTypeText[1]),
    }),
    payload: deliveryAttemptResponse,
    notFound,
    refusals: [
      'VALIDATION_WEBHOOK_EVENT_TYPE_NOT_SUBSCRIBED',
      'BUSINESS_VENDOR_WEBHOOK_SUBSCRIPTION_INACTIVE',
    ],
    handler: async ({ caller: { vendorId }, id: subscriptionId, body: { eventType } }) =>
      deliveryAttempt(
        await testFire(dependencies, { vendorId, subscriptionId, eventType }),
        await readVendorClock(dependencies, vendorId),
      ),
  });
  route({
    at: 'POST /api/v1/webhooks/:id/deliveries/:attemptId/redeliver',
    operationId: 'redeliverEvent',
    summary: 'Redeliver an event',
    description:
      'Starts a new retry schedule for the event of an attempt at once, whether the event ' +
      'was delivered or became a dead letter. A delivery that waits for a later attempt is ' +
      'attempted now, and keeps its schedule. The `idempotencyKey` stays the same and the ' +
      'attempt numbers continue, so a receiver that deduplicates drops an event it already ' +
      'has. The call refuses a delivery whose attempt is due or under way, one of an inactive ' +
      'subscription, and a sample. An event type that the subscription no longer has requires ' +
      'its capability. By default, at most 10 redeliveries in any 60 seconds for one ' +
      'subscription; refused calls do not count. It takes no body.',
    payload: vendorDeliveryResponse,
    notFound,
    refusals: [deliveryNotFound, notRedeliverable],
    handler: async ({ caller, id: subscriptionId, request }) => {
      const { vendorId } = caller;
      const { attemptId } = request.params as { readonly attemptId: string };
      const delivery = await sql.begin(async (transaction) => {
        const { eventTypes: subscribed } = orNotFound(
          await lockSubscription(transaction, subscriptionId, vendorId),
          notFound,
        );
        await limitManualDelivery(transaction, dependencies, 'redelivery', subscriptionId);
        const which = {
          attemptId: pathId(attemptId, deliveryNotFound),
          subscriptionId,
          vendorId,
        };
        return redeliverEvent(transaction, which, ({ eventType }) => {
          // The URL may have changed since the subscription lost the type.
          if (!subscribed.includes(eventType)) requireEventCapabilities(caller, [eventType]);
        });
      });
      return vendorDelivery(delivery, await readVendorClock(dependencies, vendorId));
    },
  });
  route({
    at: 'POST /api/v1/webhooks/:id/recover',
    operationId: 'recoverWebhook',
    summary: 'Deliver everything that did not arrive',
    description:
      'After an outage of your receiver, delivers everything since an instant. It puts ' +
      'deliveries that ended undelivered on a new retry schedule (`recovered`), makes ' +
      'deliveries that wait for a later attempt due now (`madeDue`), and delivers events that ' +
      'were never attempted because the subscription was inactive (`missed`). Each number is ' +
      `at most ${recoveredMax.toLocaleString('en')}, the oldest first: repeat the call while it ` +
      'returns this maximum. Samples are left out, and so is an event type that the ' +
      'subscription no longer has and whose capability the token lacks. The subscription must ' +
      'be active. The limit of redeliveries does not apply; the recoveries of one subscription ' +
      'run one after another.',
    body: vendorRecoveryBody,
    payload: titled('WebhookRecovery', {
      recovered: field.integer('The number of deliveries on a new retry schedule.', 12),
      madeDue: field.integer('The number of waiting deliveries that are due now.', 3),
      missed: field.integer('The number of events that had never been attempted.', 1),
    }),
    statuses: [202],
    isRepeatable: true,
    notFound,
    refusals: [
      notRedeliverable,
      ...(environment === 'Sandbox' ? (['VALIDATION_INVALID_DATE'] as const) : []),
    ],
    handler: async ({
      caller: { vendorId, capabilities },
      id: subscriptionId,
      body: { since, state },
    }) => {
      const clock = await readVendorClock(dependencies, vendorId);
      clock.requirePast({ since });
      return sql.begin(async (transaction) => {
        const locked = await lockSubscription(transaction, subscriptionId, vendorId);
        const { isActive, eventTypes: subscribed } = orNotFound(locked, notFound);
        if (!isActive) throw apiError(notRedeliverable, { reason: 'SUBSCRIPTION_INACTIVE' });
        const recovery = {
          subscriptionId,
          vendorId,
          since: clock.firstReal(since),
          occurredSince: since,
          eventTypes: eventTypes.filter(
            (type) => subscribed.includes(type) || capabilities.includes(capabilityForEvent[type]),
          ),
        };
        const wants = (wanted: typeof state): boolean => (state ?? wanted) === wanted;
        const withCancelled = state !== 'DeadLettered';
        // Waiting deliveries first: what is recovered waits, too.
        const madeDue = wants('Waiting') ? await recoverWaiting(transaction, recovery) : 0;
        const recovered = wants('DeadLettered')
          ? await recoverUndelivered(transaction, recovery, { withCancelled })
          : 0;
        const missed = wants('Missed') ? await recoverMissed(transaction, recovery) : 0;
        return { recovered, madeDue, missed };
      });
    },
  });
};
