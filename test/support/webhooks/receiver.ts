import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type ReceivedRequest = {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly arrivedAt: number;
};

const answerOk = (response: ServerResponse): void => {
  response.end();
};

/** A vendor's receiver: a real HTTP server on loopback, whose answers the test writes. */
export type TestReceiver = {
  readonly origin: string;
  readonly url: string;
  readonly requests: readonly ReceivedRequest[];
  /** From now on answers so; the argument counts the requests from 1. */
  readonly answerWith: (answer: (response: ServerResponse, requestNumber: number) => void) => void;
  readonly close: () => Promise<void>;
};

export async function startTestReceiver(): Promise<TestReceiver> {
  const requests: ReceivedRequest[] = [];
  let answer: (response: ServerResponse, requestNumber: number) => void = answerOk;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      requests.push({
        headers: request.headers,
        body: Buffer.concat(chunks).toString('utf8'),
        arrivedAt: Date.now(),
      });
      answer(response, requests.length);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A TCP server's address is an AddressInfo; only a pipe's is a string.
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    url: `${origin}/hook`,
    requests,
    answerWith: (next) => {
      answer = next;
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

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

/** Holds each answer until the test gives it. */
export function holding() {
  const held: ServerResponse[] = [];
  return {
    held,
    answer: (response: ServerResponse): void => {
      held.push(response);
    },
    /** Answers all that are held, and forgets them. */
    giveAll: (code: number): void => {
      for (const response of held.splice(0)) status(code)(response);
    },
  };
}
