import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Registry } from 'prom-client';
import { expect, vi } from 'vitest';
import { buildApp } from '../../api/app.ts';
import { memoryLog } from '../support/gateway/leaks.ts';
import { processTest } from '../support/gateway/gateway-processes.ts';
import { gatewayOver } from '../api/support/api.ts';
import { newVendor } from '../api/support/actors.ts';
import { createDeliveryFixture } from '../support/webhooks/delivery.ts';

/** Metrics of both processes, and the alerts and the dashboard that use them. */

const read = (file: string): string =>
  readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
const alerts = read('ops/prometheus/alerts.yml');
const dashboard = read('ops/grafana/vendor-gateway.json');
const waiting = { timeout: 60_000, interval: 100 };

const test = processTest.extend('settings', { scope: 'file' }, ({ receiver }) => ({
  WEBHOOK_ALLOWED_ORIGINS: receiver.origin,
}));

/** The names of series; the suffixes of histograms included. */
const namesIn = (metrics: string): ReadonlySet<string> =>
  new Set(Array.from(metrics.matchAll(/^(\w+)(?:\{| )/gm), ([, name = '']) => name));
const usedIn = (text: string): readonly string[] => [
  ...new Set(text.match(/\b(?:vendor_gateway|temporal)_\w+/g)),
];

const textOf = async (url: string): Promise<string> => (await fetch(url)).text();

/** The value of a series by its name and labels; undefined if it is not there. */
const valueOf = (metrics: string, series: string): number | undefined => {
  const line = metrics.split('\n').find((each) => each.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
};

test(
  'alerts and dashboard name only metrics that the processes export',
  {
    timeout: 180_000,
  },
  async ({ gateway, processes, receiver }) => {
    const [api, worker] = await Promise.all([
      processes.startApi({ METRICS_PORT: '0' }),
      processes.startWorker({ WORKER_METRICS_PORT: '0' }),
    ]);
    const metricsOf = ({ lines }: typeof api): string =>
      String(lines.find(({ metrics }) => metrics !== undefined)?.['metrics']);
    const urls = await vi.waitFor(() => {
      const found = [metricsOf(api), metricsOf(worker)];
      for (const url of found) expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/metrics$/);
      return found;
    }, waiting);
    await fetch(`${api.url}/api/v1/scent/offers`);
    const fixture = await createDeliveryFixture(gateway, receiver);
    await fixture.emitMany(3);
    await vi.waitFor(async () => {
      const texts = await Promise.all(urls.map(textOf));
      const metrics = texts.join('\n');
      expect(metrics).toContain(
        'route="GET /api/v1/scent/offers",code="UNAUTHORIZED_MISSING_TOKEN"',
      );
      expect(valueOf(metrics, 'vendor_gateway_delivery_attempts_total{outcome="succeeded"}')).toBe(
        3,
      );
      const names = namesIn(metrics);
      const absent = usedIn(alerts + dashboard).filter((name) => !names.has(name));
      // Without rows or failures these have no series; they are registered, or the SDK's own.
      expect(absent.filter((name) => !metrics.includes(`# TYPE ${name} `)).toSorted()).toEqual([
        'temporal_workflow_task_execution_failed',
      ]);
    }, waiting);
  },
);

test('no metric has a token, an id or a path of a caller as a label', async ({ gateway }) => {
  const { app: plain, dependencies } = await gatewayOver(gateway.sql);
  const metrics = new Registry();
  const app = await buildApp(dependencies, {
    log: memoryLog().log,
    version: '0.0.0',
    trustProxy: [],
    handlerTimeoutMs: 15_000,
    metrics,
  });
  const vendor = await newVendor({ sql: gateway.sql, dependencies });
  const headers = { authorization: `Bearer ${vendor.token}` };
  for (const url of [`/api/v1/scent/offers/${vendor.vendorId}`, `/private/${vendor.clientId}`])
    await app.inject({ url, headers });
  const text = await metrics.metrics();
  await Promise.all([app.close(), plain.close()]);
  expect(text).toContain('route="GET /api/v1/scent/offers/:id",code="NOT_FOUND_VENDOR_OFFER"');
  for (const secret of [vendor.vendorId, vendor.clientId, vendor.token, 'private'])
    expect(text).not.toContain(secret);
});

const hasPromtool = ((): boolean => {
  try {
    execFileSync('promtool', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

test.skipIf(!hasPromtool)('each alert fires and stays silent as its unit tests say', () => {
  const cwd = fileURLToPath(new URL('../../ops/prometheus', import.meta.url));
  const output = execFileSync('promtool', ['test', 'rules', 'alerts.test.yml'], {
    cwd,
    encoding: 'utf8',
  });
  expect(output).toContain('SUCCESS');
});

test('each alert has unit tests and a paragraph in docs/operating/monitoring.md', () => {
  const names = Array.from(alerts.matchAll(/- alert: (\w+)/g), ([, name = '']) => name);
  const page = read('docs/operating/monitoring.md');
  expect(names.filter((name) => !page.includes(`- **\`${name}\`**`))).toEqual([]);
  const unitTests = read('ops/prometheus/alerts.test.yml');
  expect(names.filter((name) => !unitTests.includes(`alertname: ${name}`))).toEqual([]);
});
