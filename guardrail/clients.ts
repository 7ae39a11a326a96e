import { Client, type buildConnector } from 'undici';
import { createConnectors, type ConnectorsOptions } from './connector.ts';
import type { StopSignal } from './deadline.ts';

/** What was done with a client, and whether its connection may serve another request. */
export type Done<T> = { readonly value: T; readonly isReusable: boolean };

/** Connections kept open for a moment, so that a burst to one receiver need not shake hands for each message. */
export type Clients = {
  /**
   * Lends `work` a client whose connection goes to `addresses` only, to nobody else at the same time. It is destroyed
   * with its connection if `work` rejects or says that it is not reusable, and as soon as `signal` aborts, upon which
   * its requests reject. `origin` is a `URL.origin`.
   */
  use<T>(
    origin: string,
    addresses: readonly string[],
    signal: StopSignal,
    work: (client: Client) => Promise<Done<T>>,
  ): Promise<T>;
  /** Closes the connections that rest. */
  close(): Promise<void>;
  /** How many clients rest. Those in use are as many as the caller has requests under way. */
  readonly idleCount: number;
};

/**
 * A connection that rests longer is closed. Short, since the fewer rest, the rarer a request meets a receiver that is
 * just closing (an attempt is never sent twice), and since a name's addresses may change.
 */
const keepAliveMs = 2000;
/** Beyond this many resting clients, the one that has rested longest is closed. */
const idleMax = 256;

type Lent = { readonly key: string; readonly client: Client; readonly connecting: AbortController };

function createClient(origin: string, connector: buildConnector.connector): Client {
  return new Client(origin, {
    connect: connector,
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: keepAliveMs,
    // A receiver that announces how long it keeps a connection is believed, less a second for the way.
    keepAliveTimeoutThreshold: 1000,
    // The caller's signal limits everything; these start anew at each chunk.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}

function destroy({ client, connecting }: Lent): Promise<void> {
  connecting.abort();
  return client.destroy();
}

/** The clients that rest, each until it is taken again or its time is over. */
function createIdle() {
  /** The longest resting first. */
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
 * An empty set of clients. It lends undici's `Client`, one request at a time, where a `Pool` and the signal of a request
 * would seem the thing. But undici 7 heeds that signal only once the request is on its way: one that waits for a
 * connection waits on; and after it has aborted a request, it opens a connection with nothing left to send. To destroy
 * the client does neither, and a pool does not tell which of its clients that is.
 */
export function createClients(options: ConnectorsOptions): Clients {
  const createConnector = createConnectors(options);
  const idle = createIdle();

  return {
    async use(origin, addresses, signal, work) {
      if (signal.aborted) throw new Error('aborted before a connection was asked for');
      // The addresses are part of the key: another DNS answer never meets a connection to an earlier one.
      const key = [origin, ...[...addresses].sort()].join(' ');
      const connecting = new AbortController();
      const lent = idle.take(key) ?? {
        key,
        client: createClient(origin, createConnector(addresses, connecting.signal)),
        connecting,
      };
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
    close: () => idle.close(),
    get idleCount() {
      return idle.items.length;
    },
  };
}
