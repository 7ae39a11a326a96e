import { describe, expect, vi } from 'vitest';
import { beginAttempts } from '../../../db/webhooks/attempts/begin-attempts.ts';
import { freshSchedule, waiting } from '../../support/webhooks/delivery.ts';
import { type TestGateway } from '../../support/gateway/gateway.ts';
import { readableHistory } from '../../support/history.ts';
import { notForAWhile, status, statuses } from '../../support/webhooks/receiver.ts';
import { webhookDeliveryId } from '../../../workflows/ids.ts';
import { deliveryRestartTest } from '../../support/webhooks/delivery-test.ts';

const test = deliveryRestartTest({ WEBHOOK_RETRY_DELAYS_MS: '50,50,50' });

/** Postgres takes no result from now on; answers what ends that. */
async function refuseResults(gateway: TestGateway): Promise<() => Promise<void>> {
  await gateway.sql.unsafe(`
    create function refuse_result() returns trigger language plpgsql as $$
    begin raise exception 'no result is taken'; end $$;
    create trigger refuse_result before update on webhook_attempts
    for each row when (new.succeeded is not null) execute function refuse_result()`);
  return async () => {
    await gateway.sql.unsafe('drop trigger refuse_result on webhook_attempts');
  };
}

describe('a result that Postgres does not take', () => {
  test.for([
    ['succeeded', 200],
    ['waiting', 503],
  ] as const)(
    'is stored by a step of its own, and the request is not sent again: %s',
    async ([state, code], { receiver, gateway, fixture }) => {
      receiver.answerWith(code === 200 ? status(200) : notForAWhile);
      const takeThem = await refuseResults(gateway);
      await gateway.startWorker();
      const delivery = await fixture.emitUnsent();
      await fixture.hand(delivery.id, freshSchedule);
      await vi.waitFor(async () => {
        const history = await readableHistory(gateway.client, webhookDeliveryId(delivery.id));
        expect(history).toContain('recordDeliveryAttempt');
      }, waiting);
      expect(await fixture.attemptTexts()).toEqual(['1 under way']);
      await takeThem();

      if (code === 503) {
        await fixture.untilWaiting(delivery);
        expect(await fixture.stored(delivery.id)).toMatchObject({ state, attempts: 1 });
        await fixture.switchOff();
      }
      const ended = await fixture.ended(delivery);
      expect(ended.state).toBe(code === 200 ? 'succeeded' : 'cancelled');
      expect(fixture.requestsOf(delivery)).toHaveLength(1);
      expect((await fixture.attemptTexts())[0]).toBe(
        code === 200 ? '1 succeeded' : '1 http_status 503',
      );
      await fixture.replay(delivery);
      if (code === 200) await fixture.record(delivery, 'recorded-by-own-step');
    },
  );
});

/** As a worker does that is killed right after. */
const begin = (gateway: TestGateway, deliveryId: string, after: number) =>
  beginAttempts(gateway.sql, [{ deliveryId, after, batchId: null }]);

describe('an attempt whose worker was killed before it knew the answer', () => {
  test('is repeated, and uses up no schedule', async ({ receiver, gateway, fixture }) => {
    receiver.answerWith(status(500));
    const delivery = await fixture.emitUnsent();
    expect(await begin(gateway, delivery.id, 0)).toHaveLength(1);
    await gateway.startWorker();
    await fixture.hand(delivery.id, freshSchedule);

    expect(await fixture.ended(delivery)).toMatchObject({ state: 'deadLettered', attempts: 5 });
    expect(await fixture.attemptTexts()).toEqual([
      '1 worker_lost',
      '2 http_status 500',
      '3 http_status 500',
      '4 http_status 500',
      '5 http_status 500',
    ]);
    expect(fixture.requestsOf(delivery)).toHaveLength(4);
    expect((await fixture.timers(delivery)).map(({ summary }) => summary)).toEqual([
      'until attempt 1 of 4',
      'after 500, until attempt 2 of 4',
      'after 500, until attempt 3 of 4',
      'after 500, until attempt 4 of 4',
    ]);
    await fixture.record(delivery, 'worker-lost');
  });

  test('is made again where it was a retry', async ({ receiver, gateway, fixture }) => {
    receiver.answerWith(statuses(500));
    const delivery = await fixture.emitUnsent();
    const first = await gateway.startWorker();
    await fixture.hand(delivery.id, freshSchedule, [2000]);
    await fixture.untilWaiting(delivery);
    await first.stop();
    expect(await begin(gateway, delivery.id, 1)).toHaveLength(1);
    await gateway.startWorker();

    expect(await fixture.ended(delivery)).toMatchObject({ state: 'succeeded', attempts: 3 });
    expect(await fixture.attemptTexts()).toEqual([
      '1 http_status 500',
      '2 worker_lost',
      '3 succeeded',
    ]);
    expect(fixture.requestsOf(delivery)).toHaveLength(2);
  });
});

test('keeps instant and numbers when replaced', async ({ receiver, gateway, fixture }) => {
  receiver.answerWith(statuses(500));
  const first = await gateway.startWorker();
  const delivery = await fixture.emitUnsent();
  await fixture.hand(delivery.id, freshSchedule, [2000]);
  await fixture.untilWaiting(delivery);
  const [failed] = await fixture.attempts();
  await first.stop();
  await gateway.startWorker();

  expect(await fixture.ended(delivery)).toMatchObject({ state: 'succeeded', attempts: 2 });
  const arrivedAt = fixture.requestsOf(delivery)[1]?.arrivedAt ?? 0;
  expect(arrivedAt).toBeGreaterThanOrEqual(failed?.nextAttemptAt.getTime() ?? Infinity);
  expect(await fixture.timers(delivery)).toMatchObject([{ hasFired: true }, { hasFired: true }]);
  await fixture.replay(delivery);
});
