import { expect, test, vi } from 'vitest';
import { createRateLimit } from '../../../api/auth/rate-limits.ts';
import { newVendor, tokenWith } from '../support/actors.ts';
import { newOfferFixture, recordOf } from '../offers/offer-fixture.ts';
import { call, refusal, startGateway, unknownId } from '../support/api.ts';
import { walkRoutes } from '../support/walk.ts';

test('a limit of 0 is off: calls are not counted and have no rate headers', () => {
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
    vi.setSystemTime(Date.now() - 3_600_000);
    expect(limit('one')).toMatchObject({ resetSeconds: 60, isExceeded: true });
    vi.setSystemTime(Date.now() + 7_200_000);
    expect(limit('one')).toMatchObject({ resetSeconds: 60, isExceeded: true });
  } finally {
    vi.useRealTimers();
  }
});

test('limits the source address on the token routes of both sides', async () => {
  const limited = await startGateway({ tokenCallsPerAddress: createRateLimit(2) });
  try {
    const urls = ['/api/v1/auth/token', '/operator/v1/auth/token', '/api/v1/auth/token'] as const;
    const states: string[] = [];
    for (const url of urls) states.push((await call(limited, 'POST', url, { body: {} })).state);
    expect(states).toEqual(['VALIDATION_ERRORS', 'VALIDATION_ERRORS', 'TOO_MANY_REQUESTS']);
    const headers = { 'content-type': 'text/plain' };
    const answer = await call(limited, 'POST', '/api/v1/auth/token', { body: 'x', headers });
    expect(answer).toMatchObject(
      refusal('TOO_MANY_REQUESTS', { reason: 'ADDRESS_TOKEN_CALLS', maximum: 2 }),
    );
    expect(answer.headers['retry-after']).toMatch(/^[1-9]\d*$/);
  } finally {
    await limited.close();
  }
});

test('limits pushes, bulk items and job items separately, and all other calls together', async () => {
  const limited = await startGateway({
    callsPerVendor: createRateLimit(3),
    pushesPerVendor: createRateLimit(5),
    bulkItemsPerVendor: createRateLimit(70),
    jobItemsPerVendor: createRateLimit(40),
  });
  try {
    const routes = await walkRoutes(limited, unknownId());
    for (const { method, url, path, body, headers: asked, needsToken, isOperators } of routes) {
      if (!needsToken || isOperators) continue;
      const isPush = /\/offers\/\{\w+\}\/(cost|sale-price|stock)$/.test(path);
      const isBulk = /\/offers\/(cost|sale-price|stock)$/.test(path);
      const { token } = await newVendor(limited);
      // Found or not, well-formed or not: every authenticated answer shows its limit.
      for (const [used, sent] of [body, '{'].entries()) {
        const { headers } = await call(limited, method, url, {
          token,
          body: method === 'GET' ? undefined : sent,
          headers: asked,
        });
        const isJob = method === 'POST' && path === '/api/v1/scent/jobs';
        const limit = isJob ? 40 : isBulk ? 70 : isPush ? 5 : 3;
        const each = isBulk || isJob ? 10 : 1;
        expect(headers['ratelimit-limit'], `${method} ${path}`).toBe(String(limit));
        expect(headers['ratelimit-remaining'], `${method} ${path}`).toBe(
          String(limit - each * (used + 1)),
        );
        expect(Number(headers['ratelimit-reset'])).toBeGreaterThanOrEqual(1);
        expect(Number(headers['ratelimit-reset'])).toBeLessThanOrEqual(60);
      }
    }
  } finally {
    await limited.close();
  }
});

test('counts the pushes of a vendor together, apart from its other calls', async () => {
  // The fixture itself creates by the general limit.
  const limited = await startGateway({
    callsPerVendor: createRateLimit(4),
    pushesPerVendor: createRateLimit(3),
  });
  try {
    const { create, send, read, vendor } = await newOfferFixture(limited);
    const id = await create();
    const pushes = [
      ['stock', { declaredInStock: true }],
      ['cost', { cost: 5, costIsVatInclusive: false }],
      ['sale-price', { salePrice: 5, salePriceIsVatInclusive: false }],
    ] as const;
    const statuses: number[] = [];
    for (const [path, body] of pushes)
      statuses.push((await send('PATCH', `/${id}/${path}`, body)).status);
    expect(statuses).toEqual([200, 200, 422]);

    const before = await recordOf(limited, id);
    for (const [path, body] of pushes) {
      const answer = await send('PATCH', `/${id}/${path}`, body);
      expect(answer).toMatchObject(refusal('TOO_MANY_REQUESTS', { reason: 'PUSHES', maximum: 3 }));
      expect(answer.headers['retry-after']).toMatch(/^[1-9]\d*$/);
      expect(answer.headers['ratelimit-limit']).toBe('3');
      expect(answer.headers['ratelimit-remaining']).toBe('0');
    }
    const other = { declaredInStock: false };
    expect((await send('PATCH', `/${id}/stock`, other)).state).toBe('TOO_MANY_REQUESTS');
    expect(await recordOf(limited, id)).toBe(before);

    const left: unknown[] = [];
    for (let calls = 0; calls < 3; calls += 1)
      left.push((await read(id)).headers['ratelimit-remaining']);
    expect(left).toEqual(['2', '1', '0']);
    expect((await read(id)).state).toBe('TOO_MANY_REQUESTS');
    // The check of the capability precedes the rate limit.
    const token = tokenWith(limited, vendor, ['Orders']);
    const url = `/api/v1/scent/offers/${id}/stock`;
    const answer = await call(limited, 'PATCH', url, { token, body: other });
    expect(answer.state).toBe('FORBIDDEN_CAPABILITY_NOT_GRANTED');
  } finally {
    await limited.close();
  }
});

test('counts the pushes of all credentials of a vendor together (D85)', async () => {
  const limited = await startGateway({ pushesPerVendor: createRateLimit(1) });
  try {
    const { create, send, vendor } = await newOfferFixture(limited);
    const id = await create();
    const push = { declaredInStock: true };
    expect((await send('PATCH', `/${id}/stock`, push)).status).toBe(200);
    expect((await send('PATCH', `/${id}/stock`, push)).status).toBe(429);
    const other = { ...vendor, credentialId: unknownId() };
    const token = tokenWith(limited, other, ['Stock']);
    const url = `/api/v1/scent/offers/${id}/stock`;
    expect((await call(limited, 'PATCH', url, { token, body: push })).status).toBe(429);
    const { token: others } = await newVendor(limited);
    const ofOther = await call(limited, 'PATCH', url, { token: others, body: push });
    expect(ofOther.status).toBe(404);
  } finally {
    await limited.close();
  }
});
