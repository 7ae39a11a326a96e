import { expect, vi } from 'vitest';
import { createRateLimit } from '../../../api/auth/rate-limits.ts';
import type { Dependencies } from '../../../api/dependencies.ts';
import { newOperator, newVendor, tokenWith } from '../../support/api/actors.ts';
import { appWith } from '../error-codes/slow-app.ts';
import { newOfferFixture, recordOf } from '../offers/offer-fixture.ts';
import { call, refusal, unknownId } from '../../support/api/api.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';
import { walkRoutes } from '../../support/api/walk.ts';

// The order of the checks, the rate among them, has its cases in `order-of-checks.test.ts`.

/** Gives each test an API with the limits that it asks for. */
const test = gatewayTest.extend(
  'limitTo',
  ({ gateway }) =>
    async (limits: Partial<Dependencies>) => {
      const dependencies = { ...gateway.dependencies, ...limits };
      return { ...gateway, dependencies, ...(await appWith(dependencies)) };
    },
);
const seconds = expect.stringMatching(/^([1-9]|[1-5]\d|60)$/) as unknown;
const queue = '/operator/v1/offers';
const headersOf = (limit: number, remaining: number) => ({
  'ratelimit-limit': String(limit),
  'ratelimit-remaining': String(remaining),
});

test('limits nothing at a limit of 0', () => {
  expect(createRateLimit(0)('key')).toBeNull();
});

test('starts a one-minute window with its first call, whatever the wall clock does', () => {
  vi.useFakeTimers();
  try {
    const limit = createRateLimit(5);
    expect(limit('one', 3)).toMatchObject({ remaining: 2, resetSeconds: 60, isExceeded: false });
    vi.advanceTimersByTime(59_001);
    // Too many points count nothing.
    expect(limit('one', 3)).toMatchObject({ remaining: 2, resetSeconds: 1, isExceeded: true });
    expect(limit('one', 2)).toMatchObject({ remaining: 0, resetSeconds: 1, isExceeded: false });
    expect(limit('two')).toMatchObject({ remaining: 4, resetSeconds: 60 });
    for (const hours of [-1, 2]) {
      vi.setSystemTime(Date.now() + hours * 3_600_000);
      expect(limit('one')).toMatchObject({ resetSeconds: 1, isExceeded: true });
    }
    vi.advanceTimersByTime(999);
    expect(limit('one')).toMatchObject({ remaining: 4, resetSeconds: 60, isExceeded: false });
  } finally {
    vi.useRealTimers();
  }
});

test('limits the address that a trusted proxy names', async ({ gateway }) => {
  const dependencies = { ...gateway.dependencies, tokenCallsPerAddress: createRateLimit(1) };
  const app = await appWith(dependencies, { trustProxy: ['127.0.0.1'] });
  for (const [address, state] of [
    ['192.0.2.1', 'VALIDATION_ERRORS'],
    ['192.0.2.2', 'VALIDATION_ERRORS'],
    ['192.0.2.1', 'TOO_MANY_REQUESTS'],
  ] as const) {
    const given = { body: {}, headers: { 'x-forwarded-for': address } };
    expect((await call(app, 'POST', '/api/v1/auth/token', given)).state).toBe(state);
  }
});

test('limits the source address on the token routes of both sides', async ({ limitTo }) => {
  const limited = await limitTo({ tokenCallsPerAddress: createRateLimit(2) });
  for (const url of ['/api/v1/auth/token', '/operator/v1/auth/token'])
    expect((await call(limited, 'POST', url, { body: {} })).state).toBe('VALIDATION_ERRORS');
  for (const given of [{ body: {} }, { body: 'x', headers: { 'content-type': 'text/plain' } }])
    expect(await call(limited, 'POST', '/api/v1/auth/token', given)).toMatchObject({
      ...refusal('TOO_MANY_REQUESTS', { reason: 'ADDRESS_TOKEN_CALLS', maximum: 2 }),
      headers: { 'retry-after': seconds },
    });
});

test('limits pushes, bulk items, job items and all other calls of a vendor separately', async ({
  limitTo,
}) => {
  const limited = await limitTo({
    callsPerVendor: createRateLimit(3),
    pushesPerVendor: createRateLimit(5),
    bulkItemsPerVendor: createRateLimit(70),
    jobItemsPerVendor: createRateLimit(40),
  });
  const routes = await walkRoutes(limited, unknownId());
  for (const { method, url, path, body, headers: asked, needsToken, isOperators } of routes) {
    if (!needsToken || isOperators) continue;
    const isPush = /\/offers\/\{\w+\}\/(cost|sale-price|stock)$/.test(path);
    const isBulk = /\/offers\/(cost|sale-price|stock)$/.test(path);
    const isJob = method === 'POST' && path === '/api/v1/scent/jobs';
    const limit = isJob ? 40 : isBulk ? 70 : isPush ? 5 : 3;
    const each = isBulk || isJob ? 10 : 1;
    const { token } = await newVendor(limited);
    // Found or not, well-formed or not: every authenticated response shows its limit.
    for (const [used, sent] of [body, '{'].entries()) {
      const given = { token, body: method === 'GET' ? undefined : sent, headers: asked };
      const { headers } = await call(limited, method, url, given);
      const expected = headersOf(limit, limit - each * (used + 1));
      const shown = { ...expected, 'ratelimit-reset': seconds };
      expect(headers, `${method} ${path}`).toMatchObject(shown);
    }
  }
});

test('counts the pushes of all credentials of a vendor together, apart from other calls (D85)', async ({
  limitTo,
}) => {
  // The fixture itself creates by the general limit.
  const limited = await limitTo({
    callsPerVendor: createRateLimit(4),
    pushesPerVendor: createRateLimit(3),
  });
  const { create, read, vendor } = await newOfferFixture(limited);
  const id = await create();
  const push = (path: string, token: string, body: unknown) =>
    call(limited, 'PATCH', `/api/v1/scent/offers/${id}/${path}`, { token, body });
  const pushes = [
    ['stock', { declaredInStock: true }, 200],
    ['cost', { cost: 5, costIsVatInclusive: false }, 200],
    ['sale-price', { salePrice: 5, salePriceIsVatInclusive: false }, 422],
  ] as const;
  for (const [path, body, status] of pushes)
    expect((await push(path, vendor.token, body)).status).toBe(status);
  const before = await recordOf(limited, id);
  const other = tokenWith(limited, { ...vendor, credentialId: unknownId() }, ['Stock', 'Cost']);
  for (const [path, body] of pushes)
    for (const token of [vendor.token, other])
      expect(await push(path, token, body)).toMatchObject({
        ...refusal('TOO_MANY_REQUESTS', { reason: 'PUSHES', maximum: 3 }),
        headers: { 'retry-after': seconds, ...headersOf(3, 0) },
      });
  expect(await recordOf(limited, id)).toBe(before);
  const { token: anothers } = await newVendor(limited);
  expect((await push('stock', anothers, { declaredInStock: true })).status).toBe(404);
  for (const left of ['2', '1', '0'])
    expect((await read(id)).headers['ratelimit-remaining']).toBe(left);
  expect((await read(id)).state).toBe('TOO_MANY_REQUESTS');
});

test('counts and shows each call of an operator, even with a wrong role or invalid query', async ({
  limitTo,
}) => {
  const limited = await limitTo({ callsPerOperator: createRateLimit(3) });
  const { token } = await newOperator(limited, ['Reviewer']);
  for (const [url, status, remaining] of [
    [queue, 200, 2],
    ['/operator/v1/audit', 403, 1],
    [`${queue}?page=0`, 400, 0],
  ] as const) {
    const { headers, ...response } = await call(limited, 'GET', url, { token });
    expect(response.status, response.text).toBe(status);
    expect(headers).toMatchObject({ ...headersOf(3, remaining), 'ratelimit-reset': seconds });
    expect(headers['retry-after']).toBeUndefined();
  }
  const response = await call(limited, 'GET', `${queue}?page=0`, { token });
  expect(response).toMatchObject(refusal('TOO_MANY_REQUESTS', { reason: 'CALLS', maximum: 3 }));
  expect(response.headers).toMatchObject(headersOf(3, 0));
  expect(response.headers['retry-after']).toBe(response.headers['ratelimit-reset']);
  const withoutRole = await call(limited, 'POST', '/operator/v1/vendors', { token, body: {} });
  expect(withoutRole).toMatchObject(refusal('FORBIDDEN', { requiredRole: 'Admin' }));
});

test('counts each operator separately, and apart from vendors', async ({ limitTo }) => {
  const limited = await limitTo({ callsPerOperator: createRateLimit(1) });
  const { token: vendors } = await newVendor(limited);
  for (let calls = 0; calls < 3; calls += 1) {
    const { status, headers } = await call(limited, 'GET', '/api/v1/webhooks', {
      token: vendors,
    });
    expect(status).toBe(200);
    // Without a limit, a response has no rate headers.
    expect(Object.keys(headers).filter((name) => name.startsWith('ratelimit-'))).toEqual([]);
  }
  for (const { token } of [await newOperator(limited), await newOperator(limited)])
    for (const status of [200, 429])
      expect((await call(limited, 'GET', queue, { token })).status).toBe(status);
});

test('sends a caller of the other side the headers of its own limit', async ({ limitTo }) => {
  const limited = await limitTo({
    callsPerOperator: createRateLimit(5),
    callsPerVendor: createRateLimit(7),
  });
  for (const [url, { token }, limit] of [
    [queue, await newVendor(limited), '7'],
    ['/api/v1/scent/offers', await newOperator(limited), '5'],
  ] as const)
    expect(await call(limited, 'GET', url, { token })).toMatchObject({
      ...refusal('FORBIDDEN'),
      headers: { 'ratelimit-limit': limit },
    });
});
