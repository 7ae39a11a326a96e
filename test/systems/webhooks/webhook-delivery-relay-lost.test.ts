import { expect, vi } from 'vitest';
import { recordAttempts } from '../../../db/webhooks/attempts/record-attempts.ts';
import {
  attemptTexts,
  claim,
  noLimit,
  resultOf,
  success,
} from '../../db/webhooks/delivery-rows.ts';
import { createDeliveryFixture, deliveriesOf, waiting } from '../../support/webhooks/delivery.ts';
import { holding, status } from '../../support/webhooks/receiver.ts';
import { processTest } from '../../support/gateway/gateway-processes.ts';

const test = processTest
  .extend('settings', { scope: 'file' }, () => ({
    WEBHOOK_RETRY_DELAYS_MS: '50,50',
    WEBHOOK_HOST_CONCURRENCY: '3',
  }))
  .extend('fixture', ({ gateway, receiver }) => createDeliveryFixture(gateway, receiver));

test.afterEach(({ receiver }) => {
  receiver.answerWith(status(200));
});

test('makes each attempt without a result once after the lease of a dead worker', async ({
  gateway,
  fixture,
}) => {
  const { sql } = gateway;
  await fixture.emitMany(10);
  const leaseMs = 4000;
  const leaseEndsAt = Date.now() + leaseMs - 200;
  const claimed = await claim(sql, { max: 6, leaseMs });
  expect(claimed).toHaveLength(6);
  const [one, two, failed] = claimed;
  if (one === undefined || two === undefined || failed === undefined) throw new Error('none');
  const results = [resultOf(one, success), resultOf(two, success), resultOf(failed)];
  await recordAttempts(sql, results, noLimit);
  await gateway.startWorker();

  await fixture.untilSucceeded(10);
  const outcomes = [];
  for (const { id } of await deliveriesOf(sql, fixture.vendorId)) {
    const requests = fixture.requestsOf(await fixture.stored(id));
    const texts = await attemptTexts(sql, id);
    if (texts[0] === '1 worker_lost')
      for (const { arrivedAt } of requests) expect(arrivedAt).toBeGreaterThan(leaseEndsAt);
    outcomes.push([...texts, requests.length]);
  }
  expect(outcomes).toEqual([
    ['1 succeeded', 0],
    ['1 succeeded', 0],
    ['1 http_status 500', '2 succeeded', 1],
    ...Array.from({ length: 3 }, () => ['1 worker_lost', '2 succeeded', 1]),
    ...Array.from({ length: 4 }, () => ['1 succeeded', 1]),
  ]);
});

test('delivers a whole burst after SIGKILL of a worker, none with a result twice', async ({
  receiver,
  gateway,
  processes,
  fixture,
}) => {
  const worker = await processes.startWorker({ WEBHOOK_HOST_CONCURRENCY: '3' });
  await fixture.emitMany(5);
  await vi.waitFor(
    async () => expect(await fixture.attemptTexts()).toEqual(Array(5).fill('1 succeeded')),
    waiting,
  );
  const { held, respond } = holding();
  receiver.answerWith(respond);
  await fixture.emitMany(15);
  await vi.waitFor(() => expect(held).toHaveLength(3), waiting);
  await worker.end('SIGKILL');
  // Postgres may still run a statement of the worker.
  await vi.waitFor(async () => {
    const sessions = await gateway.sql`
      select from pg_stat_activity
      where datname = current_database() and application_name like '%worker%'`;
    expect(sessions).toHaveLength(0);
  }, waiting);
  const before = await deliveriesOf(gateway.sql, fixture.vendorId);
  const claimed = await gateway.sql<{ id: string }[]>`
    select delivery_id as id from delivery_queue where leased_until is not null`;
  receiver.answerWith(status(200));
  await gateway.startWorker();

  await fixture.untilSucceeded(before.length);
  for (const delivery of before) {
    const wasLost = claimed.some(({ id }) => id === delivery.id);
    const attempts = await attemptTexts(gateway.sql, delivery.id);
    expect(attempts).toEqual(wasLost ? ['1 worker_lost', '2 succeeded'] : ['1 succeeded']);
    const requests = fixture.requestsOf(delivery).length;
    if (wasLost) expect([1, 2]).toContain(requests);
    else expect(requests).toBe(1);
  }
});
