import { expect, test } from 'vitest';
import { startGateway } from '../support.ts';

test('the process is healthy and ready, which needs no token', async () => {
  const gateway = await startGateway();
  try {
    const health = await gateway.app.inject({ method: 'GET', url: '/health' });
    expect([health.statusCode, health.json()]).toEqual([200, { healthy: true }]);
    const ready = await gateway.app.inject({ method: 'GET', url: '/ready' });
    expect([ready.statusCode, ready.json()]).toEqual([200, { ready: true }]);
  } finally {
    await gateway.close();
  }
});
