import { expect } from 'vitest';
import { newOperator, newVendor, tokenWith, type TestVendor } from '../support/actors.ts';
import { capabilityFor } from '../support/route-capabilities.ts';
import { call, fieldErrorsOf, refusal, unknownId } from '../support/api.ts';
import { walkRoutes, type WalkedRoute } from '../support/walk.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';

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
  wrongSide = false,
) => {
  if (!needsToken) return undefined;
  return isOperators === wrongSide ? vendor.token : operatorToken;
};

test('only the two token routes need no token', ({ routes }) => {
  const open = routes.filter(({ needsToken }) => !needsToken).map(nameOf);
  expect(open.toSorted()).toEqual(['POST /api/v1/auth/token', 'POST /operator/v1/auth/token']);
});

test('every other route requires a valid token of its side, before it reads the body', async ({
  gateway,
  routes,
  vendor,
  operatorToken,
}) => {
  for (const route of routes.filter(({ needsToken }) => needsToken)) {
    const { method, url } = route;
    // This body has another media type.
    const rest = { body: 'x', headers: { 'content-type': 'text/plain' } };
    const name = nameOf(route);
    expect(await call(gateway, method, url, rest), name).toMatchObject(
      refusal('UNAUTHORIZED_MISSING_TOKEN'),
    );
    const wrong = await call(gateway, method, url, { ...rest, token: 'a.b.c' });
    expect(wrong, name).toMatchObject(refusal('UNAUTHORIZED_INVALID_TOKEN'));
    const other = await call(gateway, method, url, {
      ...rest,
      token: tokenFor(vendor, operatorToken, route, true),
    });
    expect(other, name).toMatchObject(refusal('FORBIDDEN'));
  }
});

test('every vendor route checks the capability of a token before header and body', async ({
  gateway,
  routes,
  vendor,
}) => {
  const token = tokenWith(gateway, vendor, []);
  for (const route of routes.filter(({ needsToken, isOperators }) => needsToken && !isOperators)) {
    const [requiredCapability] = capabilityFor(route);
    if (requiredCapability === undefined) continue;
    const rest = { token, body: 'x', headers: { 'content-type': 'text/plain' } };
    const answer = await call(gateway, route.method, route.url, rest);
    expect(answer, nameOf(route)).toMatchObject(
      refusal('FORBIDDEN_CAPABILITY_NOT_GRANTED', { requiredCapability }),
    );
  }
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

test('every route refuses an unknown query parameter, and names the known ones', async ({
  gateway,
  routes,
  vendor,
  operatorToken,
}) => {
  for (const route of routes) {
    const url = `${route.url}?unexpected=1&__proto__=1`;
    const { body, headers } = route;
    const answer = await call(gateway, route.method, url, {
      token: tokenFor(vendor, operatorToken, route),
      body,
      headers,
    });
    expect(answer, nameOf(route)).toMatchObject({
      status: 400,
      state: 'VALIDATION_UNKNOWN_QUERY_PARAMETER',
      payload: null,
      details: { allowedParameters: expect.any(Array) },
    });
  }
});

test('every route but reads refuses an unknown field', async ({
  gateway,
  routes,
  vendor,
  operatorToken,
}) => {
  for (const route of routes.filter(({ method }) => method !== 'GET')) {
    const body = { ...route.body, unexpected: 1 };
    const { headers } = route;
    const answer = await call(gateway, route.method, route.url, {
      token: tokenFor(vendor, operatorToken, route),
      body,
      headers,
    });
    expect(fieldErrorsOf(answer), nameOf(route)).toEqual(['Unexpected unknown_field']);
  }
});

test('every route but reads refuses other media types, malformed JSON and non-objects', async ({
  gateway,
  routes,
  vendor,
  operatorToken,
}) => {
  for (const route of routes.filter(({ method }) => method !== 'GET')) {
    const token = tokenFor(vendor, operatorToken, route);
    const name = nameOf(route);
    const { headers } = route;
    const plain = { ...headers, 'content-type': 'text/plain' };
    const text = await call(gateway, route.method, route.url, {
      token,
      body: '{}',
      headers: plain,
    });
    expect(text, name).toMatchObject(refusal('UNSUPPORTED_MEDIA_TYPE'));
    const malformed = await call(gateway, route.method, route.url, { token, body: '{', headers });
    expect(fieldErrorsOf(malformed), name).toEqual(['Body malformed']);
    for (const body of ['[]', '[1]', 'null', '0', 'false', '""']) {
      const answer = await call(gateway, route.method, route.url, { token, body, headers });
      expect(fieldErrorsOf(answer), `${name} ${body}`).toEqual(['Body invalid_type']);
    }
  }
});

test('every route with an id has its own 404 for an unknown id', async ({
  gateway,
  routes,
  vendor,
  operatorToken,
}) => {
  for (const route of routes.filter(({ hasId }) => hasId)) {
    const { body, headers } = route;
    const answer = await call(gateway, route.method, route.url, {
      token: tokenFor(vendor, operatorToken, route),
      body,
      headers,
    });
    expect(answer, nameOf(route)).toMatchObject({ status: 404, payload: null, details: {} });
    expect(answer.state, nameOf(route)).toMatch(/^NOT_FOUND_(?!ROUTE)/);
  }
});

test('no path has another method', async ({ gateway, routes, vendor }) => {
  for (const path of new Set(routes.map(({ url }) => url))) {
    const answer = await call(gateway, 'OPTIONS', path, { token: vendor.token });
    expect(answer, path).toMatchObject(refusal('NOT_FOUND_ROUTE'));
  }
});
