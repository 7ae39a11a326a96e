import { expect, onTestFinished, test } from 'vitest';
import { startHealthServer } from '../../worker/health.ts';

test.each([
  [true, 2, 200],
  [false, 0, 503],
  [true, null, 200],
])('healthy is %s, %s messages set aside: %i', async (healthy, messagesSetAside, status) => {
  const { url, server } = await startHealthServer({
    host: '127.0.0.1',
    port: 0,
    isHealthy: () => healthy,
    messagesSetAside: () => messagesSetAside,
  });
  onTestFinished(() => void server.close());
  const response = await fetch(url);
  expect([response.status, await response.json()]).toEqual([status, { healthy, messagesSetAside }]);
});
