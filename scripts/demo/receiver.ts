import { createServer } from 'node:http';
import { once } from 'node:events';
import { Webhook } from 'standardwebhooks';

/** One webhook as it arrived. `verify` throws unless the signature is right. */
export type Received = {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly verify: (secret: string) => unknown;
};

export type Receiver = {
  /** The next webhook that has not been taken yet; rejects after `timeoutMs`. */
  readonly next: (timeoutMs: number) => Promise<Received>;
  /** The next webhook at this path is answered with this status instead of 200. */
  readonly answerOnce: (path: string, status: number) => void;
  readonly close: () => Promise<void>;
};

const headersOf = (raw: NodeJS.Dict<string | string[]>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(raw).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value]] : [],
    ),
  );

const nobodyWaits = (): void => undefined;

/** A real HTTP server such as a vendor runs: it takes every POST, and answers 200 unless told otherwise. */
export async function startReceiver(origin: string): Promise<Receiver> {
  const { hostname, port } = new URL(origin);
  const arrived: Received[] = [];
  const planned = new Map<string, number>();
  let wake: () => void = nobodyWaits;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      const headers = headersOf(request.headers);
      const path = request.url ?? '';
      arrived.push({
        path,
        headers,
        body,
        verify: (secret) => new Webhook(secret).verify(body, headers),
      });
      response.statusCode = planned.get(path) ?? 200;
      planned.delete(path);
      response.end();
      wake();
    });
  });
  server.listen(Number(port), hostname);
  await once(server, 'listening');
  return {
    next: async (timeoutMs) => {
      const deadline = Date.now() + timeoutMs;
      while (arrived.length === 0) {
        const left = deadline - Date.now();
        if (left <= 0) throw new Error(`no webhook arrived within ${timeoutMs} ms`);
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, left);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      const [received] = arrived.splice(0, 1);
      if (received === undefined) throw new Error('no webhook arrived');
      return received;
    },
    answerOnce: (path, status) => {
      planned.set(path, status);
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
