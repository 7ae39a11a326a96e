import { expect } from 'vitest';
import type { AttemptRequest } from '../../../workflows/webhooks/webhook-delivery-messages.ts';
import { freshSchedule } from '../../support/webhooks/delivery.ts';
import { deliveryRestartTest, deliveryTest } from '../../support/webhooks/delivery-test.ts';
import { startHookedWorker } from '../../support/webhooks/hooked-worker.ts';
import { status, statuses } from '../../support/webhooks/receiver.ts';

const test = deliveryTest({ WEBHOOK_RETRY_DELAYS_MS: '50,50,50' });

test('starts no attempt before the nextAttemptAt of the last', async ({ receiver, fixture }) => {
  receiver.answerWith(statuses(500, 500, 500));
  const delivery = await fixture.ended(await fixture.emit());

  const instants = (await fixture.attempts()).map(({ nextAttemptAt }) => nextAttemptAt.getTime());
  const due = instants.slice(0, -1);
  expect(due).toHaveLength(3);
  const arrivals = fixture.requestsOf(delivery).map(({ arrivedAt }) => arrivedAt);
  expect(arrivals).toHaveLength(4);
  const timers = await fixture.timers(delivery);
  expect(timers).toMatchObject(due.map(() => ({ hasFired: true })));
  for (const [index, instant] of due.entries()) {
    expect(arrivals[index + 1]).toBeGreaterThanOrEqual(instant);
    const { nowMs = 0, durationMs = 0, dueMs = 0 } = timers[index] ?? {};
    expect(dueMs).toBeGreaterThanOrEqual(instant);
    // A workflow knows whole milliseconds; one that is past its instant waits for the least time
    // that there is.
    expect(durationMs).toBe(Math.max(1, instant - nowMs));
  }
});

test.for(['seconds', 'date'])(
  'waits for Retry-After as %s',
  async (form, { receiver, fixture }) => {
    const date = new Date(Math.ceil(Date.now() / 1000) * 1000 + 600_000);
    const retryAfter = form === 'date' ? date.toUTCString() : '600';
    receiver.answerWith(status(429, { 'retry-after': retryAfter }));
    const delivery = await fixture.emitUnsent();
    await fixture.hand(delivery.id, freshSchedule, [50]);
    await fixture.untilWaiting(delivery);
    const [attempt] = await fixture.attempts();
    const sentMs = attempt?.sentAt?.getTime() ?? 0;
    const nextMs = attempt?.nextAttemptAt.getTime() ?? 0;
    const timer = (await fixture.timers(delivery)).at(-1);
    expect(timer?.durationMs).toBe(nextMs - (timer?.nowMs ?? 0));
    const wishedMs = form === 'date' ? date.getTime() : sentMs + 600_000;
    expect(nextMs).toBeGreaterThanOrEqual(wishedMs);
    // The attempt itself took from the request's start to now at most.
    expect(nextMs).toBeLessThanOrEqual(wishedMs + Date.now() - sentMs);
    await fixture.switchOff();
    await fixture.ended(delivery);
    await fixture.record(delivery, `retry-after-${form}`);
  },
);

const hookedTest = deliveryRestartTest({});

hookedTest(
  'varies each wait by up to a fifth either way',
  async ({ gateway, fixture }) => {
    const requests: AttemptRequest[] = [];
    const worker = await startHookedWorker(gateway, () => ({
      attemptDelivery: async (request) => {
        requests.push(request);
        const { attemptNumber, retryDelayMs } = request;
        const state = retryDelayMs === null ? 'deadLettered' : 'waiting';
        const failed = { attemptNumber, httpStatus: 500, errorSummary: null } as const;
        const outcome = { ...failed, state, nextAttemptAt: new Date(0).toISOString() } as const;
        return { outcome, unrecorded: null };
      },
    }));
    try {
      const schedule = Array.from({ length: 20 }, (_, index) => (index + 1) * 60_000);
      const deliveries = await Promise.all(Array.from({ length: 10 }, () => fixture.emitUnsent()));
      for (const { id } of deliveries) await fixture.hand(id, freshSchedule, schedule);
      for (const { id } of deliveries) expect(await fixture.run(id).result()).toBe('deadLettered');
    } finally {
      await worker.stop();
    }
    const waits = requests.flatMap(({ attemptNumber, retryDelayMs }) =>
      retryDelayMs === null ? [] : retryDelayMs / (attemptNumber * 60_000),
    );
    expect(waits).toHaveLength(200);
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(0.8);
    expect(Math.max(...waits)).toBeLessThanOrEqual(1.2);
    // All over the range: that a tenth of it stays without one of two hundred is rarer than one run
    // in a hundred million.
    const tenths = new Set(waits.map((wait) => Math.min(9, Math.floor((wait - 0.8) / 0.04))));
    expect(tenths.size).toBe(10);
    expect(new Set(waits).size).toBeGreaterThan(150);
  },
  180_000,
);
