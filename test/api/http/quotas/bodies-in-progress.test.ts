import { once } from 'node:events';
import type { Socket } from 'node:net';
import { expect, vi } from 'vitest';
import { appWith, rawConnection, requestHead } from '../../error-codes/slow-app.ts';
import { newVendor } from '../../../support/api/actors.ts';
import { call, type Answer } from '../../../support/api/api.ts';
import { quotasTest } from './vendor-quotas-fixture.ts';

/** The bytes of bodies that arrive, or whose calls are not answered, are bounded (D152). */

const mebibyte = 1024 * 1024;
const json = 'content-type: application/json';
const tokenPath = '/api/v1/auth/token';
const offersPath = '/api/v1/scent/offers';

type Begun = {
  readonly token?: string;
  readonly length?: number | 'chunked';
  readonly headers?: readonly string[];
};

const test = quotasTest
  .extend('app', ({ gateway }) => appWith(gateway.dependencies))
  .extend('token', async ({ gateway }) => (await newVendor(gateway)).token)
  /** Begins calls whose bodies never end; the gateway has then read their headers. */
  .extend('begin', ({ app }) => {
    return async (
      count: number,
      path: string,
      { token, length = mebibyte, headers = [json] }: Begun = {},
    ) => {
      const sockets: Socket[] = [];
      while (sockets.length < count) {
        const socket = await rawConnection(app);
        const isRead = once(app.app.server, 'request');
        const authorization = token === undefined ? [] : [`authorization: Bearer ${token}`];
        const framing =
          length === 'chunked' ? 'transfer-encoding: chunked' : `content-length: ${length}`;
        socket.write(requestHead('POST', path, ...headers, ...authorization, framing));
        await isRead;
        sockets.push(socket);
      }
      return sockets;
    };
  })
  .extend('post', ({ app }) => (path: string, token?: string) => {
    return call(app, 'POST', path, { token, body: {} });
  });

const end = (sockets: readonly Socket[]): void => {
  for (const socket of sockets) socket.destroy();
};

const expectTooMany = ({ status, headers, details }: Answer, maximum: number): void => {
  expect(status).toBe(429);
  expect(headers['retry-after']).toBe('1');
  expect(details).toMatchObject({ reason: 'BODIES_IN_PROGRESS', maximum });
};

test('limits a vendor to 16 MiB of bodies', async ({ gateway, app, token, begin, post }) => {
  const other = await newVendor(gateway);
  const held = await begin(16, offersPath, { token });
  expectTooMany(await post(offersPath, token), 16 * mebibyte);
  expect((await post(offersPath, other.token)).status).toBe(400);
  // A call without a body takes no room.
  expect((await call(app, 'GET', offersPath, { token })).status).toBe(200);
  end(held);
  await vi.waitFor(async () => expect((await post(offersPath, token)).status).toBe(400), 20_000);
});

test('counts a body without a length as it arrives', async ({ token, begin, post }) => {
  const small = await begin(20, offersPath, { token, length: 'chunked' });
  await begin(15, offersPath, { token });
  const [socket] = await begin(1, offersPath, { token, length: 'chunked' });
  const half = mebibyte / 2;
  for (let sent = 0; sent < 2; sent += 1)
    socket?.write(`${half.toString(16)}\r\n${' '.repeat(half)}\r\n`);
  await vi.waitFor(async () => expectTooMany(await post(offersPath, token), 16 * mebibyte), 20_000);
  end(small);
});

const form = 'content-type: application/x-www-form-urlencoded';

test.for([
  [tokenPath, [json]],
  ['/console/sign-in', [form, 'sec-fetch-site: same-origin']],
] as const)(
  'limits a network without a token to 2 MiB of bodies of %s',
  async ([path, headers], { token, begin, post }) => {
    const held = await begin(2, path, { headers });
    await vi.waitFor(async () => expectTooMany(await post(tokenPath), 2 * mebibyte), 20_000);
    // Calls with a token have room of their own.
    expect((await post(offersPath, token)).status).toBe(400);
    end(held);
    await vi.waitFor(async () => expect((await post(tokenPath)).status).toBe(400), 20_000);
  },
);

test('limits all callers together to 64 MiB of bodies', async ({ gateway, token, begin, post }) => {
  for (let vendors = 0; vendors < 4; vendors += 1)
    await begin(16, offersPath, { token: (await newVendor(gateway)).token });
  expectTooMany(await post(offersPath, token), 64 * mebibyte);
  expect((await post(tokenPath)).status).toBe(400);
});

test('releases the bytes of a body once its call is answered', async ({ app, token }) => {
  const socket = await rawConnection(app);
  const body = JSON.stringify({ rawBrandName: 'x'.repeat(mebibyte - 100) });
  const headers = [json, `authorization: Bearer ${token}`, `content-length: ${body.length}`];
  const request = requestHead('POST', offersPath, ...headers) + body;
  for (let count = 0; count < 20; count += 1) {
    socket.write(request);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1.1 400 /);
  }
});
