import { expect } from 'vitest';
import { newOperator, newVendor } from '../../support/api/actors.ts';
import { call, help, refusal } from '../../support/api/api.ts';
import { gatewayTest as test } from '../../support/gateway/gateway-test.ts';

const urls = ['/api/v1/webhooks', '/operator/v1/vendors'];

test.for(['', 'Bearer', 'Bearer ', 'Basic dXNlcjpwYXNz', 'Token abc', 'Bearerabc'])(
  'the header "%s" has no token',
  async (authorization, { gateway }) => {
    for (const url of urls) {
      const answer = await call(gateway, 'GET', url, { headers: { authorization } });
      expect(answer).toMatchObject(refusal('UNAUTHORIZED_MISSING_TOKEN'));
      expect(answer.headers['www-authenticate']).toMatch(/^Bearer/);
    }
  },
);

test('reads a token from the Authorization header only', async ({ gateway }) => {
  const { token } = await newVendor(gateway);
  for (const answer of [
    await call(gateway, 'GET', '/api/v1/webhooks'),
    await call(gateway, 'GET', `/api/v1/webhooks?access_token=${token}`),
    await call(gateway, 'GET', '/api/v1/webhooks', {
      headers: { cookie: `authorization=Bearer ${token}` },
    }),
  ]) {
    expect(answer).toMatchObject(refusal('UNAUTHORIZED_MISSING_TOKEN'));
  }
});

test('reads the scheme in any letter case', async ({ gateway }) => {
  const { token } = await newVendor(gateway);
  for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
    const headers = { authorization: `${scheme} ${token}` };
    expect((await call(gateway, 'GET', '/api/v1/webhooks', { headers })).status).toBe(200);
  }
});

test.for([
  [
    '/operator/v1/vendors',
    'VENDOR_TOKEN',
    "The token is a vendor's; this route needs an operator's.",
  ],
  [
    '/api/v1/webhooks',
    'OPERATOR_TOKEN',
    "The token is an operator's; this route needs a vendor's.",
  ],
] as const)('refuses on %s the tokens of the other side: %s', async (row, { gateway }) => {
  const [url, reason, message] = row;
  const { token } = await (reason === 'VENDOR_TOKEN' ? newVendor(gateway) : newOperator(gateway));
  const answer = await call(gateway, 'GET', url, { token });
  expect(answer).toMatchObject(refusal('FORBIDDEN'));
  expect(answer.details).toStrictEqual({ reason, message, ...help('FORBIDDEN') });
});

test('accepts a token until it expires, also after its credential and vendor are deactivated', async ({
  gateway,
}) => {
  const { vendorId, token } = await newVendor(gateway);
  await gateway.sql`update credentials set is_active = false where vendor_id = ${vendorId}`;
  await gateway.sql`update vendors set is_active = false where id = ${vendorId}`;
  expect((await call(gateway, 'GET', '/api/v1/webhooks', { token })).status).toBe(200);
});
