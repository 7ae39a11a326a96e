import type * as v from 'valibot';
import { readFeed, type FeedPage } from '../../db/webhooks/event-feed.ts';
import { capabilityForEvent, eventTypes } from '../../domain/webhooks/events.ts';
import type { VendorCaller } from '../auth/tokens.ts';
import { vendorRoutes, type AddRoutes } from '../define-route.ts';
import {
  countMax,
  countParameter,
  enumParameter,
  pageParameters,
  query,
} from '../validation/query.ts';
import { createEventWaits } from './event-waits.ts';
import { eventPayload, eventTypePayload, describedEventTypes } from './responses/event-feed.ts';
import { requireEventCapabilities } from './webhook-body.ts';

const waitSecondsMax = 20;

const feedQuery = query({
  after: countParameter(
    0,
    { minimum: 0, maximum: countMax },
    'Only events with a greater `sequence`. Start with 0 and continue with `nextAfter`.',
    1041,
  ),
  type: enumParameter(eventTypes, 'Only events of this type.', 'vendor.order.assigned'),
  wait: countParameter(
    0,
    { minimum: 0, maximum: waitSecondsMax },
    'The seconds to wait for an event if there is none, 0 to 20.',
    0,
  ),
  pageSize: pageParameters.pageSize,
});

const eventsOf = ({ bodies, ...page }: FeedPage): v.InferInput<typeof eventPayload> => ({
  items: bodies.map((body) => JSON.parse(body) as v.InferInput<typeof eventPayload>['items'][0]),
  nextAfter: page.nextAfter,
  oldestSequence: page.oldest,
  latestSequence: page.latest,
});

/** The types that a caller may read. */
const readableTypes = ({ capabilities }: VendorCaller) =>
  eventTypes.filter((type) => capabilities.includes(capabilityForEvent[type]));

export const vendorEventRoutes: AddRoutes = (app, { sql, drain }) => {
  const waits = createEventWaits(sql);
  const route = vendorRoutes(app, { capability: ['Offers', 'Orders'], tag: 'Events' });
  route({
    at: 'GET /api/v1/events',
    operationId: 'listEvents',
    summary: 'Read your events in order, with or without webhooks',
    description:
      'Lists your events in the order of their `sequence`, which counts all of them without a ' +
      'gap; a token sees the types of its capabilities. Each event is stored with its change, ' +
      'whether a subscription exists or not, and kept as long as deliveries. Continue with ' +
      '`nextAfter`. With `wait` the call answers as soon as there is an event. An ' +
      '`oldestSequence` above `after` + 1 says that events in between have expired.',
    config: { handlerTimeoutMs: 1000 * waitSecondsMax + 15_000, isLongPoll: true },
    query: feedQuery,
    payload: eventPayload,
    handler: async ({ caller, query: { after, type, wait, pageSize }, request }) => {
      if (type !== null) requireEventCapabilities(caller, [type]);
      const types = type === null ? readableTypes(caller) : [type];
      const { vendorId } = caller;
      let from = after;
      const endsAtMs = performance.now() + 1000 * wait;
      const isOver = () => drain.aborted || request.raw.socket.destroyed;
      for (;;) {
        const page = await readFeed(sql, { vendorId, after: from, types, pageSize });
        const leftMs = endsAtMs - performance.now();
        if (page.bodies.length > 0 || leftMs <= 0 || isOver()) return eventsOf(page);
        // The page has only events of other types, so the next one begins after them.
        from = page.nextAfter;
        if (from < page.latest) continue;
        await waits.until({ vendorId, after: from, isOver }, leftMs);
      }
    },
  });
  vendorRoutes(app, { capability: null, tag: 'Events' })({
    at: 'GET /api/v1/event-types',
    operationId: 'listEventTypes',
    summary: 'List the event types with their schemas',
    description:
      'Lists every event type with the capability that it requires, the JSON Schema of its ' +
      'body and an example. Later versions may add types, and fields to a body.',
    payload: eventTypePayload,
    handler: () => Promise.resolve({ items: describedEventTypes() }),
  });
};
