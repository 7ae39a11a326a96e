import { expect } from 'vitest';
import { newOperator, newVendor, tokenWith, type TestVendor } from '../../support/api/actors.ts';
import { capabilityFor } from '../../support/api/route-capabilities.ts';
import { call, refusal, unknownId } from '../../support/api/api.ts';
import { walkRoutes, type WalkedRoute } from '../../support/api/walk.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';

// Token, capability, unknown fields and parameters, and unknown ids of every route have their cases
// in `test/api/order-of-checks.test.ts`, malformed bodies and paths in `test/systems/fuzz`.

const test = gatewayTest
  .extend('routes', { scope: 'file' }, ({ gateway }) => walkRoutes(gateway, unknownId()))
  .extend('vendor', { scope: 'file' }, ({ gateway }) => newVendor(gateway))
  .extend(
    'operatorToken',
    { scope: 'file' },
    async ({ gateway }) => (await newOperator(gateway)).token,
  );

const nameOf = ({ method, path }: WalkedRoute) => `${method} ${path}`;
const tokenFor = (
  vendor: TestVendor,
  operatorToken: string,
  { needsToken, isOperators }: WalkedRoute,
) => {
  if (!needsToken) return undefined;
  return isOperators ? operatorToken : vendor.token;
};

test('only the two token routes need no token', ({ routes }) => {
  const open = routes.filter(({ needsToken }) => !needsToken).map(nameOf);
  expect(open.toSorted()).toEqual(['POST /api/v1/auth/token', 'POST /operator/v1/auth/token']);
});

test('only two lists need no capability', async ({ gateway, routes, vendor, operatorToken }) => {
  const open = routes.filter(
    (route) =>
      capabilityFor(route).length === 0 && tokenFor(vendor, operatorToken, route) === vendor.token,
  );
  expect(open.map(nameOf).toSorted()).toEqual([
    'GET /api/v1/credentials',
    'GET /api/v1/event-types',
  ]);
  const token = tokenWith(gateway, vendor, []);
  for (const { method, url, headers } of open) {
    expect((await call(gateway, method, url, { token, headers })).status).toBe(200);
  }
});

test('no path has another method', async ({ gateway, routes, vendor }) => {
  for (const path of new Set(routes.map(({ url }) => url))) {
    const answer = await call(gateway, 'OPTIONS', path, { token: vendor.token });
    expect(answer, path).toMatchObject(refusal('NOT_FOUND_ROUTE'));
  }
});
