import { Client, type buildConnector } from 'undici';
import { createConnectors, type ConnectorsOptions } from './connector.ts';
import { createAllowance, rawBytesMax, type Allowance } from './send/metered-stream.ts';

/** A result, and whether the connection may serve another request. */
export type Done<T> = { readonly value: T; readonly isReusable: boolean };

/**
 * The longest idle time of a connection. It is short because a name's addresses may change, and
 * because a receiver may close an idle connection just as a request, which is never repeated, uses
 * it.
 */
const keepAliveMs = 2000;
/** Beyond this many idle clients the longest idle one is closed. */
const idleMax = 256;

type Lent = {
  readonly key: string;
  readonly client: Client;
  readonly connecting: AbortController;
  readonly allowance: Allowance;
};

function createClient(origin: string, connector: buildConnector.connector): Client {
  return new Client(origin, {
    connect: connector,
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: keepAliveMs,
    // Ends a second before the keep-alive time that a receiver announces.
    keepAliveTimeoutThreshold: 1000,
    // The allowance ends longer headers.
    maxHeaderSize: rawBytesMax,
    // The caller's signal is the limit; these timers would restart at each chunk.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}

function destroy({ client, connecting }: Lent): Promise<void> {
  connecting.abort();
  return client.destroy();
}

/** The idle clients, each until it is taken again or its time is over. */
function createIdle() {
  /** The longest idle first. */
  const items: { readonly lent: Lent; readonly timer: NodeJS.Timeout }[] = [];

  const remove = (index: number): Lent | undefined => {
    const [found] = index === -1 ? [] : items.splice(index, 1);
    clearTimeout(found?.timer);
    return found?.lent;
  };

  return {
    items,
    take: (key: string): Lent | undefined =>
      remove(items.findLastIndex(({ lent }) => lent.key === key)),
    put(lent: Lent): void {
      const end = () => {
        remove(items.findIndex((item) => item.lent === lent));
        void destroy(lent);
      };
      items.push({ lent, timer: setTimeout(end, keepAliveMs).unref() });
      const longest = items.length > idleMax ? remove(0) : undefined;
      if (longest !== undefined) void destroy(longest);
    },
    async close(): Promise<void> {
      for (const { timer } of items) clearTimeout(timer);
      await Promise.all(items.splice(0).map(({ lent }) => destroy(lent)));
    },
  };
}

/**
 * Creates an empty set of clients, whose connections stay open briefly, so that a burst to one
 * receiver shares a handshake. It uses undici's `Client` with one request at a time, not a
 * `Pool` with a signal. undici 7 ignores the signal of a request that waits for a connection, and
 * opens a new connection after an aborted request. Destroying the client avoids both, and a pool
 * does not tell which client to destroy.
 */
export function createClients(options: ConnectorsOptions) {
  const createConnector = createConnectors(options);
  const idle = createIdle();

  const lend = (origin: string, key: string, addresses: readonly string[]): Lent => {
    const connecting = new AbortController();
    const allowance = createAllowance();
    const connector = createConnector(addresses, connecting.signal, allowance);
    return { key, client: createClient(origin, connector), connecting, allowance };
  };

  return {
    /**
     * Lends `work` a client of its own whose connection goes to `addresses` only. The client and
     * its connection are destroyed if `work` rejects or its connection is not reusable, and as soon
     * as `signal` aborts; its requests reject then. `origin` is a `URL.origin`.
     */
    async use<T>(
      origin: string,
      addresses: readonly string[],
      signal: AbortSignal,
      work: (client: Client) => Promise<Done<T>>,
    ): Promise<T> {
      if (signal.aborted) throw new Error('aborted before a connection was requested');
      // With the addresses in the key, a new DNS answer never uses a connection to an earlier one.
      const key = [origin, ...[...addresses].sort()].join(' ');
      const lent = idle.take(key) ?? lend(origin, key, addresses);
      lent.allowance.renew();
      const giveUp = () => void destroy(lent);
      signal.addEventListener('abort', giveUp);
      let isReusable = false;
      try {
        const done = await work(lent.client);
        isReusable = done.isReusable;
        return done.value;
      } finally {
        signal.removeEventListener('abort', giveUp);
        if (isReusable && !signal.aborted) idle.put(lent);
        else void destroy(lent);
      }
    },
    /** Closes the idle connections. */
    close: () => idle.close(),
    /** The number of idle clients. */
    get idleCount() {
      return idle.items.length;
    },
  };
}
