import { expect } from 'vitest';
import { newOperator, newVendor } from '../../support/api/actors.ts';
import { call, help, refusal } from '../../support/api/api.ts';
import { gatewayTest as test } from '../../support/gateway/gateway-test.ts';

const vendors = '/api/v1/webhooks';
const operators = '/operator/v1/vendors';

test.for(['', 'Bearer', 'Bearer ', 'Basic dXNlcjpwYXNz', 'Token abc', 'Bearerabc'])(
  'finds no token in the header "%s"',
  async (authorization, { gateway }) => {
    for (const url of [vendors, operators]) {
      const response = await call(gateway, 'GET', url, { headers: { authorization } });
      expect(response).toMatchObject(refusal('UNAUTHORIZED_MISSING_TOKEN'));
      expect(response.headers['www-authenticate']).toMatch(/^Bearer/);
    }
  },
);

test('reads a token from the Authorization header only, the scheme in any letter case', async ({
  gateway,
  token,
}) => {
  for (const [status, headers, query] of [
    [401, {}, ''],
    [401, {}, `?access_token=${token}`],
    [401, { cookie: `authorization=Bearer ${token}` }, ''],
    [200, { authorization: `Bearer ${token}` }, ''],
    [200, { authorization: `bearer ${token}` }, ''],
    [200, { authorization: `BEARER ${token}` }, ''],
  ] as const)
    expect((await call(gateway, 'GET', vendors + query, { headers })).status).toBe(status);
});

test.for([
  [operators, 'VENDOR_TOKEN', "The token is a vendor's; this route needs an operator's."],
  [vendors, 'OPERATOR_TOKEN', "The token is an operator's; this route needs a vendor's."],
] as const)('refuses on %s the tokens of the other side: %s', async (row, { gateway }) => {
  const [url, reason, message] = row;
  const { token } = await (reason === 'VENDOR_TOKEN' ? newVendor(gateway) : newOperator(gateway));
  const response = await call(gateway, 'GET', url, { token });
  expect(response).toMatchObject(refusal('FORBIDDEN'));
  expect(response.details).toStrictEqual({ reason, message, ...help('FORBIDDEN') });
});
