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

const test = gatewayTest.extend('overrides', { scope: 'file' }, () => ({
  callsPerVendor: createRateLimit(600),
  pushesPerVendor: createRateLimit(1200),
  bulkItemsPerVendor: createRateLimit(12_000),
  callsPerOperator: createRateLimit(600),
  tokenCallsPerAddress: createRateLimit(1000),
}));

const offers = '/api/v1/scent/offers';

test.for([
  ['vendor', 'POST', offers, 600, 8, manyFields],
  ['vendor', 'PATCH', `${offers}/${unknownId()}/stock`, 1200, 8, manyFields],
  ['vendor', 'PATCH', `${offers}/stock`, 12_000, 1, manyFields],
  ['vendor', 'PATCH', `${offers}/stock`, 12_000, 1, malformed],
  ['operator', 'POST', '/operator/v1/orders', 600, 8, manyFields],
  ['address', 'POST', '/api/v1/auth/token', 1000, 8, manyFields],
] as const)(
  'counts for each %s a large body of %s %s against its limit of %i, a point for each %i KiB',
  async ([caller, method, url, limit, kibibytesPerPoint, body], { gateway, adminAccount }) => {
    const vendor = await newVendor(gateway);
    const tokens = { vendor: vendor.token, operator: adminAccount.token, address: undefined };
    const headers = { 'content-type': 'application/json' };
    const send = (to: string = url) =>
      call(gateway, method, to, { token: tokens[caller], body, headers });
    const passing = Math.floor(limit / Math.ceil(body.length / 1024 / kibibytesPerPoint));
    for (let sent = 0; sent < passing; sent += 1)
      expect([400, 404]).toContain((await send()).status);
    const refused = await send();
    expect(refused).toMatchObject(refusal('TOO_MANY_REQUESTS'));
    expect(refused.headers['retry-after']).toMatch(/^[1-9]\d*$/);
    // What was refused counts nothing.
    expect((await call(gateway, 'GET', offers, { token: vendor.token })).status).toBe(200);
    if (caller === 'address') expect((await send('/operator/v1/auth/token')).status).toBe(429);
  },
);
