import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Registry } from 'prom-client';
import { expect } from 'vitest';
import { buildApp } from '../../api/app.ts';
import { memoryLog } from '../support/memory-log.ts';
import { databaseTest as test } from '../support/database/database-test.ts';
import { gatewayOver } from '../support/api/api.ts';
import { newVendor } from '../support/api/actors.ts';

/** `test/systems/processes/metrics.test.ts` has the metrics of running processes. */

const read = (file: string): string =>
  readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

test('labels no metric with a token, an id or a path of a caller', async ({ sql }) => {
  const { app: plain, dependencies } = await gatewayOver(sql);
  const metrics = new Registry();
  const app = await buildApp(dependencies, {
    log: memoryLog().log,
    version: '0.0.0',
    trustProxy: [],
    handlerTimeoutMs: 15_000,
    metrics,
  });
  const vendor = await newVendor({ sql, dependencies });
  const headers = { authorization: `Bearer ${vendor.token}` };
  for (const url of [`/api/v1/scent/offers/${vendor.vendorId}`, `/private/${vendor.clientId}`])
    await app.inject({ url, headers });
  const text = await metrics.metrics();
  await Promise.all([app.close(), plain.close()]);
  expect(text).toContain('route="GET /api/v1/scent/offers/:id",code="NOT_FOUND_VENDOR_OFFER"');
  for (const secret of [vendor.vendorId, vendor.clientId, vendor.token, 'private'])
    expect(text).not.toContain(secret);
});

const hasPromtool = spawnSync('promtool', ['--version']).status === 0;

test.skipIf(!hasPromtool)('fires each alert only as its unit tests say', () => {
  const cwd = fileURLToPath(new URL('../../ops/prometheus', import.meta.url));
  const output = execFileSync('promtool', ['test', 'rules', 'alerts.test.yml'], {
    cwd,
    encoding: 'utf8',
  });
  expect(output).toContain('SUCCESS');
});

test('has unit tests and a paragraph in docs/operating/monitoring.md for each alert', () => {
  const alerts = read('ops/prometheus/alerts.yml');
  const names = Array.from(alerts.matchAll(/- alert: (\w+)/g), ([, name = '']) => name);
  const page = read('docs/operating/monitoring.md');
  expect(names.filter((name) => !page.includes(`- **\`${name}\`**`))).toEqual([]);
  const unitTests = read('ops/prometheus/alerts.test.yml');
  expect(names.filter((name) => !unitTests.includes(`alertname: ${name}`))).toEqual([]);
});
