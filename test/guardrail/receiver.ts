import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import { createServer as createHttpsServer, type ServerOptions } from 'node:https';
import {
  createServer as createTcpServer,
  type AddressInfo,
  type Server,
  type Socket,
} from 'node:net';
import { onTestFinished } from 'vitest';
import type { Resolve } from '../../guardrail/resolve.ts';
import { createSender, type Sender, type SenderOptions } from '../../guardrail/send/send.ts';

export type Hit = {
  readonly url: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
};

export type Receiver = {
  readonly port: number;
  readonly origin: string;
  readonly hits: Hit[];
  /** Connections ever accepted, and those open now. */
  readonly sockets: { accepted: number; readonly open: Set<Socket> };
};

async function listen(server: Server, scheme: string): Promise<Omit<Receiver, 'hits'>> {
  const sockets = { accepted: 0, open: new Set<Socket>() };
  server.on('connection', (socket: Socket) => {
    sockets.accepted += 1;
    sockets.open.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.open.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets.open) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { port, origin: `${scheme}://127.0.0.1:${port}`, sockets };
}

type Respond = (response: ServerResponse, hit: Hit) => void;

const recorder =
  (hits: Hit[], respond: Respond): RequestListener =>
  (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { url, headers } = request;
      const hit = { url, headers, body: Buffer.concat(chunks).toString() };
      hits.push(hit);
      respond(response, hit);
    });
  };

export const ok: Respond = (response) => response.end('ok');
export const status =
  (code: number, headers: Record<string, string> = {}): Respond =>
  (response) =>
    response.writeHead(code, headers).end('body of the receiver');

/** A real HTTP server on loopback that records what it is sent. It ends with the test. */
export async function startReceiver(respond: Respond = ok): Promise<Receiver> {
  const hits: Hit[] = [];
  return { ...(await listen(createServer(recorder(hits, respond)), 'http')), hits };
}

/** The same with TLS. `origin` is of the address: use the certificate's name and `port`. */
export async function startTlsReceiver(
  options: ServerOptions,
  respond: Respond = ok,
): Promise<Receiver> {
  const hits: Hit[] = [];
  const server = createHttpsServer(options, recorder(hits, respond));
  server.on('tlsClientError', () => undefined);
  return { ...(await listen(server, 'https')), hits };
}

/** A TCP server, for responses that no HTTP server would give. */
export const startTcp = (onSocket: (socket: Socket) => void): Promise<Omit<Receiver, 'hits'>> =>
  listen(createTcpServer(onSocket), 'http');

/**
 * A sender that ends with the test. The origins are exempt; everything else is as in production.
 */
export function testSender(
  origins: readonly string[],
  options: Partial<SenderOptions> = {},
): Sender {
  const sender = createSender({
    policy: { allowedPorts: [443], allowedOrigins: origins },
    timeoutMs: 5000,
    ...options,
  });
  onTestFinished(() => sender.close());
  return sender;
}

/** Sends the message to a receiver whose origin is exempt. */
export const sendTo = ({ origin }: Pick<Receiver, 'origin'>, options?: Partial<SenderOptions>) =>
  testSender([origin], options).send({ ...message, url: origin });

/** A sender for which every name has the address of loopback, and no address is forbidden. */
export const loopbackSender = (port: number, options: Partial<SenderOptions> = {}): Sender =>
  testSender([], {
    policy: { allowedPorts: [port], allowedOrigins: [] },
    resolve: answering('127.0.0.1'),
    isForbidden: () => false,
    ...options,
  });

/** A resolver of fixed addresses. */
export const answering =
  (...addresses: readonly string[]): Resolve =>
  async () =>
    addresses.map((address) => ({ address }));

export const urlOf = (port: number, name = 'vendor') => `https://${name}.example.org:${port}/`;

export const message = { headers: { 'content-type': 'application/json' }, body: '{"a":1}' };

/** The results of a send. */
export const success = { succeeded: true, httpStatus: 200, errorSummary: null, retryAfter: null };
export const failure = (errorSummary: unknown, httpStatus: number | null = null) => ({
  succeeded: false,
  httpStatus,
  errorSummary,
  retryAfter: null,
});
