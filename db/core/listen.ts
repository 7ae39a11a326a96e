import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import postgres from 'postgres';

/** Until a lost connection is tried again. */
const retryMs = 500;

export type Listening = { readonly stop: () => Promise<void> };

/**
 * Listens on a channel with a connection of its own, and goes on listening: postgres.js's own `listen` gives up for good,
 * and in silence, when Postgres is away at the moment of its one new try. `onNotify` is also called after each
 * (re)connection, since what was notified in between went unheard.
 */
export function keepListening(
  databaseUrl: string,
  channel: string,
  onNotify: () => void,
): Listening {
  const stopping = new AbortController();
  const running = (async () => {
    while (!stopping.signal.aborted) {
      await listenUntilClosed(databaseUrl, channel, onNotify, stopping.signal).catch(
        () => undefined,
      );
      await delay(retryMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  })();
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}

async function listenUntilClosed(
  databaseUrl: string,
  channel: string,
  onNotify: () => void,
  stop: AbortSignal,
): Promise<void> {
  const closed = new AbortController();
  const options = {
    max: 1,
    connect_timeout: 5,
    idle_timeout: 0,
    max_lifetime: null,
    fetch_types: false,
    onnotice: () => undefined,
    // What the library's own `listen` uses; its types do not name it.
    onnotify: onNotify,
    onclose: () => {
      closed.abort();
    },
    connection: { application_name: 'vendor-gateway listener' },
  };
  const sql = postgres(databaseUrl, options);
  try {
    await sql`listen ${sql(channel)}`;
    onNotify();
    const end = AbortSignal.any([closed.signal, stop]);
    if (!end.aborted) await once(end, 'abort');
  } finally {
    await sql.end({ timeout: 1 });
  }
}
