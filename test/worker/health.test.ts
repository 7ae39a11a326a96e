import { expect, onTestFinished, test } from 'vitest';
import { checkTimeoutMs, type Check } from '../../process/health/check-parts.ts';
import { startHealthServer } from '../../worker/health.ts';

async function answerOf(path: string, checks: Readonly<Record<string, Check>>) {
  const failures: string[] = [];
  const { url, server } = await startHealthServer({
    host: '127.0.0.1',
    port: 0,
    checks,
    onFailure: (part) => failures.push(part),
    messagesSetAside: () => 2,
    secretsWithoutKey: () => 0,
  });
  onTestFinished(() => void server.close());
  const startedAt = performance.now();
  const response = await fetch(url.replace('/health', path));
  const body: unknown = await response.json();
  return { status: response.status, body, failures, ms: performance.now() - startedAt };
}

test('the worker is healthy while all parts are ok', async () => {
  const { status, body } = await answerOf('/health', {
    postgres: () => Promise.resolve(),
    process: () => 'ok',
  });
  const parts = { postgres: 'ok', process: 'ok' };
  const counts = { messagesSetAside: 2, secretsWithoutKey: 0 };
  expect([status, body]).toEqual([200, { healthy: true, parts, ...counts }]);
});

test('an unhealthy worker names the parts that are ill, within a second', async () => {
  const { status, body, failures, ms } = await answerOf('/health', {
    postgres: () => Promise.reject(new Error('gone')),
    temporal: () => new Promise(() => {}),
    workflowTasks: () => 'failing',
    process: () => 'ok',
  });
  expect([status, body]).toMatchObject([
    503,
    {
      healthy: false,
      parts: {
        postgres: 'unavailable',
        temporal: 'timeout',
        workflowTasks: 'failing',
        process: 'ok',
      },
    },
  ]);
  expect(failures).toEqual(['postgres']);
  expect(ms).toBeLessThan(checkTimeoutMs + 500);
});

test('an unhealthy worker is live, so that nothing restarts it for another’s fault', async () => {
  const { status } = await answerOf('/live', { temporal: () => 'unavailable' });
  expect(status).toBe(200);
});
