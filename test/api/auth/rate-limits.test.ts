import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createRateLimit } from '../../../api/auth/rate-limits.ts';
import type { Dependencies } from '../../../api/dependencies.ts';
import { newOperator, newVendor, tokenWith } from '../../support/api/actors.ts';
import { newOfferFixture, recordOf } from '../offers/offer-fixture.ts';
import { call, refusal, startGateway, unknownId, type Gateway } from '../../support/api/api.ts';
import { walkRoutes } from '../../support/api/walk.ts';

// The order of the checks, the rate among them, has its cases in `order-of-checks.test.ts`.

async function limitTo(overrides: Partial<Dependencies>): Promise<Gateway> {
  const gateway = await startGateway(overrides);
  onTestFinished(() => gateway.close());
  return gateway;
}
const seconds = /^([1-9]|[1-5]\d|60)$/;
const queue = '/operator/v1/offers';

test('a limit of 0 is off', () => {
  expect(createRateLimit(0)('key')).toBeNull();
});

test('a window ends a minute after its first call; too many points count nothing', () => {
  vi.useFakeTimers();
  try {
    const limit = createRateLimit(5);
    expect(limit('one', 3)).toMatchObject({ remaining: 2, resetSeconds: 60, isExceeded: false });
    vi.advanceTimersByTime(59_001);
    expect(limit('one', 3)).toMatchObject({ remaining: 2, resetSeconds: 1, isExceeded: true });
    expect(limit('one', 2)).toMatchObject({ remaining: 0, resetSeconds: 1, isExceeded: false });
    expect(limit('two')).toMatchObject({ remaining: 4, resetSeconds: 60 });
    vi.advanceTimersByTime(999);
    expect(limit('one')).toMatchObject({ remaining: 4, resetSeconds: 60, isExceeded: false });
  } finally {
    vi.useRealTimers();
  }
});

test('a clock that is set back or forward neither lengthens a window nor ends it', () => {
  vi.useFakeTimers();
  try {
    const limit = createRateLimit(1);
    limit('one');
    for (const hours of [-1, 2]) {
      vi.setSystemTime(Date.now() + hours * 3_600_000);
      expect(limit('one')).toMatchObject({ resetSeconds: 60, isExceeded: true });
    }
  } finally {
    vi.useRealTimers();
  }
});

test('limits the source address on the token routes of both sides', async () => {
  const limited = await limitTo({ tokenCallsPerAddress: createRateLimit(2) });
  const states: string[] = [];
  for (const url of ['/api/v1/auth/token', '/operator/v1/auth/token', '/api/v1/auth/token'])
    states.push((await call(limited, 'POST', url, { body: {} })).state);
  expect(states).toEqual(['VALIDATION_ERRORS', 'VALIDATION_ERRORS', 'TOO_MANY_REQUESTS']);
  const headers = { 'content-type': 'text/plain' };
  const answer = await call(limited, 'POST', '/api/v1/auth/token', { body: 'x', headers });
  expect(answer).toMatchObject(
    refusal('TOO_MANY_REQUESTS', { reason: 'ADDRESS_TOKEN_CALLS', maximum: 2 }),
  );
  expect(answer.headers['retry-after']).toMatch(seconds);
});

describe('of a vendor', () => {
  test('limits pushes, bulk items and job items separately, and all other calls together', async () => {
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
      // Found or not, well-formed or not: every authenticated answer shows its limit.
      for (const [used, sent] of [body, '{'].entries()) {
        const { headers } = await call(limited, method, url, {
          token,
          body: method === 'GET' ? undefined : sent,
          headers: asked,
        });
        expect(headers, `${method} ${path}`).toMatchObject({
          'ratelimit-limit': String(limit),
          'ratelimit-remaining': String(limit - each * (used + 1)),
          'ratelimit-reset': expect.stringMatching(seconds),
        });
      }
    }
  });

  test('counts its pushes together, by each of its credentials, apart from other calls (D85)', async () => {
    // The fixture itself creates by the general limit.
    const limited = await limitTo({
      callsPerVendor: createRateLimit(4),
      pushesPerVendor: createRateLimit(3),
    });
    const { create, send, read, vendor } = await newOfferFixture(limited);
    const id = await create();
    const pushes = [
      ['stock', { declaredInStock: true }, 200],
      ['cost', { cost: 5, costIsVatInclusive: false }, 200],
      ['sale-price', { salePrice: 5, salePriceIsVatInclusive: false }, 422],
    ] as const;
    for (const [path, body, status] of pushes)
      expect((await send('PATCH', `/${id}/${path}`, body)).status).toBe(status);
    const before = await recordOf(limited, id);
    const other = tokenWith(limited, { ...vendor, credentialId: unknownId() }, ['Stock', 'Cost']);
    for (const [path, body] of pushes) {
      const url = `/api/v1/scent/offers/${id}/${path}`;
      for (const token of [vendor.token, other]) {
        const answer = await call(limited, 'PATCH', url, { token, body });
        expect(answer).toMatchObject(
          refusal('TOO_MANY_REQUESTS', { reason: 'PUSHES', maximum: 3 }),
        );
        expect(answer.headers).toMatchObject({
          'retry-after': expect.stringMatching(seconds),
          'ratelimit-limit': '3',
          'ratelimit-remaining': '0',
        });
      }
    }
    expect(await recordOf(limited, id)).toBe(before);
    const url = `/api/v1/scent/offers/${id}/stock`;
    const { token: others } = await newVendor(limited);
    const body = { declaredInStock: true };
    expect((await call(limited, 'PATCH', url, { token: others, body })).status).toBe(404);
    for (const left of ['2', '1', '0'])
      expect((await read(id)).headers['ratelimit-remaining']).toBe(left);
    expect((await read(id)).state).toBe('TOO_MANY_REQUESTS');
  });
});

describe('of an operator', () => {
  test('counts and shows each call, a refused role and an invalid query too', async () => {
    const limited = await limitTo({ callsPerOperator: createRateLimit(3) });
    const { token } = await newOperator(limited, ['Reviewer']);
    for (const [url, status, remaining] of [
      [queue, 200, '2'],
      ['/operator/v1/audit', 403, '1'],
      [`${queue}?page=0`, 400, '0'],
    ] as const) {
      const answer = await call(limited, 'GET', url, { token });
      expect(answer.status, answer.text).toBe(status);
      expect(answer.headers).toMatchObject({
        'ratelimit-limit': '3',
        'ratelimit-remaining': remaining,
        'ratelimit-reset': expect.stringMatching(seconds),
      });
      expect(answer.headers['retry-after']).toBeUndefined();
    }
    const answer = await call(limited, 'GET', `${queue}?page=0`, { token });
    expect(answer).toMatchObject(refusal('TOO_MANY_REQUESTS', { reason: 'CALLS', maximum: 3 }));
    expect(answer.headers).toMatchObject({ 'ratelimit-limit': '3', 'ratelimit-remaining': '0' });
    expect(answer.headers['retry-after']).toBe(answer.headers['ratelimit-reset']);
    const withoutRole = await call(limited, 'POST', '/operator/v1/vendors', { token, body: {} });
    expect(withoutRole).toMatchObject(refusal('FORBIDDEN', { requiredRole: 'Admin' }));
  });

  test('counts each operator separately, without the calls of vendors', async () => {
    const limited = await limitTo({ callsPerOperator: createRateLimit(1) });
    const [one, other] = [await newOperator(limited), await newOperator(limited)];
    const vendor = await newVendor(limited);
    for (let calls = 0; calls < 3; calls += 1) {
      const answer = await call(limited, 'GET', '/api/v1/webhooks', { token: vendor.token });
      // Without a limit, a response has no rate headers.
      expect(answer.status).toBe(200);
      const names = Object.keys(answer.headers);
      expect(names.filter((name) => name.startsWith('ratelimit-'))).toEqual([]);
    }
    for (const { token } of [one, other]) {
      expect((await call(limited, 'GET', queue, { token })).status).toBe(200);
      expect((await call(limited, 'GET', queue, { token })).status).toBe(429);
    }
  });
});

test('sends a refused caller of the other side the headers of its own limit', async () => {
  const limited = await limitTo({
    callsPerOperator: createRateLimit(5),
    callsPerVendor: createRateLimit(7),
  });
  const [vendor, operator] = [await newVendor(limited), await newOperator(limited)];
  for (const [url, token, limit] of [
    [queue, vendor.token, '7'],
    ['/api/v1/scent/offers', operator.token, '5'],
  ] as const) {
    const answer = await call(limited, 'GET', url, { token });
    expect(answer).toMatchObject(refusal('FORBIDDEN'));
    expect(answer.headers['ratelimit-limit']).toBe(limit);
  }
});
