import { expect } from 'vitest';
import { newOperator, newVendor } from '../support/actors.ts';
import { call, help, refusal } from '../support/api.ts';
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

test('refuses the tokens of the other side on the routes of each side', async ({ gateway }) => {
  const { token: vendor } = await newVendor(gateway);
  const { token: operator } = await newOperator(gateway);
  const wrongSide = await call(gateway, 'GET', '/operator/v1/vendors', { token: vendor });
  expect(wrongSide).toMatchObject(refusal('FORBIDDEN'));
  expect(wrongSide.details).toStrictEqual({
    reason: 'VENDOR_TOKEN',
    message: "The token is a vendor's; this route needs an operator's.",
    ...help('FORBIDDEN'),
  });
  const otherSide = await call(gateway, 'GET', '/api/v1/webhooks', { token: operator });
  expect(otherSide).toMatchObject(refusal('FORBIDDEN'));
  expect(otherSide.details).toStrictEqual({
    reason: 'OPERATOR_TOKEN',
    message: "The token is an operator's; this route needs a vendor's.",
    ...help('FORBIDDEN'),
  });
});

test('accepts a token until it expires, also after its credential and vendor are deactivated', async ({
  gateway,
}) => {
  const { vendorId, token } = await newVendor(gateway);
  await gateway.sql`update credentials set is_active = false where vendor_id = ${vendorId}`;
  await gateway.sql`update vendors set is_active = false where id = ${vendorId}`;
  expect((await call(gateway, 'GET', '/api/v1/webhooks', { token })).status).toBe(200);
});
