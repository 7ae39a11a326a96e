import { expect } from 'vitest';
import { createRateLimit } from '../../../api/auth/rate-limits.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';
import { newVendor } from '../../support/api/actors.ts';
import { call, refusal, unknownId } from '../../support/api/api.ts';

// A body of 1 MiB costs up to 100 ms of the process, so large bodies count as many calls.

/** About 0.8 MiB of fields that no request has. */
const manyFields = JSON.stringify(
  Object.fromEntries(Array.from({ length: 76_000 }, (_, index) => [`k${index}`, 1])),
);
const malformed = `{"items":[${'0,'.repeat(500_000)}0]}`;
/** How many such bodies pass a limit. */
const passing = (limit: number, kibibytesPerPoint: number, body = manyFields): number =>
  Math.floor(limit / Math.ceil(body.length / 1024 / kibibytesPerPoint));

const test = gatewayTest
  .extend('overrides', { scope: 'file' }, () => ({
    callsPerVendor: createRateLimit(600),
    pushesPerVendor: createRateLimit(1200),
    bulkItemsPerVendor: createRateLimit(12_000),
    callsPerOperator: createRateLimit(600),
    tokenCallsPerAddress: createRateLimit(1000),
  }))
  /** How many of 50 calls, sent one after the other, are judged before one is 429. */
  .extend(
    'judged',
    { scope: 'file' },
    ({ gateway }) =>
      async (method: 'POST' | 'PATCH', url: string, token?: string, body = manyFields) => {
        const headers = { 'content-type': 'application/json' };
        for (let sent = 0; sent < 50; sent += 1) {
          const answer = await call(gateway, method, url, { token, body, headers });
          if (answer.status === 429) {
            expect(answer).toMatchObject(refusal('TOO_MANY_REQUESTS'));
            expect(answer.headers['retry-after']).toMatch(/^[1-9]\d*$/);
            return sent;
          }
          expect(answer.status).toBeLessThan(500);
        }
        return 50;
      },
  );

const offers = '/api/v1/scent/offers';

test('counts one call for each 8 KiB of a body, and nothing for a refused one', async ({
  gateway,
  judged,
}) => {
  const { token } = await newVendor(gateway);
  expect(await judged('POST', offers, token)).toBe(passing(600, 8));
  expect((await call(gateway, 'GET', offers, { token })).status).toBe(200);
});

test('counts large bodies of pushes and of operators in the same way, for each caller', async ({
  gateway,
  adminAccount,
  judged,
}) => {
  const [{ token }, other] = [await newVendor(gateway), await newVendor(gateway)];
  const push = `${offers}/${unknownId()}/stock`;
  expect(await judged('PATCH', push, token)).toBe(passing(1200, 8));
  expect(await judged('POST', '/operator/v1/orders', adminAccount.token)).toBe(passing(600, 8));
  expect((await call(gateway, 'GET', offers, { token: other.token })).status).toBe(200);
});

test.for([
  ['unknown', manyFields],
  ['malformed', malformed],
])(
  'counts at least one item for each KiB of a bulk call with %s fields',
  async ([_what, body], { gateway, judged }) => {
    const { token } = await newVendor(gateway);
    expect(await judged('PATCH', `${offers}/stock`, token, body)).toBe(passing(12_000, 1, body));
  },
);

test('counts the large body of a log-in for its source address', async ({ judged }) => {
  expect(await judged('POST', '/api/v1/auth/token')).toBe(passing(1000, 8));
  expect(await judged('POST', '/operator/v1/auth/token')).toBe(0);
});
