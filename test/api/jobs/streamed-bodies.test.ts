import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { expect } from 'vitest';
import { createRateLimit } from '../../../api/auth/rate-limits.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';
import { newVendor } from '../../support/api/actors.ts';
import type { Gateway } from '../../support/api/api.ts';
import { jobsPath } from './job-fixture.ts';

/** The bodies of jobs are read as they arrive, over a real connection. */

const itemsPerMinute = 20_000;
const test = gatewayTest
  .extend('overrides', { scope: 'file' }, { jobItemsPerVendor: createRateLimit(itemsPerMinute) })
  .extend('url', { scope: 'file' }, ({ gateway }) =>
    gateway.app.listen({ host: '127.0.0.1', port: 0 }),
  );

const csv = 'text/csv';
const jsonType = 'application/json';
const pieceBytes = 65_536;

type Sent = { readonly type: string; readonly body: Buffer; readonly hasLength: boolean };

/** One call over a connection of its own, by a client that sends piece by piece. */
async function sendTo(gateway: Gateway, token: string, { type, body, hasLength }: Sent) {
  const { port } = gateway.app.server.address() as AddressInfo;
  const request = httpRequest(`http://127.0.0.1:${port}${jobsPath}?kind=createOffers`, {
    method: 'POST',
    agent: false,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': type,
      ...(hasLength ? { 'content-length': body.length } : {}),
    },
  });
  const answered = once(request, 'response') as Promise<[IncomingMessage]>;
  for (let start = 0; start < body.length; start += pieceBytes)
    request.write(body.subarray(start, start + pieceBytes));
  request.end();
  const [answer] = await answered;
  const { state, details } = (await json(answer)) as { state: string; details: object };
  const left = Number(answer.headers['ratelimit-remaining']);
  return { status: answer.statusCode, state, details, left };
}

const forms = [true, false].map((hasLength) => ({ hasLength }));

test.for(forms)(
  'a CSV body that is not UTF-8 is 400, whatever follows: %o',
  async ({ hasLength }, { gateway, url: _url }) => {
    const { token } = await newVendor(gateway);
    for (const rows of [1, 100_000]) {
      const body = Buffer.from(`rawBrandName\n${'Parfums Édith\n'.repeat(rows)}`, 'latin1');
      expect(await sendTo(gateway, token, { type: csv, body, hasLength })).toMatchObject({
        status: 400,
        state: 'VALIDATION_ERRORS',
        details: { errors: [{ field: 'Body', code: 'malformed', message: 'is not UTF-8' }] },
      });
    }
  },
);

test.for(forms)(
  'a body of more than 8 MiB is 413, and the process continues: %o',
  async ({ hasLength }, { gateway, url: _url }) => {
    const { token } = await newVendor(gateway);
    const body = Buffer.alloc(8 * 1024 * 1024 + 1, ' ');
    expect(await sendTo(gateway, token, { type: jsonType, body, hasLength })).toMatchObject({
      status: 413,
      state: 'PAYLOAD_TOO_LARGE',
      details: { maximum: 8_388_608, message: 'The body may have at most 8388608 bytes.' },
    });
  },
);

test.for([csv, jsonType])(
  'a body counts at least one item for each KiB, a malformed one too: %s',
  async (type, { gateway, url: _url }) => {
    const { token } = await newVendor(gateway);
    const blank = ' '.repeat(1_000_000);
    const body = Buffer.from(
      type === csv ? `cost\n"${blank}"\n` : `{"kind":"createOffers","items":[${blank}1]}`,
    );
    const points = Math.ceil(body.length / 1024);

    const accepted = await sendTo(gateway, token, { type, body, hasLength: true });
    expect(accepted).toMatchObject({ status: 202, left: itemsPerMinute - points });

    const malformed = Buffer.concat([body, Buffer.from([0xff])]);
    const refused = await sendTo(gateway, token, { type, body: malformed, hasLength: false });
    expect(refused).toMatchObject({ status: 400, left: itemsPerMinute - 2 * points });
  },
);

test('a body with more KiB than there are items left is 429', async ({ gateway, url: _url }) => {
  const { token } = await newVendor(gateway);
  const body = Buffer.alloc(8 * 1024 * 1024, ' ');
  const answers = [];
  for (let count = 1; count <= 3; count += 1)
    answers.push(await sendTo(gateway, token, { type: jsonType, body, hasLength: false }));
  expect(answers).toMatchObject([
    { status: 400 },
    { status: 400 },
    { status: 429, details: { reason: 'JOB_ITEMS', maximum: itemsPerMinute } },
  ]);
});
