/** The ids of the events that are handled; a database can be one. */
export type HandledEvents = {
  readonly has: (eventId: string) => boolean | Promise<boolean>;
  readonly add: (eventId: string) => void | Promise<void>;
};

/**
 * Remembers the latest ids in memory. The gateway repeats an event for up to four days: a receiver
 * that restarts in that time may handle it again, unless it stores the ids.
 */
export function rememberHandledEvents(eventsMax = 10_000): HandledEvents {
  const ids = new Set<string>();
  return {
    has: (eventId) => ids.has(eventId),
    add: (eventId) => {
      ids.add(eventId);
      const [oldest] = ids;
      if (ids.size > eventsMax && oldest !== undefined) ids.delete(oldest);
    },
  };
}
