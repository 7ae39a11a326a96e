import { once } from 'node:events';
import type { Socket } from 'node:net';
import { describe, expect, vi } from 'vitest';
import { jobBytesMax } from '../../../../api/jobs/job-body.ts';
import { appWith, rawConnection, requestHead } from '../../error-codes/slow-app.ts';
import { newVendor } from '../../../support/api/actors.ts';
import { call, type ApiResponse } from '../../../support/api/api.ts';
import { quotasTest } from './vendor-quotas-fixture.ts';

/** The bytes of bodies that have arrived, and whose calls are not answered, are bounded (D170). */

const kibibyte = 1024;
const mebibyte = 1024 * kibibyte;
const json = 'content-type: application/json';
const tokenPath = '/api/v1/auth/token';
const offersPath = '/api/v1/scent/offers';
const stockPath = `${offersPath}/stock`;
const jobsPath = '/api/v1/scent/jobs';
const waiting = { timeout: 20_000, interval: 50 };

type Begun = {
  readonly method?: string;
  readonly token?: string;
  readonly declared: number | 'chunked';
  readonly sent: number;
  readonly headers?: readonly string[];
};

const test = quotasTest
  .extend('requestTimeoutMs', () => 60_000)
  .extend('app', ({ gateway, requestTimeoutMs }) =>
    appWith(gateway.dependencies, { requestTimeoutMs }),
  )
  .extend('token', async ({ gateway }) => (await newVendor(gateway)).token)
  /** Begins calls whose bodies never end; the gateway has then read what was sent of them. */
  .extend('begin', ({ app }) => {
    return async (
      count: number,
      path: string,
      { method = 'POST', token, declared, sent, headers = [json] }: Begun,
    ) => {
      const sockets: Socket[] = [];
      const reads: Promise<unknown>[] = [];
      while (sockets.length < count) {
        const socket = await rawConnection(app);
        const isRead = once(app.app.server, 'request');
        const authorization = token === undefined ? [] : [`authorization: Bearer ${token}`];
        const isChunked = declared === 'chunked';
        const framing = isChunked ? 'transfer-encoding: chunked' : `content-length: ${declared}`;
        socket.write(requestHead(method, path, ...headers, ...authorization, framing));
        const [{ socket: other }] = (await isRead) as [{ readonly socket: Socket }];
        const headBytes = other.bytesRead;
        socket.write(
          isChunked ? `${sent.toString(16)}\r\n${' '.repeat(sent)}\r\n` : ' '.repeat(sent),
        );
        reads.push(
          vi.waitFor(
            () => expect(other.bytesRead - headBytes).toBeGreaterThanOrEqual(sent),
            20_000,
          ),
        );
        sockets.push(socket);
      }
      await Promise.all(reads);
      return sockets;
    };
  })
  .extend('post', ({ app }) => (path: string, token?: string) => {
    return call(app, 'POST', path, { token, body: {} });
  })
  /** A bulk call with a body that is too large for the room of small ones. */
  .extend('pushMany', ({ app }) => (token: string) => {
    const body = JSON.stringify({ items: [] }) + ' '.repeat(20 * kibibyte);
    return call(app, 'PATCH', stockPath, {
      token,
      body,
      headers: { 'content-type': json.slice(14) },
    });
  });

const end = (sockets: readonly Socket[]): void => {
  for (const socket of sockets) socket.destroy();
};

/** The gateway counts what has arrived a little later. */
const expectTooMany = (send: () => Promise<ApiResponse>, maximum: number): Promise<void> =>
  vi.waitFor(async () => {
    const { status, headers, details } = await send();
    expect(status).toBe(429);
    expect(headers['retry-after']).toBe('1');
    expect(details).toMatchObject({ reason: 'BODIES_IN_PROGRESS', maximum });
  }, waiting);

const form = 'content-type: application/x-www-form-urlencoded';

test.for([
  [tokenPath, [json]],
  ['/console/sign-in', [form, 'sec-fetch-site: same-origin']],
] as const)(
  'refuses no log-in while 400 bodies of %s are declared and one byte of each has arrived',
  async ([path, headers], { begin, post }) => {
    await begin(400, path, { declared: 4096, sent: 1, headers });
    expect((await post(tokenPath)).status).toBe(400);
    expect((await post('/operator/v1/auth/token')).status).toBe(400);
  },
);

test("refuses no vendor's write while jobs of 8 MiB are declared and one byte has arrived", async ({
  gateway,
  token,
  begin,
  post,
  pushMany,
}) => {
  for (let vendors = 0; vendors < 4; vendors += 1)
    await begin(4, jobsPath, {
      token: (await newVendor(gateway)).token,
      declared: jobBytesMax,
      sent: 1,
    });
  expect((await post(offersPath, token)).status).toBe(400);
  expect((await pushMany(token)).status).toBe(400);
});

const largeBodies = { method: 'PATCH', declared: mebibyte, sent: mebibyte - 1 } as const;

test('limits a vendor to 16 MiB of large bodies, beside which its small ones pass', async ({
  gateway,
  token,
  begin,
  post,
  pushMany,
}) => {
  const other = await newVendor(gateway);
  const held = await begin(16, stockPath, { ...largeBodies, token });
  await expectTooMany(() => pushMany(token), 16 * mebibyte);
  expect((await pushMany(other.token)).status).toBe(400);
  expect((await post(offersPath, token)).status).toBe(400);
  end(held);
  await vi.waitFor(async () => expect((await pushMany(token)).status).toBe(400), waiting);
});

test('counts a body without a length as it arrives', async ({ token, begin, pushMany }) => {
  const all = { ...largeBodies, token, declared: 'chunked' } as const;
  await begin(20, stockPath, { ...all, sent: 1 });
  expect((await pushMany(token)).status).toBe(400);
  await begin(16, stockPath, all);
  await expectTooMany(() => pushMany(token), 16 * mebibyte);
});

test('limits a network without a token to 2 MiB of small bodies', async ({
  token,
  begin,
  post,
}) => {
  const held = await begin(512, tokenPath, { declared: 4096, sent: 4095 });
  await expectTooMany(() => post(tokenPath), 2 * mebibyte);
  // Calls with a token have room of their own.
  expect((await post(offersPath, token)).status).toBe(400);
  end(held);
  await vi.waitFor(async () => expect((await post(tokenPath)).status).toBe(400), waiting);
});

test('limits all callers together to 64 MiB of large bodies, beside which small ones pass', async ({
  gateway,
  token,
  begin,
  post,
  pushMany,
}) => {
  for (let vendors = 0; vendors < 4; vendors += 1)
    await begin(16, stockPath, { ...largeBodies, token: (await newVendor(gateway)).token });
  await expectTooMany(() => pushMany(token), 64 * mebibyte);
  expect((await post(offersPath, token)).status).toBe(400);
  expect((await post(tokenPath)).status).toBe(400);
});

describe('with a short time between two pieces of a body', () => {
  test.override({ requestTimeoutMs: 9000 });
  test('gives the room of a body back when its time is over, though its caller stays', async ({
    token,
    begin,
    pushMany,
  }) => {
    const held = await begin(16, stockPath, { ...largeBodies, token });
    for (const socket of held) socket.pause();
    await expectTooMany(() => pushMany(token), 16 * mebibyte);
    await vi.waitFor(async () => expect((await pushMany(token)).status).toBe(400), waiting);
    expect(held.filter(({ destroyed }) => destroyed)).toHaveLength(0);
  });
});

test('releases the bytes of a body once its call is answered', async ({ app, token }) => {
  const socket = await rawConnection(app);
  const body = JSON.stringify({ items: [], other: 'x'.repeat(mebibyte - 100) });
  const headers = [json, `authorization: Bearer ${token}`, `content-length: ${body.length}`];
  const request = requestHead('PATCH', stockPath, ...headers) + body;
  for (let count = 0; count < 20; count += 1) {
    socket.write(request);
    const [response] = (await once(socket, 'data')) as [Buffer];
    expect(response.toString()).toMatch(/^HTTP\/1.1 400 /);
  }
});
