import { expect } from 'vitest';
import { createRateLimit } from '../../../api/auth/rate-limits.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';
import { newOperator, newVendor } from '../../support/api/actors.ts';
import { call, refusal, unknownId, type Gateway } from '../../support/api/api.ts';

// A body of 1 MiB costs up to 100 ms of the process, so large bodies count as many calls.

const test = gatewayTest.extend('overrides', { scope: 'file' }, () => ({
  callsPerVendor: createRateLimit(600),
  pushesPerVendor: createRateLimit(1200),
  bulkItemsPerVendor: createRateLimit(12_000),
  callsPerOperator: createRateLimit(600),
  tokenCallsPerAddress: createRateLimit(1000),
}));

/** About 0.8 MiB of fields that no request has. */
const manyFields = JSON.stringify(
  Object.fromEntries(Array.from({ length: 76_000 }, (_, index) => [`k${index}`, 1])),
);
const kibibytes = manyFields.length / 1024;
/** How many such bodies pass a limit. */
const passing = (limit: number, kibibytesPerPoint: number): number =>
  Math.floor(limit / Math.ceil(kibibytes / kibibytesPerPoint));

/** How many of 50 calls, sent one after the other, are judged before one is 429. */
async function judged(
  gateway: Gateway,
  method: 'POST' | 'PATCH',
  url: string,
  { token, body = manyFields }: { readonly token?: string; readonly body?: unknown },
): Promise<number> {
  for (let sent = 0; sent < 50; sent += 1) {
    const answer = await call(gateway, method, url, {
      ...(token === undefined ? {} : { token }),
      body,
      headers: { 'content-type': 'application/json' },
    });
    if (answer.status === 429) {
      expect(answer).toMatchObject(refusal('TOO_MANY_REQUESTS'));
      expect(answer.headers['retry-after']).toMatch(/^[1-9]\d*$/);
      return sent;
    }
    expect(answer.status).toBeLessThan(500);
  }
  return 50;
}

const offers = '/api/v1/scent/offers';

test('counts one call for each 8 KiB of a body, and nothing for a refused one', async ({
  gateway,
}) => {
  const { token } = await newVendor(gateway);
  expect(await judged(gateway, 'POST', offers, { token })).toBe(passing(600, 8));
  const small = await call(gateway, 'GET', offers, { token });
  expect(small.status).toBe(200);
});

test('counts large bodies of pushes and of operators in the same way, for each caller', async ({
  gateway,
}) => {
  const { token } = await newVendor(gateway);
  const url = `${offers}/${unknownId()}/stock`;
  expect(await judged(gateway, 'PATCH', url, { token })).toBe(passing(1200, 8));
  const operator = await newOperator(gateway);
  expect(await judged(gateway, 'POST', '/operator/v1/orders', operator)).toBe(passing(600, 8));
  const other = await newVendor(gateway);
  expect((await call(gateway, 'GET', offers, { token: other.token })).status).toBe(200);
});

test('counts at least one item for each KiB of a bulk call, a malformed one too', async ({
  gateway,
}) => {
  const { token } = await newVendor(gateway);
  expect(await judged(gateway, 'PATCH', `${offers}/stock`, { token })).toBe(passing(12_000, 1));
  const body = `{"items":[${'0,'.repeat(500_000)}0]}`;
  const next = await newVendor(gateway);
  expect(await judged(gateway, 'PATCH', `${offers}/stock`, { token: next.token, body })).toBe(
    Math.floor(12_000 / Math.ceil(body.length / 1024)),
  );
});

test('counts the large body of a log-in for its source address', async ({ gateway }) => {
  expect(await judged(gateway, 'POST', '/api/v1/auth/token', {})).toBe(passing(1000, 8));
  expect(await judged(gateway, 'POST', '/operator/v1/auth/token', {})).toBe(0);
});
