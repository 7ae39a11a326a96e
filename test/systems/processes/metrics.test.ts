import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, vi } from 'vitest';
import { freePort } from '../../support/free-port.ts';
import { processTest as test } from '../../support/gateway/gateway-processes.ts';
import { seedOffer, seedVendor } from '../../support/seeds/seed.ts';
import { createDeliveryFixture } from '../../support/webhooks/delivery.ts';
import { notForAWhile } from '../../support/webhooks/receiver.ts';

/** Metrics of both processes, and the dashboard's queries as a real Prometheus answers them. */

const hasPrometheus = spawnSync('prometheus', ['--version']).status === 0;

/** Starts a Prometheus that reads these targets each second; returns its URL. */
async function startPrometheus(targets: readonly string[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'prometheus-'));
  const config = {
    global: { scrape_interval: '1s' },
    scrape_configs: [{ job_name: 'vendor-gateway', static_configs: [{ targets }] }],
  };
  writeFileSync(join(folder, 'prometheus.yml'), JSON.stringify(config));
  const address = `127.0.0.1:${await freePort()}`;
  const options = [
    `--config.file=${folder}/prometheus.yml`,
    `--storage.tsdb.path=${folder}/data`,
    `--web.listen-address=${address}`,
  ];
  const child = spawn('prometheus', options, { stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  return `http://${address}`;
}

const read = (file: string): string =>
  readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8');
const dashboardText = read('ops/grafana/vendor-gateway.json');
const queries = Array.from(
  dashboardText.matchAll(/"expr": (".*")/g),
  ([, text = '']) => JSON.parse(text) as string,
);

/** Without an inspection or a failed task, these have no value. */
const empty = [
  'min(vendor_gateway_inspection_next_deadline_seconds)',
  '60 * sum by (workflow_type, failure_reason) (rate(temporal_workflow_task_execution_failed[$__rate_interval]))',
];

/** Whether a query of the dashboard, which must be valid, has data. */
async function hasData(prometheus: string, expr: string): Promise<boolean> {
  const query = new URLSearchParams({ query: expr.replaceAll('$__rate_interval', '1m') });
  const response = await fetch(`${prometheus}/api/v1/query?${query.toString()}`);
  const { data } = (await response.json()) as { data?: { result: unknown[] } };
  return (data ?? expect.unreachable(`${expr} is invalid`)).result.length > 0;
}

test(
  'names only exported metrics in alerts and dashboard, with data for each query',
  { timeout: 300_000 },
  async ({ gateway, processes, receiver }) => {
    const [api, worker] = await Promise.all([
      processes.startApi({ METRICS_PORT: '0' }),
      processes.startWorker({ WORKER_METRICS_PORT: '0' }),
    ]);
    const urlOf = ({ lines }: typeof api): string => {
      const line = lines.find(({ metrics }) => metrics !== undefined);
      expect(line?.['metrics']).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/metrics$/);
      return String(line?.['metrics']);
    };
    const urls = await vi.waitFor(() => [urlOf(api), urlOf(worker)], 60_000);
    const fixture = await createDeliveryFixture(gateway, receiver);
    await fetch(`${api.url}/api/v1/scent/offers`);
    await fixture.emitMany(3);
    await vi.waitFor(
      async () => {
        const texts = await Promise.all(urls.map(async (url) => (await fetch(url)).text()));
        const metrics = texts.join('\n');
        expect(metrics).toContain(
          'route="GET /api/v1/scent/offers",code="UNAUTHORIZED_MISSING_TOKEN"',
        );
        expect(metrics).toMatch(
          /^vendor_gateway_delivery_attempts_total\{outcome="succeeded"\} 3$/m,
        );
        const used = (read('ops/prometheus/alerts.yml') + dashboardText).match(
          /\b(?:vendor_gateway|temporal)_\w+/g,
        );
        // The names of series include the suffixes of histograms. Those without rows or failures
        // have no series; they are registered, or the SDK's own.
        const absent = [...new Set(used)].filter(
          (name) =>
            !new RegExp(`^${name}[{ ]`, 'm').test(metrics) && !metrics.includes(`# TYPE ${name} `),
        );
        expect(absent).toEqual(['temporal_workflow_task_execution_failed']);
      },
      { timeout: 60_000, interval: 100 },
    );
    if (!hasPrometheus) return;

    const prometheus = await startPrometheus(urls.map((url) => new URL(url).host));
    const vendorId = await seedVendor(gateway.sql);
    // Longer than a scrape takes to come, so that one sees an attempt in progress.
    receiver.answerWith((response) => setTimeout(() => notForAWhile(response), 3000));
    await vi.waitFor(
      async () => {
        // Each rate needs a change between two scrapes.
        await fetch(`${api.url}/api/v1/scent/offers`);
        await seedOffer(gateway.sql, vendorId);
        await fixture.emitMany(1);
        const missing: string[] = [];
        for (const expr of queries)
          if (!(await hasData(prometheus, expr)) && !empty.includes(expr)) missing.push(expr);
        expect(missing).toEqual([]);
      },
      { timeout: 240_000, interval: 1000 },
    );
  },
);
