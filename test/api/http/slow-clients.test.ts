import type { Socket } from 'node:net';
import { promisify } from 'node:util';
import { text } from 'node:stream/consumers';
import type { FastifyInstance } from 'fastify';
import { expect, vi } from 'vitest';
import { expectRefusal, parsedAnswer } from '../error-codes/http.ts';
import { appWith, rawAnswer, rawConnection } from '../error-codes/slow-app.ts';
import type { Gateway } from '../../support/api/api.ts';
import { uuidV7 } from '../../support/api/matchers.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';
/** The server ends slow, vanished and invalid connections, and none of them delays another. */

const test = gatewayTest.extend(
  'head',
  { scope: 'file' },
  ({ token }) =>
    'POST /api/v1/scent/offers HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n' +
    `authorization: Bearer ${token}\r\n`,
);

test.afterEach(async ({ gateway }) => {
  // No part of a body is stored as a whole one.
  expect(await gateway.sql`select from offers`).toHaveLength(0);
});

const waiting = { timeout: 30_000, interval: 10 };
const offer = '{"cost":1,"costIsVatInclusive":true,"rawBrandName":"B","rawProductName":"P"}';
const health = 'GET /health HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n';

type Slow = { readonly app: FastifyInstance };
const appWithShortLimits = (gateway: Gateway) =>
  appWith(gateway.dependencies, { requestTimeoutMs: 3000 });

const connectionsOf = ({ app: { server } }: Slow): Promise<number> =>
  promisify(server.getConnections.bind(server))();

/** Sends the same bytes over and over, until the other side closes. */
function trickle(socket: Socket, bytes: string): void {
  const timer = setInterval(() => socket.write(bytes), 10);
  socket.once('close', () => {
    clearInterval(timer);
  });
}

/** Several of the same kind at once, so that a missed one shows. */
const several = <T>(make: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: 8 }, make));

async function expectOthersServed(app: Slow): Promise<void> {
  expect(parsedAnswer(await rawAnswer(app, health)).status).toBe(200);
}

async function expectNoConnections(app: Slow): Promise<void> {
  await vi.waitFor(async () => {
    expect(await connectionsOf(app)).toBe(0);
  }, waiting);
}

async function expectTimeouts(app: Slow, sockets: readonly Socket[]): Promise<void> {
  const answers = Promise.all(sockets.map((socket) => text(socket)));
  await expectOthersServed(app);
  for (const answer of await answers) {
    const parsed = parsedAnswer(answer);
    expectRefusal(parsed, 408, 'REQUEST_TIMEOUT', {}, { 'x-request-id': uuidV7 });
    expect(parsed.headers['connection']).toBe('close');
  }
  await expectOthersServed(app);
  await expectNoConnections(app);
}

test.for([
  ['headers that never end', false, 'GET /health HTTP/1.1\r\n', 'x: y\r\n'],
  ['a connection without a request', false, '', ''],
  ['a body that never ends', true, 'transfer-encoding: chunked\r\n\r\n', '1\r\n \r\n'],
  ['a body that stops before its length', true, 'content-length: 9\r\n\r\n{', ''],
] as const)(
  'REQUEST_TIMEOUT: closes %s',
  async ([_what, isBody, first, again], { gateway, head }) => {
    const app = await appWithShortLimits(gateway);
    const sockets = await several(async () => {
      const socket = await rawConnection(app);
      socket.write((isBody ? head : '') + first);
      if (again !== '') trickle(socket, again);
      return socket;
    });
    await expectTimeouts(app, sockets);
  },
);

test('responds once to a body that continues, and closes', async ({ gateway }) => {
  const app = await appWithShortLimits(gateway);
  const answer = await rawAnswer(
    app,
    'POST /nope HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n{',
  );
  expect(answer.match(/^HTTP\/1\.1 \d+/gm)).toEqual(['HTTP/1.1 404']);
  await expectNoConnections(app);
});

test('returns 400 for a body that ends before its content-length', async ({ gateway, head }) => {
  const app = await appWithShortLimits(gateway);
  const socket = await rawConnection(app);
  socket.end(`${head}content-length: ${offer.length + 1}\r\n\r\n${offer}`);
  const { status, text: body } = parsedAnswer(await text(socket));
  expect(status).toBe(400);
  expect(JSON.parse(body)).toMatchObject({ state: 'VALIDATION_ERRORS', payload: null });
  await expectNoConnections(app);
});

test('keeps nothing of a client that resets in its body', async ({ gateway, head }) => {
  const app = await appWithShortLimits(gateway);
  const sockets = await several(async () => {
    const socket = await rawConnection(app);
    socket.write(`${head}content-length: ${offer.length + 1}\r\n\r\n${offer}`);
    return socket;
  });
  await vi.waitFor(async () => {
    expect(await connectionsOf(app)).toBe(sockets.length);
  }, waiting);
  await expectOthersServed(app);
  for (const socket of sockets) socket.resetAndDestroy();
  await expectNoConnections(app);
  await expectOthersServed(app);
});

test('closes the connection of a client that never reads its response', async ({ gateway }) => {
  const app = await appWithShortLimits(gateway);
  // A route's time and half a minute more, by default.
  expect(app.app.server.timeout).toBe(45_000);
  app.app.server.timeout = 1500;
  const sockets = await several(async () => {
    const socket = await rawConnection(app);
    socket.pause();
    // More than the buffers between the two of them take.
    socket.write('GET /docs/scalar.js HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(8));
    return socket;
  });
  await expectOthersServed(app);
  await expectNoConnections(app);
  for (const socket of sockets) expect(socket.isPaused()).toBe(true);
});

test('closes an idle connection without a response', async ({ gateway }) => {
  const app = await appWithShortLimits(gateway);
  // A little longer than a proxy keeps its own, by default.
  expect(app.app.server.keepAliveTimeout).toBe(72_000);
  app.app.server.keepAliveTimeout = 500;
  const answers = await several(() => rawAnswer(app, health.replace('connection: close\r\n', '')));
  for (const answer of answers) {
    expect(answer.match(/^HTTP\/1\.1 \d+/gm)).toEqual(['HTTP/1.1 200']);
  }
  await expectNoConnections(app);
});
