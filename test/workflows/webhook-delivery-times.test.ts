import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { AttemptRequest } from '../../workflows/webhook-delivery-messages.ts';
import type { WebhookDelivery } from '../../db/webhooks/webhook-deliveries.ts';
import { createDeliveryStage, type DeliveryStage } from '../support/delivery.ts';
import { createTestGateway, type TestGateway } from '../support/gateway.ts';
import { startHookedWorker } from '../support/hooked-worker.ts';
import { startTestReceiver, status, statuses, type TestReceiver } from '../support/receiver.ts';

let receiver: TestReceiver;
let gateway: TestGateway;
let stage: DeliveryStage;
const hourMs = 3_600_000;

beforeAll(async () => {
  receiver = await startTestReceiver();
  gateway = await createTestGateway({
    WEBHOOK_ALLOWED_ORIGINS: receiver.origin,
    WEBHOOK_RETRY_DELAYS_MS: '50,50,50',
  });
  await gateway.startWorker();
});
afterAll(async () => {
  await gateway.stop();
  await receiver.close();
});
beforeEach(async () => {
  stage = await createDeliveryStage(gateway, receiver);
});
afterEach(() => {
  receiver.answerWith(status(200));
});

test('a delivery is never tried again before the instant that its attempt names, and its timer is set for that', async () => {
  receiver.answerWith(statuses(500, 500, 500));
  const delivery = await stage.ended(await stage.emit());

  const due = (await stage.attempts())
    .map(({ nextAttemptAt }) => nextAttemptAt.getTime())
    .slice(0, -1);
  expect(due).toHaveLength(3);
  const arrivals = stage.requestsOf(delivery).map(({ arrivedAt }) => arrivedAt);
  expect(arrivals).toHaveLength(4);
  const timers = await stage.timers(delivery);
  expect(timers).toMatchObject(due.map(() => ({ hasFired: true })));
  for (const [index, instant] of due.entries()) {
    expect(arrivals[index + 1]).toBeGreaterThanOrEqual(instant);
    const { nowMs = 0, durationMs = 0, dueMs = 0 } = timers[index] ?? {};
    expect(dueMs).toBeGreaterThanOrEqual(instant);
    // A workflow knows whole milliseconds; one that is past its instant waits for the least time that there is.
    expect(durationMs).toBe(Math.max(1, instant - nowMs));
  }
});

/** How the first attempt of a delivery with this schedule and answer ended; nothing comes of it after that. */
async function failOnce(
  retryAfter: string,
  delayMs: number,
): Promise<{
  readonly delivery: WebhookDelivery;
  readonly earliestMs: number;
  readonly waitMs: number;
  readonly slackMs: number;
}> {
  receiver.answerWith(status(429, { 'retry-after': retryAfter }));
  const delivery = await stage.emitUnsent();
  await stage.hand(delivery.id, { signal: 'start' }, [delayMs]);
  await stage.untilWaiting(delivery);
  const [attempt] = await stage.attempts();
  const earliestMs = attempt?.sentAt?.getTime() ?? 0;
  const nextMs = attempt?.nextAttemptAt.getTime() ?? 0;
  const [timer] = await stage.timers(delivery);
  expect(timer?.durationMs).toBe(nextMs - (timer?.nowMs ?? 0));
  await stage.switchOff();
  await stage.ended(delivery);
  // What the attempt itself took: from the request's start to now at most.
  return { delivery, earliestMs, waitMs: nextMs - earliestMs, slackMs: Date.now() - earliestMs };
}

describe('the wait that a receiver wishes for', () => {
  test('in seconds lengthens it', async () => {
    const { delivery, waitMs, slackMs } = await failOnce('600', 50);
    expect(waitMs).toBeGreaterThanOrEqual(600_000);
    expect(waitMs).toBeLessThanOrEqual(600_000 + slackMs);
    await stage.record(delivery, 'retry-after-seconds');
  });

  test('as an HTTP date lengthens it until that date', async () => {
    const date = new Date(Math.ceil(Date.now() / 1000) * 1000 + 600_000);
    const { delivery, earliestMs, waitMs, slackMs } = await failOnce(date.toUTCString(), 50);
    expect(earliestMs + waitMs).toBeGreaterThanOrEqual(date.getTime());
    expect(earliestMs + waitMs).toBeLessThanOrEqual(date.getTime() + slackMs);
    await stage.record(delivery, 'retry-after-date');
  });

  test.each(['86400', 'Fri, 31 Dec 9999 23:59:59 GMT'])(
    'never lengthens it beyond an hour: %s',
    async (wish) => {
      const { waitMs, slackMs } = await failOnce(wish, 50);
      expect(waitMs).toBeGreaterThanOrEqual(hourMs);
      expect(waitMs).toBeLessThanOrEqual(hourMs + slackMs);
    },
  );

  test.each(['1', 'Thu, 01 Jan 1970 00:00:00 GMT', 'soon', '-5'])(
    'never shortens it: %s',
    async (wish) => {
      const { waitMs, slackMs } = await failOnce(wish, 2 * hourMs);
      expect(waitMs).toBeGreaterThanOrEqual(1.6 * hourMs);
      expect(waitMs).toBeLessThanOrEqual(2.4 * hourMs + slackMs);
    },
  );
});

test('each wait of the schedule is jittered by a fifth either way, anew each time', async () => {
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
    stage = await createDeliveryStage(own, receiver);
    const schedule = Array.from({ length: 20 }, (_, index) => (index + 1) * 60_000);
    const deliveries = await Promise.all(Array.from({ length: 10 }, () => stage.emitUnsent()));
    for (const { id } of deliveries) await stage.hand(id, { signal: 'start' }, schedule);
    for (const { id } of deliveries) expect(await stage.run(id).result()).toBe('deadLettered');

    const waits = requests.flatMap(({ attemptNumber, retryDelayMs }) =>
      retryDelayMs === null ? [] : retryDelayMs / (attemptNumber * 60_000),
    );
    expect(waits).toHaveLength(200);
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(0.8);
    expect(Math.max(...waits)).toBeLessThanOrEqual(1.2);
    // All over the range: that a tenth of it stays without one of two hundred is rarer than one run in a hundred million.
    const tenths = new Set(waits.map((wait) => Math.min(9, Math.floor((wait - 0.8) / 0.04))));
    expect(tenths.size).toBe(10);
    expect(new Set(waits).size).toBeGreaterThan(150);
  } finally {
    await worker.stop();
    await own.stop();
  }
}, 180_000);
