import { once } from 'node:events';
import type { Socket } from 'node:net';
import { expect, vi } from 'vitest';
import { appWith, rawConnection } from '../../error-codes/slow-app.ts';
import { newVendor } from '../../../support/api/actors.ts';
import { call, type Answer, type Gateway } from '../../../support/api/api.ts';
import { quotasTest } from './vendor-quotas-fixture.ts';

/** The bytes of bodies that arrive, or whose calls are not answered, are bounded (D152). */

const mebibyte = 1024 * 1024;
const tokenPath = '/api/v1/auth/token';
const offersPath = '/api/v1/scent/offers';

const test = quotasTest
  .extend('app', async ({ gateway }) => appWith(gateway.dependencies))
  .extend('token', async ({ gateway }) => (await newVendor(gateway)).token);

/** Begins a call whose body never ends; the gateway has read its headers when this resolves. */
async function unfinished(
  { app }: Pick<Gateway, 'app'>,
  path: string,
  { token, length = String(mebibyte) }: { readonly token?: string; readonly length?: string } = {},
): Promise<Socket> {
  const socket = await rawConnection({ app });
  const isRead = once(app.server, 'request');
  const authorization = token === undefined ? '' : `authorization: Bearer ${token}\r\n`;
  const framing = length === 'chunked' ? 'transfer-encoding: chunked' : `content-length: ${length}`;
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n` +
      `${authorization}${framing}\r\n\r\n`,
  );
  await isRead;
  return socket;
}

async function unfinishedCalls(count: number, ...of: Parameters<typeof unfinished>) {
  const sockets: Socket[] = [];
  while (sockets.length < count) sockets.push(await unfinished(...of));
  return {
    end: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}

const expectTooMany = ({ status, headers, details }: Answer, maximum: number): void => {
  expect(status).toBe(429);
  expect(headers['retry-after']).toBe('1');
  expect(details).toMatchObject({ reason: 'BODIES_IN_PROGRESS', maximum });
};

test('limits a vendor to 16 MiB of bodies in progress', async ({ gateway, app, token }) => {
  const other = await newVendor(gateway);
  const post = (as: string) => call(app, 'POST', offersPath, { token: as, body: {} });

  const held = await unfinishedCalls(16, app, offersPath, { token });
  expectTooMany(await post(token), 16 * mebibyte);
  expect((await post(other.token)).status).toBe(400);
  // A call without a body takes no room.
  expect((await call(app, 'GET', offersPath, { token })).status).toBe(200);

  held.end();
  await vi.waitFor(async () => expect((await post(token)).status).toBe(400));
});

test('bodies without a length count as they arrive', async ({ app, token }) => {
  const small = await unfinishedCalls(20, app, offersPath, { token, length: 'chunked' });
  await unfinishedCalls(15, app, offersPath, { token });
  const socket = await unfinished(app, offersPath, { token, length: 'chunked' });
  const half = mebibyte / 2;
  for (let sent = 0; sent < 2; sent += 1)
    socket.write(`${half.toString(16)}\r\n${' '.repeat(half)}\r\n`);
  await vi.waitFor(async () => {
    const answer = await call(app, 'POST', offersPath, { token, body: {} });
    expectTooMany(answer, 16 * mebibyte);
  });
  small.end();
});

test('limits a network without a token to 2 MiB of bodies', async ({ app, token }) => {
  const logIn = () => call(app, 'POST', tokenPath, { body: {} });

  const held = await unfinishedCalls(2, app, tokenPath);
  expectTooMany(await logIn(), 2 * mebibyte);
  // Calls with a token have room of their own.
  expect((await call(app, 'POST', offersPath, { token, body: {} })).status).toBe(400);

  held.end();
  await vi.waitFor(async () => expect((await logIn()).status).toBe(400));
});

test('all callers together have at most 64 MiB of bodies in progress', async ({
  gateway,
  app,
  token,
}) => {
  const vendors = await Promise.all(Array.from({ length: 4 }, () => newVendor(gateway)));
  for (const vendor of vendors) await unfinishedCalls(16, app, offersPath, { token: vendor.token });
  const answer = await call(app, 'POST', offersPath, { token, body: {} });
  expectTooMany(answer, 64 * mebibyte);
  expect((await call(app, 'POST', tokenPath, { body: {} })).status).toBe(400);
});

test('an answered call gives back the room of its body', async ({ app, token }) => {
  const socket = await rawConnection(app);
  const body = JSON.stringify({ rawBrandName: 'x'.repeat(mebibyte - 100) });
  for (let count = 0; count < 20; count += 1) {
    socket.write(
      `POST ${offersPath} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n` +
        `authorization: Bearer ${token}\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1.1 400 /);
  }
});
