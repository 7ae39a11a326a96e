import type { AddressInfo } from 'node:net';
import { expect } from 'vitest';
import { createRateLimit } from '../../../api/auth/rate-limits.ts';
import { gatewayTest } from '../../support/gateway-test.ts';
import { newVendor } from '../support/actors.ts';
import type { Gateway } from '../support/api.ts';
import { jobsPath } from './job-fixture.ts';

/** CSV and NDJSON bodies are read as they arrive, over a real connection. */

const itemsPerMinute = 20_000;
const test = gatewayTest
  .extend('overrides', { scope: 'file' }, { jobItemsPerVendor: createRateLimit(itemsPerMinute) })
  .extend('url', { scope: 'file' }, ({ gateway }) =>
    gateway.app.listen({ host: '127.0.0.1', port: 0 }),
  );

type Sent = { readonly type: string; readonly body: string | Buffer | ReadableStream };

/** One call over the network; a stream is sent in chunks, without a length. */
async function sendTo(gateway: Gateway, token: string, { type, body }: Sent) {
  const { port } = gateway.app.server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}${jobsPath}?kind=createOffers`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': type },
    body,
    ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
  } as RequestInit);
  const { state, details } = (await answer.json()) as { state: string; details: object };
  return { status: answer.status, state, details, headers: answer.headers };
}

const latin1 = (rows: number): Buffer =>
  Buffer.from(`rawBrandName\n${'Parfums Édith\n'.repeat(rows)}`, 'latin1');

const inChunks = (bytes: Buffer): ReadableStream => new Blob([bytes]).stream();

test.for([1, 30_000])(
  'a CSV body that is not UTF-8 is 400: %d rows',
  async (rows, { gateway, url: _url }) => {
    const { token } = await newVendor(gateway);
    const refused = {
      status: 400,
      state: 'VALIDATION_ERRORS',
      details: { errors: [{ field: 'Body', code: 'malformed', message: 'is not UTF-8' }] },
    };
    const body = latin1(rows);
    expect(await sendTo(gateway, token, { type: 'text/csv', body })).toMatchObject(refused);
    expect(await sendTo(gateway, token, { type: 'text/csv', body: inChunks(body) })).toMatchObject(
      refused,
    );
  },
);

test('a body of more than 8 MiB is 413, also without a length', async ({ gateway, url: _url }) => {
  const { token } = await newVendor(gateway);
  const body = Buffer.alloc(8 * 1024 * 1024 + 1, ' ');
  const type = 'application/x-ndjson';
  const refused = { status: 413, state: 'PAYLOAD_TOO_LARGE' };
  expect(await sendTo(gateway, token, { type, body })).toMatchObject(refused);
  expect(await sendTo(gateway, token, { type, body: inChunks(body) })).toMatchObject(refused);
});

test.for(['text/csv', 'application/x-ndjson'])(
  'a body counts at least one item for each KiB, a malformed one too: %s',
  async (type, { gateway, url: _url }) => {
    const { token } = await newVendor(gateway);
    const text =
      type === 'text/csv' ? `cost\n"${' '.repeat(1_000_000)}"\n` : `${' '.repeat(1_000_000)}1`;
    const left = (answer: { readonly headers: Headers }) =>
      Number(answer.headers.get('ratelimit-remaining'));

    const accepted = await sendTo(gateway, token, { type, body: text });
    expect(accepted.status).toBe(202);
    expect(left(accepted)).toBe(itemsPerMinute - 977);

    const malformed = Buffer.concat([Buffer.from(text), Buffer.from([0xff])]);
    const refused = await sendTo(gateway, token, { type, body: inChunks(malformed) });
    expect(refused.status).toBe(400);
    expect(left(refused)).toBe(itemsPerMinute - 2 * 977);
  },
);

test('a body that exceeds the items that are left is 429, and is not read to its end', async ({
  gateway,
  url: _url,
}) => {
  const { token } = await newVendor(gateway);
  const body = Buffer.alloc(8 * 1024 * 1024, ' ');
  const type = 'application/x-ndjson';
  const statuses = [];
  for (let count = 1; count <= 3; count += 1)
    statuses.push((await sendTo(gateway, token, { type, body: inChunks(body) })).status);
  expect(statuses).toEqual([400, 400, 429]);
});
