import { contradictoryResponse } from '../core/errors.ts';
import { payloadOf, type Http } from '../core/http.ts';
import type { CallOptions, PayloadOf } from '../core/operation-types.ts';
import { toEvent, type VendorEvent } from '../webhooks/events.ts';

const feed = '/api/v1/events';

type EventType = Exclude<VendorEvent['eventType'], 'unknown'>;

export type FeedOptions = CallOptions & {
  readonly type?: EventType;
  /** Waits for further events after the latest one, until the signal aborts. */
  readonly follow?: boolean;
};

/** Events between the position and `resumeAfter` are no longer kept: read the lists instead. */
export class EventsExpiredError extends Error {
  override readonly name = 'EventsExpiredError';
  readonly resumeAfter: number;
  constructor(after: number, resumeAfter: number) {
    super(`The events ${after + 1} to ${resumeAfter} are no longer kept.`);
    this.resumeAfter = resumeAfter;
  }
}

/** Events in the order of their `sequence`. */
export type Events = AsyncIterable<VendorEvent> & {
  /** Where to resume: every event up to it was handed out, and the next one was asked for. */
  readonly position: number;
};

/** Whether a page says that there are events after it and does not lead to them. */
const isStalled = (
  { nextAfter, latestSequence }: PayloadOf<typeof feed, 'get'>,
  after: number,
): boolean => nextAfter === after && latestSequence > after;

/** The vendor's event feed. */
export function eventsOf(http: Http) {
  const readPage = (
    after: number,
    { type, follow, ...options }: FeedOptions,
  ): Promise<PayloadOf<typeof feed, 'get'>> => {
    const query = { after, pageSize: 100, ...(type && { type }), ...(follow && { wait: 20 }) };
    return payloadOf(http.GET(feed, { params: { query }, ...options }));
  };
  return {
    /**
     * The events after a sequence, 0 for all. Ends with the latest one unless it follows. Throws
     * an {@link EventsExpiredError} when events after the position have expired, except after 0.
     */
    after: (sequence: number, options: FeedOptions = {}): Events => {
      let position = sequence;
      async function* read(): AsyncGenerator<VendorEvent, void, undefined> {
        for (;;) {
          const after = position;
          const page = await readPage(after, options);
          if (position > 0 && page.oldestSequence > position + 1)
            throw new EventsExpiredError(position, page.oldestSequence - 1);
          for (const item of page.items) {
            yield toEvent(item);
            position = item.sequence ?? position;
          }
          // Without this check, a feed that does not advance is read without end.
          if (page.nextAfter < position || isStalled(page, after))
            throw contradictoryResponse({ method: 'GET', path: feed });
          position = page.nextAfter;
          if (position >= page.latestSequence && options.follow !== true) return;
        }
      }
      return {
        get position() {
          return position;
        },
        [Symbol.asyncIterator]: read,
      };
    },
    /** Every event type with the schema of its body. */
    types: (options?: CallOptions) => payloadOf(http.GET('/api/v1/event-types', { ...options })),
  };
}
