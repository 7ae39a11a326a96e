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

test('the reference names every route of this thread', ({ routes }) => {
  const names = [
    'POST /api/v1/auth/token',
    'POST /api/v1/scent/offers',
    'POST /api/v1/webhooks',
    'GET /api/v1/webhooks',
    'GET /api/v1/webhooks/{id}',
    'PUT /api/v1/webhooks/{id}',
    'PUT /api/v1/scent/webhooks/{id}',
    'DELETE /api/v1/webhooks/{id}',
    'PATCH /api/v1/webhooks/{id}/active',
    'POST /api/v1/webhooks/{id}/rotate-secret',
    'POST /api/v1/webhooks/{id}/test-fire',
    'GET /api/v1/webhooks/{id}/deliveries',
    'POST /api/v1/webhooks/{id}/deliveries/{attemptId}/redeliver',
    'GET /api/v1/credentials',
    'POST /api/v1/credentials',
    'DELETE /api/v1/credentials/{id}',
    'PATCH /api/v1/credentials/{id}/active',
    'GET /api/v1/vendor/profile',
    'PATCH /api/v1/vendor/profile',
    'GET /operator/v1/webhook-deliveries',
    'POST /operator/v1/webhook-deliveries/{id}/redeliver',
    'POST /operator/v1/webhook-deliveries/recover',
    'GET /operator/v1/webhook-subscriptions',
    'POST /operator/v1/auth/token',
    'POST /operator/v1/vendors/{id}/credentials',
    'POST /operator/v1/offers/{id}/approve',
    'POST /operator/v1/offers/{id}/reject',
  ];
  expect(routes.map(nameOf)).toEqual(expect.arrayContaining(names));
});

test('only the two token routes need no token', ({ routes }) => {
  const open = routes.filter(({ needsToken }) => !needsToken).map(nameOf);
  expect(open.toSorted()).toEqual(['POST /api/v1/auth/token', 'POST /operator/v1/auth/token']);
});

test('every other route refuses no token, a wrong one, and one of the other side', async ({
  gateway,
  routes,
  vendor,
  operatorToken,
}) => {
  for (const route of routes.filter(({ needsToken }) => needsToken)) {
    const { method, url } = route;
    // A body that could not be read: the token is judged before it.
    const rest = { body: 'x', headers: { 'content-type': 'text/plain' } };
    const say = nameOf(route);
    expect(await call(gateway, method, url, rest), say).toMatchObject(
      refusal('UNAUTHORIZED_MISSING_TOKEN'),
    );
    const wrong = await call(gateway, method, url, { ...rest, token: 'a.b.c' });
    expect(wrong, say).toMatchObject(refusal('UNAUTHORIZED_INVALID_TOKEN'));
    const other = await call(gateway, method, url, {
      ...rest,
      token: tokenFor(vendor, operatorToken, route, true),
    });
    expect(other, say).toMatchObject(refusal('FORBIDDEN'));
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

test('only two lists need no capability: a token without any is not refused', async ({
  gateway,
  routes,
  vendor,
  operatorToken,
}) => {
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

test('a missing header is reported with the errors of the body, after the media type', async ({
  gateway,
  routes,
  vendor,
}) => {
  const asking = routes.filter(({ headers }) => Object.keys(headers).length > 0);
  expect(asking.map(nameOf)).toEqual(['GET /api/v1/credentials', 'POST /api/v1/credentials']);
  for (const { method, url, body } of asking) {
    const { token } = vendor;
    expect(fieldErrorsOf(await call(gateway, method, url, { token, body }))).toEqual([
      'X-Service-Environment required',
    ]);
    if (body === undefined) continue;
    expect(
      fieldErrorsOf(await call(gateway, method, url, { token, body: { ...body, unexpected: 1 } })),
    ).toEqual(['Unexpected unknown_field', 'X-Service-Environment required']);
    const text = { token, body: '{}', headers: { 'content-type': 'text/plain' } };
    expect((await call(gateway, method, url, text)).state).toBe('UNSUPPORTED_MEDIA_TYPE');
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

test('every route that is not a read refuses a body field that it does not know', async ({
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
    const say = nameOf(route);
    const { headers } = route;
    const plain = { ...headers, 'content-type': 'text/plain' };
    const text = await call(gateway, route.method, route.url, {
      token,
      body: '{}',
      headers: plain,
    });
    expect(text, say).toMatchObject(refusal('UNSUPPORTED_MEDIA_TYPE'));
    const malformed = await call(gateway, route.method, route.url, { token, body: '{', headers });
    expect(fieldErrorsOf(malformed), say).toEqual(['Body malformed']);
    for (const body of ['[]', '[1]', 'null', '0', 'false', '""']) {
      const answer = await call(gateway, route.method, route.url, { token, body, headers });
      expect(fieldErrorsOf(answer), `${say} ${body}`).toEqual(['Body invalid_type']);
    }
  }
});

test('every route with an id answers its own 404 for one that names nothing', async ({
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

test('a method that a path does not have is no route', async ({ gateway, routes, vendor }) => {
  for (const path of new Set(routes.map(({ url }) => url))) {
    const answer = await call(gateway, 'OPTIONS', path, { token: vendor.token });
    expect(answer, path).toMatchObject(refusal('NOT_FOUND_ROUTE'));
  }
});
