import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import getPort from 'get-port';
import * as v from 'valibot';
import { expect, vi } from 'vitest';
import { processTest } from '../../support/gateway/gateway-processes.ts';
import { seedOffer, seedVendor } from '../../support/seeds/seed.ts';
import { createDeliveryFixture } from '../../support/webhooks/delivery.ts';
import { notForAWhile } from '../../support/webhooks/receiver.ts';

/** Metrics of both processes, and the dashboard's queries as a real Prometheus answers them. */

const test = processTest
  .extend('settings', { scope: 'file' }, ({ receiver }) => ({
    WEBHOOK_ALLOWED_ORIGINS: receiver.origin,
  }))
  .extend('prometheus', async ({}, { onCleanup }) => {
    const folder = mkdtempSync(join(tmpdir(), 'prometheus-'));
    const port = await getPort();
    return {
      start: (targets: readonly string[]) => {
        const config = {
          global: { scrape_interval: '1s' },
          scrape_configs: [{ job_name: 'vendor-gateway', static_configs: [{ targets }] }],
        };
        writeFileSync(join(folder, 'prometheus.yml'), JSON.stringify(config));
        const child = spawn(
          'prometheus',
          [
            `--config.file=${folder}/prometheus.yml`,
            `--storage.tsdb.path=${folder}/data`,
            `--web.listen-address=127.0.0.1:${port}`,
          ],
          { stdio: 'ignore' },
        );
        onCleanup(() => {
          child.kill('SIGKILL');
        });
        return `http://127.0.0.1:${port}`;
      },
    };
  });

const hasPrometheus = ((): boolean => {
  try {
    execFileSync('prometheus', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

const read = (file: string): string =>
  readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8');
const dashboardText = read('ops/grafana/vendor-gateway.json');
const dashboard = v.parse(
  v.object({
    panels: v.array(
      v.object({ title: v.string(), targets: v.array(v.object({ expr: v.string() })) }),
    ),
  }),
  JSON.parse(dashboardText),
);

/** Without an inspection or a failed task, these have no value. */
const empty = [
  'min(vendor_gateway_inspection_next_deadline_seconds)',
  '60 * sum by (workflow_type, failure_reason) (rate(temporal_workflow_task_execution_failed[$__rate_interval]))',
];

const result = v.object({ status: v.string(), data: v.object({ result: v.array(v.unknown()) }) });

test.skipIf(!hasPrometheus)(
  'each query of the dashboard is valid and has data while the gateway works',
  { timeout: 300_000 },
  async ({ gateway, processes, prometheus, receiver }) => {
    const [api, worker] = await Promise.all([
      processes.startApi({ METRICS_PORT: '0' }),
      processes.startWorker({ WORKER_METRICS_PORT: '0' }),
    ]);
    const targetOf = ({ lines }: typeof api): string =>
      new URL(String(lines.find(({ metrics }) => metrics !== undefined)?.['metrics'])).host;
    const targets = await vi.waitFor(() => [targetOf(api), targetOf(worker)], 30_000);
    const url = prometheus.start(targets);
    const vendorId = await seedVendor(gateway.sql);
    // Longer than a scrape takes to come, so that one sees an attempt in progress.
    receiver.answerWith((response) => setTimeout(() => notForAWhile(response), 3000));
    const fixture = await createDeliveryFixture(gateway, receiver);
    const missing = async (): Promise<readonly string[]> => {
      // Each rate needs a change between two scrapes.
      await fetch(`${api.url}/api/v1/scent/offers`);
      await seedOffer(gateway.sql, vendorId);
      await fixture.emitMany(1);
      const found: string[] = [];
      for (const { expr } of dashboard.panels.flatMap((panel) => panel.targets)) {
        const query = expr.replaceAll('$__rate_interval', '1m');
        const answer = await fetch(
          `${url}/api/v1/query?${new URLSearchParams({ query }).toString()}`,
        );
        const { status, data } = v.parse(result, await answer.json());
        expect(status, expr).toBe('success');
        if (data.result.length === 0) found.push(expr);
      }
      return found.filter((expr) => !empty.includes(expr));
    };
    await vi.waitFor(async () => expect(await missing()).toEqual([]), {
      timeout: 240_000,
      interval: 1000,
    });
  },
);

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
    const urls = await vi.waitFor(
      () => {
        const found = [metricsOf(api), metricsOf(worker)];
        for (const url of found) expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/metrics$/);
        return found;
      },
      { timeout: 60_000, interval: 100 },
    );
    await fetch(`${api.url}/api/v1/scent/offers`);
    receiver.answerWith((response) => response.end());
    const fixture = await createDeliveryFixture(gateway, receiver);
    await fixture.emitMany(3);
    await vi.waitFor(
      async () => {
        const texts = await Promise.all(urls.map(textOf));
        const metrics = texts.join('\n');
        expect(metrics).toContain(
          'route="GET /api/v1/scent/offers",code="UNAUTHORIZED_MISSING_TOKEN"',
        );
        expect(
          valueOf(metrics, 'vendor_gateway_delivery_attempts_total{outcome="succeeded"}'),
        ).toBe(3);
        const names = namesIn(metrics);
        const absent = usedIn(read('ops/prometheus/alerts.yml') + dashboardText).filter(
          (name) => !names.has(name),
        );
        // Without rows or failures these have no series; they are registered, or the SDK's own.
        expect(absent.filter((name) => !metrics.includes(`# TYPE ${name} `)).toSorted()).toEqual([
          'temporal_workflow_task_execution_failed',
        ]);
      },
      { timeout: 60_000, interval: 100 },
    );
  },
);
