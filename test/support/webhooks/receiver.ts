import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { listen } from '../../../process/health/listen.ts';

export type ReceivedRequest = {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly bytes: Buffer;
  readonly arrivedAt: number;
};

/** `requestNumber` counts the requests from 1. */
type Respond = (response: ServerResponse, requestNumber: number) => void;

/** A vendor's receiver: a real HTTP server on loopback, whose responses the test writes. */
export async function startTestReceiver() {
  const requests: ReceivedRequest[] = [];
  let respond: Respond = status(200);
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const bytes = Buffer.concat(chunks);
      const body = bytes.toString('utf8');
      requests.push({ headers: request.headers, body, bytes, arrivedAt: Date.now() });
      respond(response, requests.length);
    });
  });
  // Longer than the sender keeps a connection, also after a pause of the machine.
  server.keepAliveTimeout = 60_000;
  const origin = await listen(server, { host: '127.0.0.1', port: 0 });
  return {
    origin,
    url: `${origin}/hook`,
    requests,
    /** From now on answers so. */
    answerWith: (next: Respond): void => {
      respond = next;
    },
    close: async (): Promise<void> => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
export type TestReceiver = Awaited<ReturnType<typeof startTestReceiver>>;

/** Answers this status to all. */
export const status =
  (code: number, headers: Readonly<Record<string, string>> = {}) =>
  (response: ServerResponse): void => {
    response.writeHead(code, headers).end();
  };

/** Answers these statuses one after another, and 200 from then on. */
export const statuses = (...codes: readonly number[]): ((response: ServerResponse) => void) => {
  const left = [...codes];
  return (response) => status(left.shift() ?? 200)(response);
};

/** A failure whose wish keeps the next attempt away for as long as a test runs. */
export const notForAWhile = status(503, { 'retry-after': '600' });

/** Holds each response until the test gives it. */
export function holding() {
  const held: ServerResponse[] = [];
  return {
    held,
    respond: (response: ServerResponse): void => {
      held.push(response);
    },
    /** Answers all that are held, and forgets them. */
    giveAll: (code: number): void => {
      for (const response of held.splice(0)) status(code)(response);
    },
  };
}
