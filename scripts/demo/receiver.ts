import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';

/** A webhook as it arrived. `verify` throws unless the signature is correct. */
export type Received = {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly verify: (secret: string) => unknown;
};

/** A real HTTP server, as a vendor would run: answers every POST with 200. */
export async function startReceiver(origin: string) {
  const { hostname, port } = new URL(origin);
  const queue: Received[] = [];
  const plannedStatuses = new Map<string, number>();
  const arrivals = new EventEmitter();
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request);
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    );
    const path = request.url ?? '';
    queue.push({ path, headers, body, verify: (key) => new Webhook(key).verify(body, headers) });
    response.statusCode = plannedStatuses.get(path) ?? 200;
    plannedStatuses.delete(path);
    response.end();
    arrivals.emit('webhook');
  };
  const server = createServer((request, response) => void receive(request, response));
  server.listen(Number(port), hostname);
  await once(server, 'listening');
  return {
    /** Returns the next webhook in order of arrival. Rejects after `timeoutMs`. */
    next: async (timeoutMs: number): Promise<Received> => {
      const signal = AbortSignal.timeout(timeoutMs);
      while (queue.length === 0) {
        await once(arrivals, 'webhook', { signal }).catch(() => {
          throw new Error(`no webhook arrived within ${timeoutMs} ms`);
        });
      }
      const [received] = queue.splice(0, 1);
      if (received === undefined) throw new Error('no webhook arrived');
      return received;
    },
    /** Answers the next webhook at this path with this status instead of 200. */
    answerOnce: (path: string, status: number): void => void plannedStatuses.set(path, status),
    close: async (): Promise<void> => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
export type Receiver = Readonly<Awaited<ReturnType<typeof startReceiver>>>;
