import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import postgres from 'postgres';

/** Between two attempts to connect. */
const retryMs = 500;

export type Listening = { readonly stop: () => Promise<void> };

/**
 * Listens on a channel with its own connection, and reconnects for ever: the `listen` of
 * postgres.js tries once and then gives up silently. Calls `onNotify` with null after each
 * connection, because the notifications before it are lost.
 */
export function keepListening(
  databaseUrl: string,
  channel: string,
  onNotify: (payload: string | null) => void,
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
  onNotify: (payload: string | null) => void,
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
    // The option that the library's own `listen` uses; its types lack it.
    onnotify: (_channel: string, payload: string) => onNotify(payload),
    onclose: () => {
      closed.abort();
    },
    connection: { application_name: 'vendor-gateway listener' },
  };
  const sql = postgres(databaseUrl, options);
  try {
    await sql`listen ${sql(channel)}`;
    onNotify(null);
    const end = AbortSignal.any([closed.signal, stop]);
    if (!end.aborted) await once(end, 'abort');
  } finally {
    await sql.end({ timeout: 1 });
  }
}
