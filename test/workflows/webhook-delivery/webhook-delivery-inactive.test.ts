import { describe, expect, vi } from 'vitest';
import type { WebhookDelivery } from '../../../db/webhooks/webhook-deliveries.ts';
import { freshSchedule, waiting, type DeliveryFixture } from '../../support/webhooks/delivery.ts';
import {
  holding,
  notForAWhile,
  status,
  type TestReceiver,
} from '../../support/webhooks/receiver.ts';
import { deliveryTest } from '../../support/webhooks/delivery-test.ts';

const test = deliveryTest({
  WEBHOOK_RUNS_PER_SECOND: '1000',
  WEBHOOK_RETRY_DELAYS_MS: '50,50,50',
  WEBHOOK_TIMEOUT_MS: '20000',
});

/** A delivery that has failed once and waits for long. */
async function waitingDelivery(
  receiver: TestReceiver,
  fixture: DeliveryFixture,
): Promise<WebhookDelivery> {
  receiver.answerWith(notForAWhile);
  const delivery = await fixture.emit();
  await fixture.untilWaiting(delivery);
  receiver.answerWith(status(200));
  return delivery;
}

/**
 * It was ended by the record at once; the run follows without a request, and its timer is no more.
 */
async function expectEnded(fixture: DeliveryFixture, delivery: WebhookDelivery): Promise<void> {
  expect(await fixture.stored(delivery.id)).toMatchObject({ state: 'cancelled', attempts: 2 });
  expect(await fixture.attemptTexts()).toEqual(['1 http_status 503', '2 subscription_inactive']);
  expect((await fixture.attempts()).at(-1)).toMatchObject({
    succeeded: false,
    sentAt: null,
    httpStatus: null,
  });
  expect((await fixture.ended(delivery)).state).toBe('cancelled');
  expect(await fixture.timers(delivery)).toMatchObject([{ hasFired: false, isCanceled: true }]);
  expect(fixture.requestsOf(delivery)).toHaveLength(1);
  expect(await fixture.attemptTexts()).toHaveLength(2);
}

describe('a delivery that waits', () => {
  test('ends at once when its subscription is deactivated', async ({ receiver, fixture }) => {
    const delivery = await waitingDelivery(receiver, fixture);
    expect(await fixture.switchOff()).toBe('done');
    await expectEnded(fixture, delivery);
    await fixture.record(delivery, 'deactivated-while-waiting');
  });

  test('stays ended when its subscription is active again', async ({ receiver, fixture }) => {
    const delivery = await waitingDelivery(receiver, fixture);
    await fixture.switchOff();
    expect(await fixture.switchOn()).toBe('done');
    await expectEnded(fixture, delivery);
    await fixture.record(delivery, 'reactivated-while-waiting');
  });

  test('ends at once when its subscription is deleted', async ({ receiver, fixture }) => {
    const delivery = await waitingDelivery(receiver, fixture);
    await fixture.remove();
    await expectEnded(fixture, delivery);
    await fixture.record(delivery, 'deleted-while-waiting');
  });
});

/** Its subscription is deactivated between its request and this answer. */
async function deactivatedMeanwhile(
  receiver: TestReceiver,
  fixture: DeliveryFixture,
  code: number,
  by: 'the relay' | 'its run',
): Promise<WebhookDelivery> {
  const { held, answer, giveAll } = holding();
  receiver.answerWith(answer);
  const delivery = by === 'the relay' ? await fixture.emit() : await fixture.emitUnsent();
  if (by === 'its run') await fixture.hand(delivery.id, freshSchedule);
  await vi.waitFor(() => expect(held).toHaveLength(1), waiting);
  expect(await fixture.switchOff()).toBe('done');
  expect(await fixture.attemptTexts()).toEqual(['1 under way']);
  giveAll(code);
  return fixture.settled(delivery);
}

describe.each(['the relay', 'its run'] as const)(
  'a delivery whose subscription is deactivated while a request of %s is under way',
  (by) => {
    test('ends when that fails: nothing is sent any more', async ({ receiver, fixture }) => {
      const delivery = await deactivatedMeanwhile(receiver, fixture, 500, by);
      expect(delivery).toMatchObject({ state: 'cancelled', attempts: 2 });
      expect(fixture.requestsOf(delivery)).toHaveLength(1);
      expect(await fixture.attemptTexts()).toEqual([
        '1 http_status 500',
        '2 subscription_inactive',
      ]);
      if (by === 'the relay') {
        // Its batch's run shows it.
        expect(delivery.batchId).not.toBeNull();
        return;
      }
      await fixture.ended(delivery);
      expect((await fixture.timers(delivery)).filter(({ hasFired }) => !hasFired)).toEqual([]);
      await fixture.record(delivery, 'deactivated-then-failed');
    });

    test('is delivered when that succeeds', async ({ receiver, fixture }) => {
      const delivery = await fixture.ended(await deactivatedMeanwhile(receiver, fixture, 200, by));
      expect(delivery).toMatchObject({ state: 'succeeded', attempts: 1 });
      expect(await fixture.attemptTexts()).toEqual(['1 succeeded']);
      if (by === 'its run') await fixture.record(delivery, 'deactivated-then-succeeded');
    });
  },
);
