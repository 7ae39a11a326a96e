import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test, vi } from 'vitest';
import { checkTimeoutMs, type Check } from '../../process/health/check-parts.ts';
import { startHealthServer } from '../../worker/health.ts';

async function serverOf(checks: Readonly<Record<string, Check>>) {
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
  return { url, failures };
}

async function responseOf(path: string, checks: Readonly<Record<string, Check>>) {
  const { url, failures } = await serverOf(checks);
  const startedAt = performance.now();
  const response = await fetch(url.replace('/health', path));
  const body: unknown = await response.json();
  return { status: response.status, body, failures, ms: performance.now() - startedAt };
}

test('returns 200 from /health while all parts are ok', async () => {
  const checks: Record<string, Check> = { postgres: async () => undefined, process: () => 'ok' };
  const { status, body } = await responseOf('/health', checks);
  const parts = { postgres: 'ok', process: 'ok' };
  const counts = { messagesSetAside: 2, secretsWithoutKey: 0 };
  expect([status, body]).toEqual([200, { healthy: true, parts, ...counts }]);
});

test('refuses two lines of a Host, as the API does (D172)', async () => {
  const { url } = await serverOf({});
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.end('GET /live HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n');
  expect(await text(socket)).toMatch(/^HTTP\/1.1 400 /);
});

test('names the failed parts within a second, and stays live', async () => {
  const checks: Record<string, Check> = {
    postgres: () => Promise.reject(new Error('gone')),
    temporal: () => new Promise(() => {}),
    workflowTasks: () => 'failing',
    process: () => 'ok',
  };
  await vi.waitFor(async () => {
    const { status, body, failures, ms } = await responseOf('/health', checks);
    const parts = { postgres: 'unavailable', temporal: 'timeout', workflowTasks: 'failing' };
    expect(status).toBe(503);
    expect(body).toMatchObject({ healthy: false, parts: { ...parts, process: 'ok' } });
    expect(failures).toEqual(['postgres']);
    expect(ms).toBeLessThan(checkTimeoutMs + 500);
  }, 20_000);
  // Nothing restarts it for another's fault.
  expect((await responseOf('/live', checks)).status).toBe(200);
});
