import { describe, expect } from 'vitest';
import type { AttemptRequest } from '../../../workflows/webhooks/webhook-delivery-messages.ts';
import type { WebhookDelivery } from '../../../db/webhooks/webhook-deliveries.ts';
import {
  createDeliveryFixture,
  freshSchedule,
  type DeliveryFixture,
} from '../../support/webhooks/delivery.ts';
import { createTestGateway } from '../../support/gateway/gateway.ts';
import { startHookedWorker } from '../../support/webhooks/hooked-worker.ts';
import { status, statuses, type TestReceiver } from '../../support/webhooks/receiver.ts';
import { deliveryTest } from '../../support/webhooks/delivery-test.ts';

const test = deliveryTest({ WEBHOOK_RETRY_DELAYS_MS: '50,50,50' });

test('starts no attempt before the nextAttemptAt of the last', async ({ receiver, fixture }) => {
  receiver.answerWith(statuses(500, 500, 500));
  const delivery = await fixture.ended(await fixture.emit());

  const due = (await fixture.attempts())
    .map(({ nextAttemptAt }) => nextAttemptAt.getTime())
    .slice(0, -1);
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

/**
 * How the first attempt of a delivery with this schedule and answer ended; nothing comes of it
 * after that.
 */
async function failOnce(
  receiver: TestReceiver,
  fixture: DeliveryFixture,
  retryAfter: string,
  delayMs: number,
): Promise<{
  readonly delivery: WebhookDelivery;
  readonly earliestMs: number;
  readonly waitMs: number;
  readonly slackMs: number;
}> {
  receiver.answerWith(status(429, { 'retry-after': retryAfter }));
  const delivery = await fixture.emitUnsent();
  await fixture.hand(delivery.id, freshSchedule, [delayMs]);
  await fixture.untilWaiting(delivery);
  const [attempt] = await fixture.attempts();
  const earliestMs = attempt?.sentAt?.getTime() ?? 0;
  const nextMs = attempt?.nextAttemptAt.getTime() ?? 0;
  const timer = (await fixture.timers(delivery)).at(-1);
  expect(timer?.durationMs).toBe(nextMs - (timer?.nowMs ?? 0));
  await fixture.switchOff();
  await fixture.ended(delivery);
  // What the attempt itself took: from the request's start to now at most.
  return { delivery, earliestMs, waitMs: nextMs - earliestMs, slackMs: Date.now() - earliestMs };
}

describe('the wait that a receiver wishes for', () => {
  test('in seconds lengthens it', async ({ receiver, fixture }) => {
    const { delivery, waitMs, slackMs } = await failOnce(receiver, fixture, '600', 50);
    expect(waitMs).toBeGreaterThanOrEqual(600_000);
    expect(waitMs).toBeLessThanOrEqual(600_000 + slackMs);
    await fixture.record(delivery, 'retry-after-seconds');
  });

  test('as an HTTP date lengthens it until that date', async ({ receiver, fixture }) => {
    const date = new Date(Math.ceil(Date.now() / 1000) * 1000 + 600_000);
    const { delivery, earliestMs, waitMs, slackMs } = await failOnce(
      receiver,
      fixture,
      date.toUTCString(),
      50,
    );
    expect(earliestMs + waitMs).toBeGreaterThanOrEqual(date.getTime());
    expect(earliestMs + waitMs).toBeLessThanOrEqual(date.getTime() + slackMs);
    await fixture.record(delivery, 'retry-after-date');
  });
});

test('varies each wait by up to a fifth either way', async ({ receiver }) => {
  const own = await createTestGateway();
  const requests: AttemptRequest[] = [];
  const worker = await startHookedWorker(own, () => ({
    attemptDelivery: (request) => {
      requests.push(request);
      const { attemptNumber, retryDelayMs } = request;
      const state = retryDelayMs === null ? 'deadLettered' : 'waiting';
      const nextAttemptAt = new Date(0).toISOString();
      const outcome = {
        state,
        attemptNumber,
        httpStatus: 500,
        errorSummary: null,
        nextAttemptAt,
      } as const;
      return Promise.resolve({ outcome, unrecorded: null });
    },
  }));
  try {
    const fixture = await createDeliveryFixture(own, receiver);
    const schedule = Array.from({ length: 20 }, (_, index) => (index + 1) * 60_000);
    const deliveries = await Promise.all(Array.from({ length: 10 }, () => fixture.emitUnsent()));
    for (const { id } of deliveries) await fixture.hand(id, freshSchedule, schedule);
    for (const { id } of deliveries) expect(await fixture.run(id).result()).toBe('deadLettered');

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
  } finally {
    await worker.stop();
    await own.stop();
  }
}, 180_000);
