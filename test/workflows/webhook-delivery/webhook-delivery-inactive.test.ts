import { describe, expect, vi } from 'vitest';
import type { WebhookDelivery } from '../../../db/webhooks/webhook-deliveries.ts';
import {
  createDeliveryStage,
  waiting,
  type DeliveryStage,
} from '../../support/webhooks/delivery.ts';
import {
  holding,
  notForAWhile,
  status,
  type TestReceiver,
} from '../../support/webhooks/receiver.ts';
import { workflowTest } from '../../support/workflow-test.ts';

const test = workflowTest
  .extend('settings', { scope: 'file' }, ({ receiver }) => ({
    WEBHOOK_ALLOWED_ORIGINS: receiver.origin,
    WEBHOOK_RETRY_DELAYS_MS: '50,50,50',
    WEBHOOK_TIMEOUT_MS: '20000',
  }))
  .extend('stage', ({ gateway, receiver }) => createDeliveryStage(gateway, receiver));

test.afterEach(({ receiver }) => {
  receiver.answerWith(status(200));
});

/** A delivery that has failed once and waits for long. */
async function waitingDelivery(
  receiver: TestReceiver,
  stage: DeliveryStage,
): Promise<WebhookDelivery> {
  receiver.answerWith(notForAWhile);
  const delivery = await stage.emit();
  await stage.untilWaiting(delivery);
  receiver.answerWith(status(200));
  return delivery;
}

/** It was ended by the record at once; the run follows without a request, and its timer is no more. */
async function expectEnded(stage: DeliveryStage, delivery: WebhookDelivery): Promise<void> {
  expect(await stage.stored(delivery.id)).toMatchObject({ state: 'cancelled', attempts: 2 });
  expect(await stage.told()).toEqual(['1 http_status 503', '2 subscription_inactive']);
  expect((await stage.attempts()).at(-1)).toMatchObject({
    succeeded: false,
    sentAt: null,
    httpStatus: null,
  });
  expect((await stage.ended(delivery)).state).toBe('cancelled');
  expect(await stage.timers(delivery)).toMatchObject([{ hasFired: false, isCanceled: true }]);
  expect(stage.requestsOf(delivery)).toHaveLength(1);
  expect(await stage.told()).toHaveLength(2);
}

describe('a delivery that waits', () => {
  test('ends without a request as soon as its subscription is deactivated', async ({
    receiver,
    stage,
  }) => {
    const delivery = await waitingDelivery(receiver, stage);
    expect(await stage.switchOff()).toBe('done');
    await expectEnded(stage, delivery);
    await stage.record(delivery, 'deactivated-while-waiting');
  });

  test('stays ended when its subscription is active again', async ({ receiver, stage }) => {
    const delivery = await waitingDelivery(receiver, stage);
    await stage.switchOff();
    expect(await stage.switchOn()).toBe('done');
    await expectEnded(stage, delivery);
    await stage.record(delivery, 'reactivated-while-waiting');
  });

  test('ends without a request as soon as its subscription is deleted', async ({
    receiver,
    stage,
  }) => {
    const delivery = await waitingDelivery(receiver, stage);
    await stage.remove();
    await expectEnded(stage, delivery);
    await stage.record(delivery, 'deleted-while-waiting');
  });

  test('ends with the subscription when another delivery is answered 410', async ({
    receiver,
    stage,
  }) => {
    const delivery = await waitingDelivery(receiver, stage);
    receiver.answerWith(status(410));
    const gone = await stage.emit();
    expect((await stage.ended(gone)).state).toBe('deadLettered');
    expect((await stage.ended(delivery)).state).toBe('cancelled');
    expect(stage.requestsOf(delivery)).toHaveLength(1);
  });
});

/** Its subscription is deactivated between its request and this answer. */
async function deactivatedMeanwhile(
  receiver: TestReceiver,
  stage: DeliveryStage,
  code: number,
): Promise<WebhookDelivery> {
  const { held, answer, giveAll } = holding();
  receiver.answerWith(answer);
  const delivery = await stage.emit();
  await vi.waitFor(() => expect(held).toHaveLength(1), waiting);
  expect(await stage.switchOff()).toBe('done');
  expect(await stage.told()).toEqual(['1 under way']);
  giveAll(code);
  return stage.ended(delivery);
}

describe('a delivery whose subscription is deactivated while its request is under way', () => {
  test('ends when that fails: nothing is sent any more', async ({ receiver, stage }) => {
    const delivery = await deactivatedMeanwhile(receiver, stage, 500);
    expect(delivery).toMatchObject({ state: 'cancelled', attempts: 2 });
    expect(stage.requestsOf(delivery)).toHaveLength(1);
    expect(await stage.told()).toEqual(['1 http_status 500', '2 subscription_inactive']);
    expect(await stage.timers(delivery)).toEqual([]);
    await stage.record(delivery, 'deactivated-then-failed');
  });

  test('is delivered when that succeeds', async ({ receiver, stage }) => {
    const delivery = await deactivatedMeanwhile(receiver, stage, 200);
    expect(delivery).toMatchObject({ state: 'succeeded', attempts: 1 });
    expect(await stage.told()).toEqual(['1 succeeded']);
    await stage.record(delivery, 'deactivated-then-succeeded');
  });
});
