import { listAttempts } from '../../db/webhooks/attempts/attempt-list.ts';
import { findAttemptDetails } from '../../db/webhooks/attempts/attempt-details.ts';
import { deliveryStates } from '../../db/webhooks/webhook-deliveries.ts';
import { findSubscription } from '../../db/webhooks/subscriptions/webhook-subscriptions.ts';
import { readStatistics } from '../../db/webhooks/subscriptions/subscription-statistics.ts';
import { eventTypes } from '../../domain/webhooks/events.ts';
import { vendorRoutes, type AddRoutes } from '../define-route.ts';
import { orNotFound } from '../http/api-error.ts';
import { mapItems, pageOf } from '../http/envelope.ts';
import { readVendorClock } from '../sandbox/vendor-clock.ts';
import {
  enumParameter,
  eventIdParameter,
  query,
  rangeParameters,
  requireRange,
} from '../validation/query.ts';
import { sample } from '../validation/sample.ts';
import { pathId } from '../validation/path-id.ts';
import { attemptDetails, attemptDetailsResponse } from './responses/attempt-details.ts';
import { requireEventCapabilities } from './webhook-body.ts';
import { deliveryAttempt, deliveryAttemptResponse } from './responses/webhook.ts';
import { statistics, statisticsResponse } from './responses/statistics.ts';
import { eventTypeText } from './webhook-texts.ts';

const notFound = 'NOT_FOUND_VENDOR_WEBHOOK_SUBSCRIPTION';
const deliveryNotFound = 'NOT_FOUND_VENDOR_WEBHOOK_DELIVERY';
const dayMs = 24 * 3_600_000;

/** The attempts of a vendor's own subscriptions, and their statistics. */
export const vendorWebhookAttemptRoutes: AddRoutes = (app, dependencies) => {
  const { sql, lists } = dependencies;
  const route = vendorRoutes(app, { capability: 'Orders', tag: 'Webhooks' });
  route({
    at: 'GET /api/v1/webhooks/:id/deliveries',
    operationId: 'listDeliveryAttempts',
    summary: 'List delivery attempts, newest first',
    description:
      'Lists every attempt of the last 30 days, newest first, samples of test-fire included. ' +
      'Attempts of one event have the same `idempotencyKey`, which is the `eventId` that your ' +
      'receiver got. `from` and `to` limit when an attempt began, both ends included.',
    query: query({
      state: enumParameter(
        deliveryStates,
        'Only attempts of deliveries that are in this state.',
        'deadLettered',
      ),
      eventType: enumParameter(eventTypes, 'Only attempts of this event type.', eventTypeText[1]),
      eventId: eventIdParameter('Only attempts of this event.', sample.eventId),
      ...rangeParameters('attempts begun'),
    }),
    payload: pageOf(deliveryAttemptResponse),
    notFound,
    handler: async ({ caller: { vendorId }, id, query: filter, page }) => {
      const { from, to } = filter;
      requireRange(from, to);
      const clock = await readVendorClock(dependencies, vendorId);
      clock.requirePast({ from, to });
      orNotFound(await findSubscription(sql, vendorId, id), notFound);
      const began = { from: from && clock.firstReal(from), to: to && clock.lastReal(to) };
      const found = await listAttempts(lists, id, page, { ...filter, ...began });
      return mapItems(found, (attempt) => deliveryAttempt(attempt, clock));
    },
  });
  route({
    at: 'GET /api/v1/webhooks/:id/deliveries/:attemptId',
    operationId: 'getDeliveryAttempt',
    summary: 'Read a delivery attempt with its request and response',
    description:
      'Reads one attempt with the body that was sent and what your receiver answered. The ' +
      'event type requires its capability.',
    payload: attemptDetailsResponse,
    notFound,
    refusals: [deliveryNotFound],
    handler: async ({ caller, id: subscriptionId, request }) => {
      const { attemptId } = request.params as { readonly attemptId: string };
      orNotFound(await findSubscription(sql, caller.vendorId, subscriptionId), notFound);
      const id = pathId(attemptId, deliveryNotFound);
      const found = orNotFound(
        await findAttemptDetails(sql, { id, subscriptionId }),
        deliveryNotFound,
      );
      requireEventCapabilities(caller, [found.eventType]);
      return attemptDetails(found, await readVendorClock(dependencies, caller.vendorId));
    },
  });
  route({
    at: 'GET /api/v1/webhooks/:id/statistics',
    operationId: 'getWebhookStatistics',
    summary: 'Read the statistics of a subscription',
    description:
      'Counts the attempts of the last 24 hours, samples included, and gives the response ' +
      'times of your receiver.',
    payload: statisticsResponse,
    notFound,
    handler: async ({ caller: { vendorId }, id }) => {
      orNotFound(await findSubscription(sql, vendorId, id), notFound);
      const { now, firstReal } = await readVendorClock(dependencies, vendorId);
      if (now === null) return statistics(await readStatistics(lists, id));
      const day = { from: new Date(now.getTime() - dayMs), to: now };
      const counted = await readStatistics(lists, id, firstReal(day.from.toISOString()));
      return statistics({ ...counted, ...day });
    },
  });
};
