import { expect } from 'vitest';
import { createRateLimit } from '../../../api/auth/rate-limits.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';
import { newVendor } from '../../support/api/actors.ts';
import { call, refusal, unknownId } from '../../support/api/api.ts';

// A large body costs as much of the process as many small ones, and counts as many calls.

/** A body of one thing of 49 KiB. */
const longName = JSON.stringify({ rawBrandName: 'x'.repeat(50_000) });
const malformed = `{"items":[${'0,'.repeat(500_000)}0]}`;

const test = gatewayTest.extend('overrides', { scope: 'file' }, () => ({
  callsPerVendor: createRateLimit(600),
  pushesPerVendor: createRateLimit(1200),
  bulkItemsPerVendor: createRateLimit(12_000),
  callsPerOperator: createRateLimit(600),
}));

const offers = '/api/v1/scent/offers';

test.for([
  ['vendor', 'POST', offers, 600, 8, longName],
  ['vendor', 'PATCH', `${offers}/${unknownId()}/stock`, 1200, 8, longName],
  ['vendor', 'PATCH', `${offers}/stock`, 12_000, 1, malformed],
  ['operator', 'POST', '/operator/v1/orders', 600, 8, longName],
] as const)(
  'counts for each %s a large body of %s %s against its limit of %i, a point for each %i KiB',
  async ([caller, method, url, limit, kibibytesPerPoint, body], { gateway, adminAccount }) => {
    const vendor = await newVendor(gateway);
    const tokens = { vendor: vendor.token, operator: adminAccount.token };
    const headers = { 'content-type': 'application/json' };
    const send = () => call(gateway, method, url, { token: tokens[caller], body, headers });
    const passing = Math.floor(limit / Math.ceil(body.length / 1024 / kibibytesPerPoint));
    for (let sent = 0; sent < passing; sent += 1)
      expect([400, 404]).toContain((await send()).status);
    const refused = await send();
    expect(refused).toMatchObject(refusal('TOO_MANY_REQUESTS'));
    expect(refused.headers['retry-after']).toMatch(/^[1-9]\d*$/);
    // What was refused counts nothing.
    expect((await call(gateway, 'GET', offers, { token: vendor.token })).status).toBe(200);
  },
);
