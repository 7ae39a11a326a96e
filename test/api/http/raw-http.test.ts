import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect } from 'vitest';
import { freeFormOffer } from '../../support/api/actors.ts';
import { call, unknownId, type Gateway } from '../../support/api/api.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';
import { baseUrlOf, parsedResponse } from '../error-codes/http.ts';
import { rawResponse, rawConnection, requestHead } from '../error-codes/slow-app.ts';
import { hookUrl } from '../webhooks/webhook-fixture.ts';
/** What lies below and beside the routes: bytes, sizes, pipelines, and what is no HTTP. */

/** Lets the slow requests be answered. */
let release: () => void = () => undefined;
/** Slow requests that have begun. */
let begun = 0;

const test = gatewayTest.extend('overrides', { scope: 'file' }, () => ({
  checkDestination: () =>
    new Promise((resolve) => {
      begun += 1;
      release = () => {
        resolve({ kind: 'refused', reason: 'slow' });
      };
    }),
}));

const offers = '/api/v1/scent/offers';
const json = 'content-type: application/json';
const chunked = 'transfer-encoding: chunked';
const connectRequest = requestHead('CONNECT', 'a:443');

test('refuses bytes that are not UTF-8', async ({ gateway, token }) => {
  for (const byte of [0x80, 0x81]) {
    const response = await gateway.app.inject({
      method: 'POST',
      url: offers,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      // An offer whose key ends in a broken sequence.
      payload: Buffer.concat([
        Buffer.from(JSON.stringify({ ...freeFormOffer, vendorExternalId: 'x' }).slice(0, -2)),
        Buffer.from([0xf0, 0x90, byte]),
        Buffer.from('"}'),
      ]),
    });
    expect(response.json()).toMatchObject({ state: 'VALIDATION_ERRORS', payload: null });
  }
});

const utf16 = Buffer.from('{"cost":1}', 'utf16le');
// Read as UTF-8, the bytes of this text in ISO-8859-1 are another text.
const latin1 = Buffer.from('{"vendorExternalId":"Ã©"}', 'latin1');

test.for([
  ['UTF-16', '', Buffer.from('\uFEFF{"cost":1}', 'utf16le')],
  ['UTF-16', '', utf16],
  ['UTF-16', '', Buffer.from(utf16).swap16()],
  ['ISO-8859-1', ';charset=ISO-8859-1', latin1],
  ['latin1', '; charset="latin1"', latin1],
] as const)('names UTF-8 to the sender of %s%s', async (row, { gateway, token }) => {
  const [encoding, parameter, payload] = row;
  const type = `application/json${parameter}`;
  const headers = { 'content-type': type, authorization: `Bearer ${token}` };
  const response = await gateway.app.inject({ method: 'POST', url: offers, headers, payload });
  const message = `is ${encoding}; send it as UTF-8`;
  expect(response.json()).toMatchObject({
    state: 'VALIDATION_ERRORS',
    details: { errors: [{ field: 'Body', code: 'malformed', message }] },
  });
});

test('refuses a token before the broken body behind it', async ({ gateway }) => {
  const request = `${requestHead('POST', offers, chunked, 'authorization: Bearer x')}zz\r\n`;
  expect(await rawResponse(gateway, request)).toContain('UNAUTHORIZED_INVALID_TOKEN');
});

test.for(['text/plain', 'application/x-www-form-urlencoded', 'application/json'])(
  'treats an empty body as absent, whatever its media type: %s',
  async (type, { gateway, token }) => {
    const url = `${offers}/${unknownId()}/submit`;
    for (const more of [{}, { 'content-length': '0' }]) {
      const headers = { 'content-type': type, ...more };
      const { state } = await call(gateway, 'POST', url, { token, headers });
      expect(state).toBe('NOT_FOUND_VENDOR_OFFER');
    }
  },
);

test.for(['keep-alive', 'close'])(
  'responds to a body far above the limit before it closes (connection: %s)',
  async (connection, { gateway, token }) => {
    const length = 16 * 1024 * 1024;
    const headers = [`authorization: Bearer ${token}`, `connection: ${connection}`, json];
    const play = async (): Promise<void> => {
      const socket = await rawConnection(gateway);
      const response = text(socket);
      socket.write(requestHead('POST', offers, ...headers, `content-length: ${length}`));
      socket.end(Buffer.alloc(length, ' '));
      expect(await response).toContain('PAYLOAD_TOO_LARGE');
    };
    for (let round = 0; round < 20; round += 1) {
      const begunAt = performance.now();
      await play().catch((error: unknown) => {
        // After a pause of this process, the connection ends before its body is read.
        if (performance.now() - begunAt < 1500) throw error;
        return play();
      });
    }
  },
);

test('reads a body that it refuses unread, and then the next request', async ({ gateway }) => {
  const length = 1024 * 1024;
  const headers = ['authorization: Bearer none', json, `content-length: ${length}`];
  const refused = `${requestHead('POST', offers, ...headers)}${' '.repeat(length)}`;
  const next = requestHead('GET', '/health', 'connection: close');
  const response = await rawResponse(gateway, `${refused}${next}`);
  expect(response.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 401', 'HTTP/1.1 200']);
});

test.for(['cow', 'cow\r\ntransfer-encoding: cow', 'identity', 'gzip, chunked', ''])(
  'refuses the transfer coding %j once, and closes the connection',
  async (coding, { gateway, token }) => {
    for (const path of ['/api/v1/nope', offers]) {
      const headers = [`authorization: Bearer ${token}`, `transfer-encoding: ${coding}`];
      const request = `${requestHead('POST', path, ...headers)}0\r\n\r\n${requestHead('GET', '/health')}`;
      const response = await rawResponse(gateway, request);
      expect(response.match(/^HTTP\/1\.1 .*/gm)).toEqual(['HTTP/1.1 400 Bad Request']);
      expect(response).toContain('"field":"Transfer-Encoding"');
      expect(response).toMatch(/^x-request-id: [\da-f-]{36}\r$/m);
    }
  },
);

test('closes the connection of a CONNECT, and survives its reset', async ({ gateway }) => {
  // An unhandled error would end the process. Here it fails the tests.
  for (let round = 0; round < 50; round += 1) {
    const socket = await rawConnection(gateway);
    socket.write(connectRequest);
    socket.resetAndDestroy();
  }
  for (let round = 0; round < 10; round += 1) {
    const socket = await rawConnection(gateway);
    socket.resume().write(connectRequest);
    await once(socket, 'close');
  }
});

test('accepts an unknown expectation', async ({ gateway }) => {
  const request = requestHead('GET', '/api/v1/nope', 'expect: the-unexpected', 'connection: close');
  expect(await rawResponse(gateway, request)).toContain('NOT_FOUND_ROUTE');
});

/** A request with these lines of `Host`, and whether the connection ends with its response. */
const withHosts = (path: string, ...hosts: readonly string[]): string =>
  [`GET ${path} HTTP/1.1`, ...hosts, 'connection: close', '\r\n'].join('\r\n');

test.for([
  [[], 'required'],
  [['host: x', 'host: y'], 'malformed'],
  [['host: x', 'Host: x'], 'malformed'],
  [['host:'], 'malformed'],
  [['host: x, y'], 'malformed'],
  [['host: x y'], 'malformed'],
  [['host: y@x'], 'malformed'],
  [['host: x/y'], 'malformed'],
  [['host: x:port'], 'malformed'],
  [['host: "><script>'], 'malformed'],
] as const)(
  'refuses the lines %j of a Host with the envelope (D172)',
  async ([hosts, code], { gateway }) => {
    for (const path of ['/health', '/api/v1/nope', '/api/v1/scent/offers']) {
      const { status, text: body } = parsedResponse(
        await rawResponse(gateway, withHosts(path, ...hosts)),
      );
      expect(status, path).toBe(400);
      expect(JSON.parse(body)).toMatchObject({
        state: 'VALIDATION_ERRORS',
        payload: null,
        details: { errors: [{ field: 'Host', path: '', code }] },
      });
    }
  },
);

test('accepts each form of a Host, and HTTP/1.0 without one', async ({ gateway }) => {
  for (const host of ['localhost', 'a.example:443', '192.0.2.1', '[2001:db8::1]:3000', 'x:']) {
    const response = await rawResponse(gateway, withHosts('/health', `host: ${host}`));
    expect(parsedResponse(response).status, host).toBe(200);
  }
  expect(await rawResponse(gateway, 'GET /health HTTP/1.0\r\n\r\n')).toContain(' 200 OK');
});

test('refuses a target that names another host than Host', async ({ gateway }) => {
  for (const [host, status] of [
    ['x', 200],
    ['X:80', 200],
    ['y', 400],
    ['x:8080', 400],
  ] as const) {
    const request = withHosts('http://x/health', `host: ${host}`);
    expect(parsedResponse(await rawResponse(gateway, request)).status, host).toBe(status);
  }
});

/** A connection, and the states of its responses as they came. */
async function open(gateway: Gateway) {
  const socket = await rawConnection(gateway);
  const responses = text(socket);
  return {
    socket,
    /** Sends a slow request, and what comes behind it; resolves when it has begun. */
    send: async (bytes: string) => {
      const before = begun;
      socket.write(bytes);
      await expect.poll(() => begun, { timeout: 10_000, interval: 5 }).toBe(before + 1);
    },
    states: async () =>
      Array.from((await responses).matchAll(/"state":"(\w+)"/g), ([, state]) => state),
  };
}

// Requests that are sent ahead of their responses: each gets its own response, in its turn.

/** A request that is answered when `release` is called. */
const slow = (token: string, ...headers: readonly string[]) => {
  const body = JSON.stringify({ url: hookUrl, eventTypes: ['vendor.order.assigned'] });
  const own = [`authorization: Bearer ${token}`, json, `content-length: ${body.length}`];
  return requestHead('POST', '/api/v1/webhooks', ...own, ...headers) + body;
};
const refused = 'BUSINESS_VENDOR_WEBHOOK_SUBSCRIPTION_LIMIT';

test.for([
  ['bytes that are no HTTP', '\0\0\0\r\n\r\n', 'VALIDATION_ERRORS'],
  [
    'a request whose body breaks',
    `${requestHead('POST', offers, chunked, 'authorization: Bearer x')}zz\r\n`,
    'UNAUTHORIZED_INVALID_TOKEN',
  ],
  ['a CONNECT', connectRequest, 'NOT_FOUND_ROUTE'],
] as const)(
  'responds to %s after the slow request before it on the connection',
  async ([_what, behind, state], { gateway, token }) => {
    const { send, states } = await open(gateway);
    await send(slow(token) + behind);
    // Long enough for a response out of turn to be on its way: the gateway has read both.
    await fetch(`${await baseUrlOf(gateway.app)}/health`);
    release();
    expect(await states()).toEqual([refused, state]);
  },
);

test('serves the next request of a connection after a refused large body', async ({
  gateway,
  token,
}) => {
  const { socket, send, states } = await open(gateway);
  const large = 'x'.repeat(1024 * 1024 + 10);
  const post = requestHead('POST', offers, chunked, `authorization: Bearer ${token}`, json);
  await send(`${slow(token)}${post}${large.length.toString(16)}\r\n${large}\r\n0\r\n\r\n`);
  release();
  const waiting = { timeout: 10_000, interval: 5 };
  await expect.poll(() => socket.bytesRead, waiting).toBeGreaterThan(1200);
  await send(slow(token, 'connection: close'));
  // Past the time for which a connection with an unread body is kept.
  await expect
    .poll(() => socket.destroyed, { timeout: 2600, interval: 100 })
    .toBe(true)
    .catch(() => undefined);
  release();
  expect(await states()).toEqual([refused, 'PAYLOAD_TOO_LARGE', refused]);
});
