import { connect as connectTcp, type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'vitest';
import { newVendor } from '../../../support/api/actors.ts';
import { type Gateway } from '../../../support/api/api.ts';
import { gatewayTest } from '../../../support/gateway/gateway-test.ts';
/**
 * Requests that are sent ahead of their answers, on one connection: each gets its own answer, in
 * its turn.
 */

const test = gatewayTest
  .extend('overrides', { scope: 'file' }, () => ({
    checkDestination: () =>
      new Promise((resolve) => {
        begun += 1;
        release = () => {
          resolve({ kind: 'refused', reason: 'slow' });
        };
      }),
  }))
  .extend('token', { scope: 'file' }, async ({ gateway }) => (await newVendor(gateway)).token);

/** Lets the slow requests be answered. */
let release: () => void = () => undefined;
/** Slow requests that have begun. */
let begun = 0;

test.beforeAll(async ({ gateway }) => {
  await gateway.app.listen({ host: '127.0.0.1', port: 0 });
});

/** A request that is answered when `release` is called. */
const slow = (token: string) => {
  const body = JSON.stringify({
    url: 'https://a.example.org/',
    eventTypes: ['vendor.order.assigned'],
  });
  const head = `POST /api/v1/webhooks HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${token}\r\n`;
  return `${head}content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
};
const chunked = 'POST /api/v1/scent/offers HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n';

function open(gateway: Gateway): Socket {
  // A TCP server's address is an AddressInfo; only a pipe's is a string.
  const { port } = gateway.app.server.address() as AddressInfo;
  return connectTcp(port, '127.0.0.1');
}

/** The states of the answers, as they came. */
const statesOf = (answers: string) =>
  Array.from(answers.matchAll(/"state":"(\w+)"/g), ([, state]) => state);

/** Sends a slow request, and what comes behind it; resolves when it has begun. */
async function send(socket: Socket, bytes: string): Promise<void> {
  const before = begun;
  socket.write(bytes);
  await expect.poll(() => begun, { timeout: 10_000, interval: 5 }).toBe(before + 1);
}

const refused = 'BUSINESS_VENDOR_WEBHOOK_SUBSCRIPTION_LIMIT';

test.for([
  ['bytes that are no HTTP', '\0\0\0\r\n\r\n', 'VALIDATION_ERRORS'],
  [
    'a request whose body breaks',
    `${chunked}authorization: Bearer x\r\n\r\nzz\r\n`,
    'UNAUTHORIZED_INVALID_TOKEN',
  ],
  ['a CONNECT', 'CONNECT a:443 HTTP/1.1\r\nhost: a\r\n\r\n', 'NOT_FOUND_ROUTE'],
] as const)(
  'responds to %s after the slow request before it',
  async ([_what, behind, state], { gateway, token }) => {
    const socket = open(gateway);
    const answers = text(socket);
    await send(socket, slow(token) + behind);
    // Long enough for an answer out of turn to be on its way: the gateway has read both.
    await gateway.app.inject({ method: 'GET', url: '/health' });
    release();
    expect(statesOf(await answers)).toEqual([refused, state]);
  },
);

test('serves the next request after a refused large body', async ({ gateway, token }) => {
  const socket = open(gateway);
  const answers = text(socket);
  const large = 'x'.repeat(1024 * 1024 + 10);
  const head = `${chunked}authorization: Bearer ${token}\r\ncontent-type: application/json\r\n\r\n`;
  await send(socket, `${slow(token)}${head}${large.length.toString(16)}\r\n${large}\r\n0\r\n\r\n`);
  release();
  await expect.poll(() => socket.bytesRead, { timeout: 10_000, interval: 5 }).toBeGreaterThan(1200);
  await send(socket, slow(token).replace('host: a', 'host: a\r\nconnection: close'));
  // Past the time for which a connection with an unread body is kept.
  await expect
    .poll(() => socket.destroyed, { timeout: 2600, interval: 100 })
    .toBe(true)
    .catch(() => undefined);
  release();
  expect(statesOf(await answers)).toEqual([refused, 'PAYLOAD_TOO_LARGE', refused]);
});

const openConnections = (gateway: Gateway) =>
  new Promise<number>((resolve) => {
    gateway.app.server.getConnections((_error, connections) => {
      resolve(connections);
    });
  });

test('closes the connection of a CONNECT', async ({ gateway }) => {
  const sockets = Array.from({ length: 10 }, () => open(gateway));
  for (const socket of sockets) {
    socket.on('error', () => undefined).resume();
    socket.write('CONNECT a:443 HTTP/1.1\r\nhost: a\r\n\r\n');
  }
  await expect.poll(() => openConnections(gateway), { timeout: 10_000, interval: 50 }).toBe(0);
});
