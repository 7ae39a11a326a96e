import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { text } from 'node:stream/consumers';
import type { FastifyInstance } from 'fastify';
import { expect, vi } from 'vitest';
import { expectRefusal, parsedResponse } from '../error-codes/http.ts';
import { appWith, rawResponse, rawConnection } from '../error-codes/slow-app.ts';
import { uuidV7 } from '../../support/api/matchers.ts';
import { collectGarbage } from '../../support/collect-garbage.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';
/** The server ends slow, vanished and invalid connections, and none of them delays another. */

const test = gatewayTest
  .extend(
    'head',
    { scope: 'file' },
    ({ token }) =>
      'POST /api/v1/scent/offers HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n' +
      `authorization: Bearer ${token}\r\n`,
  )
  .extend('slow', ({ gateway }) => appWith(gateway.dependencies, { requestTimeoutMs: 3000 }));

test.afterEach(async ({ gateway }) => {
  // No part of a body is stored as a whole one.
  expect(await gateway.sql`select from offers`).toHaveLength(0);
});

const waiting = { timeout: 30_000, interval: 10 };
const offer = '{"cost":1,"costIsVatInclusive":true,"rawBrandName":"B","rawProductName":"P"}';
const health = 'GET /health HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n';
const statusLine = /^HTTP\/1\.1 \d+/gm;

type Slow = { readonly app: FastifyInstance };

/** Sends the same bytes over and over, until the other side closes. */
function trickle(socket: Socket, bytes: string): void {
  const timer = setInterval(() => socket.write(bytes), 10);
  socket.once('close', () => {
    clearInterval(timer);
  });
}

/** Several connections of the same kind at once, so that a missed one shows. */
const several = (slow: Slow, use: (socket: Socket) => unknown): Promise<Socket[]> =>
  Promise.all(
    Array.from({ length: 8 }, async () => {
      const socket = await rawConnection(slow);
      use(socket);
      return socket;
    }),
  );

async function expectOthersServed(slow: Slow): Promise<void> {
  expect(parsedResponse(await rawResponse(slow, health)).status).toBe(200);
}

const expectConnections = ({ app: { server } }: Slow, count: number): Promise<void> =>
  vi.waitFor(async () => {
    expect(await promisify(server.getConnections.bind(server))()).toBe(count);
  }, waiting);

test.for([
  ['headers that never end', false, 'GET /health HTTP/1.1\r\n', 'x: y\r\n'],
  ['a connection without a request', false, '', ''],
  ['a body that never ends', true, 'transfer-encoding: chunked\r\n\r\n', '1\r\n \r\n'],
  ['a body that stops before its length', true, 'content-length: 9\r\n\r\n{', ''],
] as const)('REQUEST_TIMEOUT: closes %s', async ([_what, isBody, first, again], { slow, head }) => {
  const sockets = await several(slow, (socket) => {
    socket.write((isBody ? head : '') + first);
    if (again !== '') trickle(socket, again);
  });
  const responses = Promise.all(sockets.map((socket) => text(socket)));
  await expectOthersServed(slow);
  for (const response of await responses) {
    const parsed = parsedResponse(response);
    expectRefusal(parsed, 408, 'REQUEST_TIMEOUT', {}, { 'x-request-id': uuidV7 });
    expect(parsed.headers['connection']).toBe('close');
  }
  await expectOthersServed(slow);
  await expectConnections(slow, 0);
});

test('takes a body whose pace is steady for longer than the time between two pieces', async ({
  slow,
  head,
}) => {
  const socket = await rawConnection(slow);
  const begunAt = performance.now();
  const body = `{"items":[]${' '.repeat(400 * 1024)}}`;
  socket.write(
    head.replace('POST /api/v1/scent/offers', 'PATCH /api/v1/scent/offers/stock') +
      `connection: close\r\ncontent-length: ${body.length}\r\n\r\n`,
  );
  const pieceBytes = 32 * 1024;
  const sender = (async () => {
    for (let at = 0; at < body.length; at += pieceBytes) {
      socket.write(body.slice(at, at + pieceBytes));
      await delay(400);
    }
  })();
  const { status } = parsedResponse(await text(socket));
  await sender;
  expect(status).toBe(400);
  expect(performance.now() - begunAt).toBeGreaterThan(4000);
});

test('responds once to a body that never ends, and closes the connection', async ({ slow }) => {
  const request = 'POST /nope HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n{';
  const response = await rawResponse(slow, request);
  expect(response.match(statusLine)).toEqual(['HTTP/1.1 404']);
  await expectConnections(slow, 0);
});

/** Weak references to the requests of a server from now on. */
function requestsOf({ app: { server } }: Slow): readonly WeakRef<IncomingMessage>[] {
  const requests: WeakRef<IncomingMessage>[] = [];
  server.on('request', (request) => requests.push(new WeakRef(request)));
  return requests;
}

async function expectNothingKept(requests: readonly WeakRef<IncomingMessage>[]): Promise<void> {
  await vi.waitFor(() => {
    collectGarbage();
    expect(requests.map((each) => each.deref()?.url)).toEqual(requests.map(() => undefined));
    // Less than the time that a body may be quiet.
  }, 10_000);
  expect(requests).toHaveLength(8);
}

test('keeps nothing of a request whose body is cut after the response', async ({ gateway }) => {
  const requests = requestsOf(gateway);
  const request = 'POST /nope HTTP/1.1\r\nhost: x\r\ncontent-length: 99999\r\n\r\n{';
  await several(gateway, async (socket) => {
    socket.write(request);
    await once(socket, 'data');
    socket.resetAndDestroy();
  });
  await expectConnections(gateway, 0);
  await expectNothingKept(requests);
});

test.for([
  'GET /health HTTP/1.1\r\nhost: x\r\n\r\n',
  // Its response ends before its body.
  'POST /nope HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\n{}',
])('keeps nothing of the last request of an idle connection', async (request, { gateway }) => {
  const requests = requestsOf(gateway);
  const sockets = await several(gateway, (socket) => socket.write(request));
  await vi.waitFor(() => expect(requests).toHaveLength(8), waiting);
  await expectNothingKept(requests);
  await expectConnections(gateway, 8);
  for (const socket of sockets) socket.destroy();
  await expectConnections(gateway, 0);
});

test('returns 400 for a body that ends before its content-length', async ({ slow, head }) => {
  const socket = await rawConnection(slow);
  socket.end(`${head}content-length: ${offer.length + 1}\r\n\r\n${offer}`);
  const { status, text: body } = parsedResponse(await text(socket));
  expect(status).toBe(400);
  expect(JSON.parse(body)).toMatchObject({ state: 'VALIDATION_ERRORS', payload: null });
  await expectConnections(slow, 0);
});

test('keeps no connection of a client that resets within its body', async ({ slow, head }) => {
  const sockets = await several(slow, (socket) =>
    socket.write(`${head}content-length: ${offer.length + 1}\r\n\r\n${offer}`),
  );
  await expectConnections(slow, sockets.length);
  await expectOthersServed(slow);
  for (const socket of sockets) socket.resetAndDestroy();
  await expectConnections(slow, 0);
  await expectOthersServed(slow);
});

test('closes the connection of a client that never reads its response', async ({ slow }) => {
  // A route's time and half a minute more, by default.
  expect(slow.app.server.timeout).toBe(45_000);
  slow.app.server.timeout = 1500;
  const sockets = await several(slow, (socket) => {
    socket.pause();
    // More than the buffers between the two of them take.
    socket.write('GET /docs/scalar.js HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(8));
  });
  await expectOthersServed(slow);
  await expectConnections(slow, 0);
  for (const socket of sockets) expect(socket.isPaused()).toBe(true);
});

test('closes an idle connection without a response', async ({ slow, gateway }) => {
  // A little longer than a proxy keeps its own, by default.
  expect(slow.app.server.keepAliveTimeout).toBe(72_000);
  const { app } = await appWith(gateway.dependencies, { keepAliveMs: 400_000 });
  expect(app.server.keepAliveTimeout).toBe(400_000);
  slow.app.server.keepAliveTimeout = 500;
  const sockets = await several(slow, (socket) =>
    socket.write(health.replace('connection: close\r\n', '')),
  );
  for (const socket of sockets)
    expect((await text(socket)).match(statusLine)).toEqual(['HTTP/1.1 200']);
  await expectConnections(slow, 0);
});
