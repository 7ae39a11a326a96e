import { expect, vi } from 'vitest';
import { whileFailing } from '../../support/database/failing.ts';
import { beginAttempts } from '../../../db/webhooks/attempts/begin-attempts.ts';
import { webhookDeliveryId } from '../../../workflows/ids.ts';
import { readableHistory } from '../../support/history.ts';
import type { AttemptRequest } from '../../../workflows/webhooks/webhook-delivery-messages.ts';
import { freshSchedule, waiting } from '../../support/webhooks/delivery.ts';
import { deliveryRestartTest } from '../../support/webhooks/delivery-test.ts';
import { notForAWhile, status, statuses } from '../../support/webhooks/receiver.ts';

const test = deliveryRestartTest({ WEBHOOK_RETRY_DELAYS_MS: '50,50,50' })
  /** Begins an attempt, as a worker does that is killed right after. */
  .extend('begin', ({ gateway }) => async (deliveryId: string, after: number) => {
    const begun = await beginAttempts(gateway.sql, [{ deliveryId, after }]);
    expect(begun).toHaveLength(1);
  })
  /** A first worker, after whose attempt the delivery waits for eight seconds. */
  .extend('waitForRetry', ({ gateway, fixture, receiver }) => async () => {
    receiver.answerWith(statuses(500));
    const first = await gateway.startWorker();
    const delivery = await fixture.emitUnsent();
    await fixture.hand(delivery.id, freshSchedule, [8000]);
    await fixture.untilWaiting(delivery);
    await first.stop();
    return delivery;
  });

test.for([
  ['succeeded', status(200), '1 succeeded'],
  ['waiting', notForAWhile, '1 http_status 503'],
] as const)(
  'stores a result that Postgres refused in a later step, and sends nothing again: %s',
  async ([state, respond, text], { receiver, gateway, fixture }) => {
    receiver.answerWith(respond);
    const untilRefused = async () => {
      await gateway.startWorker();
      const delivery = await fixture.emitUnsent();
      await fixture.hand(delivery.id, freshSchedule);
      await vi.waitFor(async () => {
        const history = await readableHistory(gateway.client, webhookDeliveryId(delivery.id));
        expect(history).toContain('recordDeliveryAttempt');
      }, waiting);
      expect(await fixture.attemptTexts()).toEqual(['1 under way']);
      return delivery;
    };
    const delivery = await whileFailing(gateway.sql, 'update on webhook_attempts', untilRefused, {
      when: 'new.succeeded is not null',
    });

    if (state === 'waiting') await fixture.untilWaiting(delivery);
    else await fixture.ended(delivery);
    expect(await fixture.stored(delivery.id)).toMatchObject({ state, attempts: 1 });
    expect(await fixture.attemptTexts()).toEqual([text]);
    expect(fixture.requestsOf(delivery)).toHaveLength(1);
    await fixture.replay(delivery);
    if (state === 'succeeded') await fixture.record(delivery, 'recorded-by-own-step');
  },
);

test('repeats a lost attempt without using up the schedule', async ({
  receiver,
  gateway,
  fixture,
  begin,
}) => {
  receiver.answerWith(status(500));
  const delivery = await fixture.emitUnsent();
  await begin(delivery.id, 0);
  await gateway.startWorker();
  await fixture.hand(delivery.id, freshSchedule);

  expect(await fixture.ended(delivery)).toMatchObject({ state: 'deadLettered', attempts: 5 });
  const failures = [2, 3, 4, 5].map((number) => `${number} http_status 500`);
  expect(await fixture.attemptTexts()).toEqual(['1 worker_lost', ...failures]);
  expect(fixture.requestsOf(delivery)).toHaveLength(4);
  const retries = [2, 3, 4].map((number) => `after 500, until attempt ${number} of 4`);
  expect(await fixture.waits(delivery)).toEqual(['until attempt 1 of 4', ...retries]);
  await fixture.record(delivery, 'worker-lost');
});

test('repeats a lost retry', async ({ gateway, fixture, begin, waitForRetry }) => {
  const delivery = await waitForRetry();
  await begin(delivery.id, 1);
  await gateway.startWorker();

  expect(await fixture.ended(delivery)).toMatchObject({ state: 'succeeded', attempts: 3 });
  const texts = ['1 http_status 500', '2 worker_lost', '3 succeeded'];
  expect(await fixture.attemptTexts()).toEqual(texts);
  expect(fixture.requestsOf(delivery)).toHaveLength(2);
});

test('keeps instant and numbers of a retry with another worker', async ({
  gateway,
  fixture,
  waitForRetry,
}) => {
  const delivery = await waitForRetry();
  const [failed] = await fixture.attempts();
  await gateway.startWorker();

  expect(await fixture.ended(delivery)).toMatchObject({ state: 'succeeded', attempts: 2 });
  const arrivedAt = fixture.requestsOf(delivery)[1]?.arrivedAt ?? 0;
  expect(arrivedAt).toBeGreaterThanOrEqual(failed?.nextAttemptAt.getTime() ?? Infinity);
  expect(await fixture.timers(delivery)).toMatchObject([{ hasFired: true }, { hasFired: true }]);
  await fixture.replay(delivery);
});

// `test/domain/webhooks/jitter.test.ts` has how far a wait varies.
test('varies each wait of a schedule at random', async ({ fixture, startHookedWorker }) => {
  const requests: AttemptRequest[] = [];
  await startHookedWorker(() => ({
    attemptDelivery: async (request) => {
      requests.push(request);
      const { attemptNumber, retryDelayMs } = request;
      const state = retryDelayMs === null ? 'deadLettered' : 'waiting';
      const failed = { attemptNumber, httpStatus: 500, errorSummary: null } as const;
      const outcome = { ...failed, state, nextAttemptAt: new Date(0).toISOString() } as const;
      return { outcome, unrecorded: null };
    },
  }));
  const schedule = Array.from({ length: 20 }, (_, index) => (index + 1) * 60_000);
  const { id } = await fixture.emitUnsent();
  await fixture.hand(id, freshSchedule, schedule);
  expect(await fixture.run(id).result()).toBe('deadLettered');
  const waits = requests.flatMap(({ attemptNumber, retryDelayMs }) =>
    retryDelayMs === null ? [] : retryDelayMs / (attemptNumber * 60_000),
  );
  expect(waits).toHaveLength(20);
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(0.8);
  expect(Math.max(...waits)).toBeLessThanOrEqual(1.2);
  expect(new Set(waits).size).toBeGreaterThan(15);
});
