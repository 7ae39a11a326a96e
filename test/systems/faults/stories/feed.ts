import * as v from 'valibot';
import { emitEvents, newEvent } from '../../../../db/webhooks/webhook-events.ts';
import type { ApiClient } from '../../../../scripts/demo/api-client.ts';
import { seedVendor } from '../../../support/seeds/seed.ts';
import { firstWrong, readEvents, subscribe, type SeenEvent } from './events.ts';
import { rowOf, type Story } from './story.ts';

/** The receiver gets one of the types; the feed has both. */
const [subscribed, unsubscribed] = ['vendor.order.assigned', 'vendor.order.changed'] as const;
const eventsOfTurn = [subscribed, unsubscribed, subscribed] as const;

const feedPage = v.object({
  items: v.array(v.object({ eventId: v.string(), sequence: v.number() })),
  nextAfter: v.number(),
  latestSequence: v.number(),
});

/** The ids of all events by their numbers, as the feed pages through them. */
async function readFeed(vendor: ApiClient): Promise<readonly (readonly [number, string])[]> {
  const found: (readonly [number, string])[] = [];
  for (let after = 0; ;) {
    const path = `/api/v1/events?after=${after}&pageSize=100`;
    const page = await vendor.expect(`GET ${path}`, feedPage);
    found.push(...page.items.map(({ eventId, sequence }) => [sequence, eventId] as const));
    // A page without events ends a feed whose last number is missing.
    if (page.items.length === 0 || page.nextAfter >= page.latestSequence) return found;
    after = page.nextAfter;
  }
}

/** Compares the numbers 1 to n with those that the receiver and the feed have. */
function compareNumbers(
  events: readonly SeenEvent[],
  feed: readonly (readonly [number, string])[],
  receivedNumber: (eventId: string) => number | null,
): string | null {
  const byFeed = new Map(feed);
  for (const { id, sequence } of events) {
    const received = receivedNumber(id);
    if (received !== null && received !== sequence)
      return `event ${id} has the number ${sequence} and came with ${received}`;
    if (byFeed.get(sequence) !== id)
      return `the feed has no event ${id} with the number ${sequence}`;
  }
  return feed.length === events.length && feed.every(([number], index) => number === index + 1)
    ? null
    : `the feed has ${feed.length} events with a gap or a repetition, the record ${events.length}`;
}

/** A vendor reads its events by webhooks and by the feed, and their numbers are complete. */
export const eventFeed: Story = {
  title: 'event feed',
  course:
    'Three events in a transaction, two of them with a webhook. Receiver and feed together have ' +
    'the numbers 1 to n.',
  everyMs: 500,
  openMax: 20,
  turnsMax: 160,
  isRepeatable: false,
  prepare: async (context) => {
    const { sql, clients, receiver } = context;
    const vendorId = await seedVendor(sql);
    const vendor = await clients.vendor(vendorId);
    await subscribe(context, vendorId, { url: receiver.steadyUrl, eventType: subscribed });
    return {
      play: ({ attempt }) =>
        attempt(async (key) => {
          const events = eventsOfTurn.map((eventType) =>
            newEvent({ eventType, vendorId, occurredAt: new Date(), data: { turn: key } }),
          );
          await emitEvents(sql, ...events);
        }),
      read: async () => {
        // The API may be away.
        const feed = await readFeed(vendor)
          .catch(() => readFeed(vendor))
          .catch((error: unknown) => String(error));
        const turns = await readEvents(context, vendorId, ({ turn }) => turn, 'all');
        // Events that were stored after the feed was read are not in it.
        const numbers =
          typeof feed === 'string'
            ? `the feed does not answer: ${feed}`
            : compareNumbers(
                [...turns.values()].flat().slice(0, feed.length),
                feed,
                receiver.receivedNumber,
              );
        return [...turns].map(([key, own], index) =>
          rowOf(key, {
            isEnded: own.every(({ isDelivered }) => isDelivered),
            doubled: Math.max(0, own.length - eventsOfTurn.length),
            wrong: firstWrong(
              index === 0 ? numbers : null,
              own.length < eventsOfTurn.length ? `turn ${key} has ${own.length} events` : null,
              ...own.map(({ wrong }) => wrong),
            ),
          }),
        );
      },
    };
  },
};
