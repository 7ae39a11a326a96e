import { once } from 'node:events';
import { connect as connectTcp } from 'node:net';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import { expect } from 'vitest';
import { buildApp } from '../../../api/app.ts';
import { newVendor } from '../../support/api/actors.ts';
import { help, unknownEffect, unknownId, type Gateway } from '../../support/api/api.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';
/** What lies below and beside the routes: bytes, sizes, and what is no HTTP. */

const test = gatewayTest.extend(
  'token',
  { scope: 'file' },
  async ({ gateway }) => (await newVendor(gateway)).token,
);

test.beforeAll(async ({ gateway }) => {
  await gateway.app.listen({ host: '127.0.0.1', port: 0 });
});

const post = (
  gateway: Gateway,
  url: string,
  payload: string | Buffer,
  headers: Record<string, string> = {},
) =>
  gateway.app.inject({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json', ...headers },
    payload,
  });

/** An offer whose key ends in a broken sequence. */
const brokenOffer = (byte: number) =>
  Buffer.concat([
    Buffer.from('{"vendorExternalId":"x'),
    Buffer.from([0xf0, 0x90, byte]),
    Buffer.from('","rawBrandName":"B","rawProductName":"P","cost":1,"costIsVatInclusive":false}'),
  ]);
/** Sends raw bytes and reads the answer to its end. */
async function raw(gateway: Gateway, request: string): Promise<string> {
  // A TCP server's address is an AddressInfo; only a pipe's is a string.
  const { port } = gateway.app.server.address() as AddressInfo;
  const socket = connectTcp(port, '127.0.0.1');
  socket.end(request);
  return text(socket);
}

test('refuses bytes that are not UTF-8', async ({ gateway, token }) => {
  for (const byte of [0x80, 0x81]) {
    const answer = await post(gateway, '/api/v1/scent/offers', brokenOffer(byte), {
      authorization: `Bearer ${token}`,
    });
    expect(answer.json()).toMatchObject({ state: 'VALIDATION_ERRORS', payload: null });
  }
});

test('lists the first hundred of 120,000 errors in a body', async ({ gateway }) => {
  const entries = Array.from({ length: 120_000 }, (_, index) => `"${index.toString(36)}":0`);
  const answer = await post(gateway, '/api/v1/auth/token', `{${entries.join(',')}}`);
  expect(answer.statusCode).toBe(400);
  expect(answer.json()).toMatchObject({ state: 'VALIDATION_ERRORS' });
  expect(answer.json<{ details: { errors: unknown[] } }>().details.errors).toHaveLength(100);
});

test.for(['text/plain', 'application/x-www-form-urlencoded', 'application/json'])(
  'reads an empty body as none, whatever its media type: %s',
  async (type, { gateway, token }) => {
    const { app } = gateway;
    const headers = { 'content-type': type, authorization: `Bearer ${token}` };
    for (const more of [{}, { 'content-length': '0' }]) {
      const url = `/api/v1/scent/offers/${unknownId()}/submit`;
      const answer = await app.inject({ method: 'POST', url, headers: { ...headers, ...more } });
      expect(answer.json()).toMatchObject({ state: 'NOT_FOUND_VENDOR_OFFER' });
    }
  },
);

test.for(['keep-alive', 'close'])(
  'responds to a body far above the limit before it closes (connection: %s)',
  async (connection, { gateway, token }) => {
    const { port } = gateway.app.server.address() as AddressInfo;
    const length = 16 * 1024 * 1024;
    const head =
      'POST /api/v1/scent/offers HTTP/1.1\r\nhost: a\r\n' +
      `authorization: Bearer ${token}\r\nconnection: ${connection}\r\n`;
    for (let round = 0; round < 20; round += 1) {
      const socket = connectTcp(port, '127.0.0.1');
      const answer = text(socket);
      socket.write(`${head}content-type: application/json\r\ncontent-length: ${length}\r\n\r\n`);
      socket.end(Buffer.alloc(length, ' '));
      expect(await answer).toContain('PAYLOAD_TOO_LARGE');
    }
  },
);

test.for(['cow', 'cow\r\ntransfer-encoding: cow', 'identity', 'gzip, chunked', ''])(
  'refuses the transfer coding %j once, and closes the connection',
  async (coding, { gateway, token }) => {
    const follower = 'GET /health HTTP/1.1\r\nhost: a\r\n\r\n';
    for (const path of ['/api/v1/nope', '/api/v1/scent/offers']) {
      const head = `POST ${path} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${token}\r\n`;
      const end = `transfer-encoding: ${coding}\r\n\r\n0\r\n\r\n`;
      const answer = await raw(gateway, head + end + follower);
      expect(answer.match(/^HTTP\/1\.1 .*/gm)).toEqual(['HTTP/1.1 400 Bad Request']);
      expect(answer).toContain('"field":"Transfer-Encoding"');
      expect(answer).toMatch(/^x-request-id: [\da-f-]{36}\r$/m);
    }
  },
);

test('survives callers of CONNECT that reset the connection', async ({ gateway }) => {
  // An unhandled error would end the process. Here it fails the test run.
  const { port } = gateway.app.server.address() as AddressInfo;
  for (let round = 0; round < 50; round += 1) {
    const socket = connectTcp(port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write('CONNECT a:443 HTTP/1.1\r\nhost: a\r\n\r\n');
    socket.resetAndDestroy();
  }
  expect(await raw(gateway, 'GET /health HTTP/1.1\r\nconnection: close\r\n\r\n')).toContain(
    'HTTP/1.1 200',
  );
});

test('accepts an unknown expectation and a missing Host', async ({ gateway }) => {
  const answer = await raw(
    gateway,
    'GET /api/v1/nope HTTP/1.1\r\nexpect: the-unexpected\r\nconnection: close\r\n\r\n',
  );
  expect(answer).toContain('NOT_FOUND_ROUTE');
});

test('returns 504 when a dependency never answers', async ({ gateway, token }) => {
  const silent = await buildApp(
    { ...gateway.dependencies, checkDestination: () => new Promise(() => undefined) },
    { log: pino({ level: 'silent' }), version: '0.0.0', trustProxy: [], handlerTimeoutMs: 100 },
  );
  const url = await silent.listen({ host: '127.0.0.1', port: 0 });
  try {
    const answer = await fetch(`${url}/api/v1/webhooks`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({
        url: 'https://a.example.org/',
        eventTypes: ['vendor.order.assigned'],
      }),
    });
    expect(answer.status).toBe(504);
    expect(await answer.json()).toEqual({
      state: 'GATEWAY_TIMEOUT',
      payload: null,
      details: { ...unknownEffect, ...help('GATEWAY_TIMEOUT') },
    });
  } finally {
    await silent.close();
  }
});
