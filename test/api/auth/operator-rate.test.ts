import { afterEach, expect, test } from 'vitest';
import { createRateLimit } from '../../../api/auth/rate-limits.ts';
import { newOperator, newVendor } from '../support/actors.ts';
import { call, gatewayOver, refusal, startGateway, type Gateway } from '../support/api.ts';

let gateway: Gateway;
afterEach(() => gateway.close());

const queue = '/operator/v1/offers';
const limitTo = async (perMinute: number) => {
  gateway = await startGateway({ callsPerOperator: createRateLimit(perMinute) });
};

test('sends the limit, the calls left and the time to reset with each response', async () => {
  await limitTo(3);
  const { token } = await newOperator(gateway, ['Reviewer']);
  // A success, a refused role and an invalid query each count.
  for (const [url, status, remaining] of [
    [queue, 200, '2'],
    ['/operator/v1/audit', 403, '1'],
    [`${queue}?page=0`, 400, '0'],
  ] as const) {
    const answer = await call(gateway, 'GET', url, { token });
    expect(answer.status, answer.text).toBe(status);
    expect(answer.headers).toMatchObject({
      'ratelimit-limit': '3',
      'ratelimit-remaining': remaining,
    });
    expect(answer.headers['ratelimit-reset']).toMatch(/^([1-9]|[1-5]\d|60)$/);
    expect(answer.headers['retry-after']).toBeUndefined();
  }
});

test('refuses calls above the limit, after the check of the role and before that of the query', async () => {
  await limitTo(1);
  const { token } = await newOperator(gateway, ['Reviewer']);
  expect((await call(gateway, 'GET', queue, { token })).status).toBe(200);
  const answer = await call(gateway, 'GET', `${queue}?page=0`, { token });
  expect(answer).toMatchObject(refusal('TOO_MANY_REQUESTS', { reason: 'CALLS', maximum: 1 }));
  expect(answer.headers).toMatchObject({ 'ratelimit-limit': '1', 'ratelimit-remaining': '0' });
  expect(answer.headers['retry-after']).toBe(answer.headers['ratelimit-reset']);
  expect(answer.headers['retry-after']).toMatch(/^([1-9]|[1-5]\d|60)$/);
  const withoutRole = await call(gateway, 'POST', '/operator/v1/vendors', { token, body: {} });
  expect(withoutRole).toMatchObject(refusal('FORBIDDEN', { requiredRole: 'Admin' }));
});

test('counts each operator separately, without the calls of vendors', async () => {
  await limitTo(1);
  const [one, other] = [await newOperator(gateway), await newOperator(gateway)];
  const vendor = await newVendor(gateway);
  for (let calls = 0; calls < 3; calls += 1) {
    const answer = await call(gateway, 'GET', '/api/v1/webhooks', { token: vendor.token });
    expect(answer.status).toBe(200);
    expect(answer.headers['ratelimit-limit']).toBeUndefined();
  }
  for (const { token } of [one, other]) {
    expect((await call(gateway, 'GET', queue, { token })).status).toBe(200);
    expect((await call(gateway, 'GET', queue, { token })).status).toBe(429);
  }
});

test('sends no rate headers without a limit', async () => {
  gateway = await startGateway();
  const { token } = await newOperator(gateway);
  const off = await gatewayOver(gateway.sql, {
    ...gateway.dependencies,
    callsPerOperator: createRateLimit(0),
  });
  for (let calls = 0; calls < 3; calls += 1) {
    const answer = await call(off, 'GET', queue, { token });
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('ratelimit-'))).toEqual([]);
  }
  await off.app.close();
});

test('sends a refused caller of the other side the headers of its own limit', async () => {
  gateway = await startGateway({
    callsPerOperator: createRateLimit(5),
    callsPerVendor: createRateLimit(7),
  });
  const [vendor, operator] = [await newVendor(gateway), await newOperator(gateway)];
  for (const [url, token, limit] of [
    [queue, vendor.token, '7'],
    ['/api/v1/scent/offers', operator.token, '5'],
  ] as const) {
    const answer = await call(gateway, 'GET', url, { token });
    expect(answer).toMatchObject(refusal('FORBIDDEN'));
    expect(answer.headers['ratelimit-limit']).toBe(limit);
  }
});
