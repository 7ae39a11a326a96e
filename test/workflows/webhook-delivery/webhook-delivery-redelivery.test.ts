import { Webhook } from 'standardwebhooks';
import { describe, expect, vi } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { createDeliveryBatch } from '../../../db/webhooks/delivery-batches.ts';
import { lockDelivery, redeliver } from '../../../db/webhooks/redelivery.ts';
import { switchOffSubscription } from '../../../db/webhooks/subscription-changes.ts';
import {
  createDeliveryStage,
  waiting,
  type DeliveryStage,
} from '../../support/webhooks/delivery.ts';
import { createTestGateway } from '../../support/gateway.ts';
import { startHookedWorker } from '../../support/webhooks/hooked-worker.ts';
import { notForAWhile, status, statuses } from '../../support/webhooks/receiver.ts';
import { workflowTest } from '../../support/workflow-test.ts';

const test = workflowTest
  .extend('settings', { scope: 'file' }, ({ receiver }) => ({
    ...overrides,
    WEBHOOK_ALLOWED_ORIGINS: receiver.origin,
  }))
  .extend('stage', ({ gateway, receiver }) => createDeliveryStage(gateway, receiver));

const overrides = { WEBHOOK_RETRY_DELAYS_MS: '50,50,50', WEBHOOK_TIMEOUT_MS: '20000' };

test.afterEach(({ receiver }) => {
  receiver.answerWith(status(200));
});

const runOf = async (stage: DeliveryStage, id: string): Promise<string> =>
  (await stage.run(id).describe()).runId;

describe('a dead letter that is redelivered', () => {
  test('has a fresh schedule in a run of its own; numbers go on, the key stays', async ({
    receiver,
    stage,
  }) => {
    receiver.answerWith(status(500));
    const dead = await stage.ended(await stage.emit());
    const firstRun = await runOf(stage, dead.id);
    receiver.answerWith(statuses(500, 500, 500));
    await stage.redeliver(dead);
    expect(await stage.stored(dead.id)).toMatchObject({ state: 'waiting', deadLetteredAt: null });
    await stage.untilOutboxIsEmpty();

    const delivery = await stage.ended(dead);

    expect(delivery).toMatchObject({ state: 'succeeded', attempts: 8, eventId: dead.eventId });
    expect(await runOf(stage, dead.id)).not.toBe(firstRun);
    expect((await stage.attempts()).map(({ attemptNumber }) => attemptNumber)).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8,
    ]);
    const requests = stage.requestsOf(delivery);
    expect(requests).toHaveLength(8);
    expect(new Set(requests.map(({ body }) => body)).size).toBe(1);
    for (const { body, headers } of requests) {
      const texts = Object.entries(headers).map(([name, value]) => [name, String(value)] as const);
      new Webhook(stage.subscription.secret).verify(body, Object.fromEntries(texts));
    }
    expect((await stage.timers(delivery)).map(({ summary }) => summary)).toEqual([
      'until attempt 2 of 4',
      'until attempt 3 of 4',
      'until attempt 4 of 4',
    ]);
    await stage.record(delivery, 'redelivered-after-dead-letter');
  });

  test('is dead-lettered again after as many attempts as before', async ({ receiver, stage }) => {
    receiver.answerWith(status(500));
    const dead = await stage.ended(await stage.emit());
    await stage.redeliver(dead);
    await stage.untilOutboxIsEmpty();
    expect(await stage.ended(dead)).toMatchObject({ state: 'deadLettered', attempts: 8 });
  });
});

test('what was delivered is sent once more when it is redelivered, under the same key', async ({
  stage,
}) => {
  const first = await stage.ended(await stage.emit());
  await stage.redeliver(first);
  await stage.untilOutboxIsEmpty();
  const delivery = await stage.ended(first);
  expect(delivery).toMatchObject({ state: 'succeeded', attempts: 2 });
  expect(stage.requestsOf(delivery)).toHaveLength(2);
  await stage.record(delivery, 'redelivered-after-success');
});

test('a redelivery that comes while the run is about to end is made by that run', async ({
  receiver,
}) => {
  const own = await createTestGateway({ ...overrides, WEBHOOK_ALLOWED_ORIGINS: receiver.origin });
  try {
    const stage = await createDeliveryStage(own, receiver);
    receiver.answerWith(statuses(410));
    const emitted = await stage.emitUnsent();
    let isFirst = true;
    const worker = await startHookedWorker(own, (activities) => ({
      attemptDelivery: async (request) => {
        const attempted = await activities.attemptDelivery(request);
        if (!isFirst) return attempted;
        isFirst = false;
        // The record has the end of the delivery, and the run has yet to hear of it.
        expect(await stage.stored(emitted.id)).toMatchObject({ state: 'deadLettered' });
        await stage.switchOn();
        await stage.redeliver(emitted);
        await stage.hand(emitted.id, { signal: 'redeliver', attempts: 1 });
        return attempted;
      },
    }));
    await stage.hand(emitted.id);
    const { runId } = await stage.run(emitted.id).describe();
    const delivery = await stage.ended(emitted);
    expect(delivery).toMatchObject({ state: 'succeeded', attempts: 2 });
    expect((await stage.run(emitted.id).describe()).runId).toBe(runId);
    expect(stage.requestsOf(delivery)).toHaveLength(2);
    await stage.record(delivery, 'redelivered-while-ending');
    await worker.stop();
  } finally {
    await own.stop();
  }
});

test('what ended with its subscription goes on when it is redelivered after the activation', async ({
  receiver,
  stage,
}) => {
  receiver.answerWith(notForAWhile);
  const waitingOne = await stage.emit();
  await stage.untilWaiting(waitingOne);
  receiver.answerWith(status(200));
  await stage.switchOff();
  await stage.switchOn();
  // Its run may not have heard of the end yet: both messages reach it, in either order.
  await stage.redeliver(waitingOne);
  await stage.untilOutboxIsEmpty();
  const delivery = await stage.ended(waitingOne);
  expect(delivery).toMatchObject({ state: 'succeeded', attempts: 3 });
  expect(stage.requestsOf(delivery)).toHaveLength(2);
});

test('a redelivery that fails in a dispatch goes on at its instant, though the run before has yet to hear of its end', async ({
  receiver,
  gateway,
  stage,
}) => {
  receiver.answerWith(notForAWhile);
  const delivery = await stage.emit();
  await stage.untilWaiting(delivery);
  // The news of the end may wait: of such messages the relay hands over a few a second.
  await gateway.sql.begin(async (transaction) => {
    await switchOffSubscription(transaction, stage.vendorId, stage.subscription.id);
    await transaction`delete from outbox where subject_id = ${delivery.id}`;
  });
  await stage.switchOn();
  receiver.answerWith(statuses(500));
  const batchId = uuidv7();
  await gateway.sql.begin(async (transaction) => {
    const locked = await lockDelivery(transaction, { deliveryId: delivery.id });
    if (locked === null) throw new Error('no such delivery');
    await redeliver(transaction, locked);
    expect(await createDeliveryBatch(transaction, { batchId, max: 10 })).toBe(1);
  });
  await vi.waitFor(async () => expect(await stage.attempts()).toHaveLength(3), waiting);
  await stage.untilOutboxIsEmpty();
  await stage.hand(delivery.id, { signal: 'deactivated' });

  await vi.waitFor(
    async () =>
      expect(await stage.told()).toEqual([
        '1 http_status 503',
        '2 subscription_inactive',
        '3 http_status 500',
        '4 succeeded',
      ]),
    waiting,
  );
  expect((await stage.ended(delivery)).state).toBe('succeeded');
});
