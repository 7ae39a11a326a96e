import { Registry } from 'prom-client';
import { expect, onTestFinished, vi } from 'vitest';
import { connect } from '../../../db/core/client.ts';
import { readPools, readRecord } from '../../../db/watch/read-record.ts';
import { addPoolMetrics, addRecordMetrics } from '../../../process/metrics/record-metrics.ts';
import { freshDatabaseTest as test } from '../../support/database/database-test.ts';
import { seedOffer, seedVendor } from '../../support/seeds/seed.ts';

test('counts what waits, with the rights of the worker', async ({ database, sql }) => {
  const vendorId = await seedVendor(sql);
  for (let each = 0; each < 3; each += 1) await seedOffer(sql, vendorId);
  const worker = connect(database.workerUrl, { max: 1, name: 'vendor-gateway test' });
  const state = await readRecord(worker);
  expect(state).toMatchObject({
    outboxMessages: 3,
    reviewsOpen: 3,
    messagesSetAside: 0,
    inspectionsOpen: 0,
    inspectionNextDeadline: null,
    deliveriesWaiting: 0,
    deadLetters: 0,
  });
  expect(state.outboxOldestAge).toBeGreaterThanOrEqual(0);
  const registry = new Registry();
  addRecordMetrics(registry, () => readRecord(worker));
  addPoolMetrics(registry, () => readPools(worker));
  const text = await registry.metrics();
  expect(text).toMatch(/^vendor_gateway_reviews_open 3$/m);
  // Without a row there is no age.
  expect(text).not.toMatch(/^vendor_gateway_inspection_next_deadline_seconds \S/m);
  expect(text).toMatch(/^vendor_gateway_database_connections\{pool="vendor-gateway test"/m);
  await worker.end();
});

test('completes a scrape without values of the gauges when Postgres does not respond', async () => {
  const away = connect('postgres://127.0.0.1:1/none', { max: 1, name: 'away' });
  const registry = new Registry();
  addRecordMetrics(registry, () => readRecord(away));
  const text = await registry.metrics();
  expect(text).toContain('# TYPE vendor_gateway_reviews_open gauge');
  expect(text).not.toMatch(/^vendor_gateway_reviews_open \S/m);
  await away.end({ timeout: 0 });
});

const frozen = () => new Promise<never>(() => undefined);

test('completes a scrape without values of the gauges while Postgres is frozen', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const registry = new Registry();
  addRecordMetrics(registry, frozen);
  addPoolMetrics(registry, frozen);
  const scrape = registry.metrics();
  // Prometheus gives a scrape up after ten seconds by default.
  await vi.advanceTimersByTimeAsync(8000);
  const text = await scrape;
  expect(text).toContain('# TYPE vendor_gateway_reviews_open gauge');
  expect(text).not.toMatch(/^vendor_gateway_(?:reviews_open|database_connections\{)/m);
});

test('reads Postgres once for all scrapes within ten seconds', async ({ sql }) => {
  let reads = 0;
  const counting = new Proxy(sql, {
    apply: (target, self, values: Parameters<typeof sql>) => {
      reads += 1;
      return Reflect.apply(target, self, values) as unknown;
    },
  });
  const registry = new Registry();
  addRecordMetrics(registry, () => readRecord(counting));
  for (let scrape = 0; scrape < 5; scrape += 1) await registry.metrics();
  expect(reads).toBe(1);
});
