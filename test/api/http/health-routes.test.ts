import { expect } from 'vitest';
import { checkTimeoutMs } from '../../../process/health/check-parts.ts';
import { gatewayTest as test } from '../../support/gateway/gateway-test.ts';
import { gatewayOver } from '../../support/api/api.ts';

test('is healthy and ready, without a token', async ({ gateway }) => {
  const health = await gateway.app.inject({ method: 'GET', url: '/health' });
  expect([health.statusCode, health.json()]).toEqual([200, { healthy: true }]);
  const ready = await gateway.app.inject({ method: 'GET', url: '/ready' });
  const parts = { postgres: 'ok', temporal: 'ok', eventLoop: 'ok', process: 'ok' };
  expect([ready.statusCode, ready.json()]).toEqual([200, { ready: true, parts }]);
});

test('is not ready, with 503, whatever the fault of the database', async ({ gateway }) => {
  for (const failure of [
    new Error('a bug'),
    Object.assign(new Error('x'), { code: 'PROTOCOL_VIOLATION' }),
  ]) {
    const sql = Object.assign(() => Promise.reject(failure), gateway.sql);
    const { app } = await gatewayOver(sql);
    const ready = await app.inject({ method: 'GET', url: '/ready' });
    expect([ready.statusCode, ready.json()]).toMatchObject([
      503,
      { state: 'SERVICE_UNAVAILABLE', details: { parts: { postgres: 'unavailable' } } },
    ]);
    expect(ready.headers['retry-after']).toBe('5');
    await app.close();
  }
});

test('is ready while Temporal is unavailable, and names it', async ({ gateway }) => {
  const { checks } = gateway.dependencies;
  const { app } = await gatewayOver(gateway.sql, {
    checks: { ...checks, temporal: () => new Promise(() => {}) },
  });
  const startedAt = performance.now();
  const ready = await app.inject({ method: 'GET', url: '/ready' });
  expect([ready.statusCode, ready.json()]).toMatchObject([200, { parts: { temporal: 'timeout' } }]);
  expect(performance.now() - startedAt).toBeLessThan(checkTimeoutMs + 500);
  await app.close();
});
