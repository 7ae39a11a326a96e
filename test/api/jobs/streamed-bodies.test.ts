import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { expect } from 'vitest';
import { createRateLimit } from '../../../api/auth/rate-limits.ts';
import { jobsPath, jobTest } from './job-fixture.ts';

// The bodies of jobs are read as they arrive, over a real connection.

const itemsPerMinute = 20_000;
const csv = 'text/csv';
const jsonType = 'application/json';
const pieceBytes = 65_536;

const test = jobTest
  .extend('overrides', { scope: 'file' }, { jobItemsPerVendor: createRateLimit(itemsPerMinute) })
  .extend('origin', { scope: 'file' }, ({ gateway }) =>
    gateway.app.listen({ host: '127.0.0.1', port: 0 }),
  )
  /** One call over a connection of its own, by a client that sends piece by piece. */
  .extend('send', ({ origin, vendor }) => async (type: string, body: Buffer, hasLength = false) => {
    const request = httpRequest(`${origin}${jobsPath}?kind=createOffers`, {
      method: 'POST',
      agent: false,
      headers: {
        authorization: `Bearer ${vendor.token}`,
        'content-type': type,
        ...(hasLength ? { 'content-length': body.length } : {}),
      },
    });
    const answered = once(request, 'response') as Promise<[IncomingMessage]>;
    for (let start = 0; start < body.length; start += pieceBytes)
      request.write(body.subarray(start, start + pieceBytes));
    request.end();
    const [response] = await answered;
    const { state, details } = (await json(response)) as { state: string; details: object };
    const left = Number(response.headers['ratelimit-remaining']);
    return { status: response.statusCode, state, details, left };
  });

test.for([true, false])(
  'returns 400 for a CSV body that is not UTF-8, whatever follows, with a length: %s',
  async (hasLength, { send }) => {
    for (const rows of [1, 100_000]) {
      const body = Buffer.from(`rawBrandName\n${'Parfums Édith\n'.repeat(rows)}`, 'latin1');
      expect(await send(csv, body, hasLength)).toMatchObject({
        status: 400,
        state: 'VALIDATION_ERRORS',
        details: { errors: [{ field: 'Body', code: 'malformed', message: 'is not UTF-8' }] },
      });
    }
  },
);

test.for([true, false])(
  'returns 413 for a body of more than 8 MiB, and keeps running, with a length: %s',
  async (hasLength, { send }) => {
    const body = Buffer.alloc(8 * 1024 * 1024 + 1, ' ');
    expect(await send(jsonType, body, hasLength)).toMatchObject({
      status: 413,
      state: 'PAYLOAD_TOO_LARGE',
      details: { maximum: 8_388_608, message: 'The body may have at most 8388608 bytes.' },
    });
  },
);

test.for([csv, jsonType])(
  'counts at least one item for each KiB of a body, also of a malformed one: %s',
  async (type, { send }) => {
    const blank = ' '.repeat(1_000_000);
    const body = Buffer.from(
      type === csv ? `cost\n"${blank}"\n` : `{"kind":"createOffers","items":[${blank}1]}`,
    );
    const points = Math.ceil(body.length / 1024);
    const accepted = await send(type, body, true);
    expect(accepted).toMatchObject({ status: 202, left: itemsPerMinute - points });
    const refused = await send(type, Buffer.concat([body, Buffer.from([0xff])]));
    expect(refused).toMatchObject({ status: 400, left: itemsPerMinute - 2 * points });
  },
);

test('counts the items of a short body', async ({ send }) => {
  const items = Array.from({ length: 1000 }, () => ({}));
  const body = Buffer.from(JSON.stringify({ kind: 'createOffers', items }));
  expect(await send(jsonType, body)).toMatchObject({ status: 202, left: itemsPerMinute - 1000 });
});

test('returns 429 for a body with more KiB than there are items left', async ({ send }) => {
  const body = Buffer.alloc(8 * 1024 * 1024, ' ');
  for (let call = 1; call <= 2; call += 1)
    expect(await send(jsonType, body)).toMatchObject({ status: 400 });
  const details = { reason: 'JOB_ITEMS', maximum: itemsPerMinute };
  expect(await send(jsonType, body)).toMatchObject({ status: 429, details });
});
