import { expect, vi } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { beginAttempts } from '../../../db/webhooks/attempts/begin-attempts.ts';
import { createDeliveryBatch } from '../../support/webhooks/delivery-batch.ts';
import type { WebhookDelivery } from '../../../db/webhooks/webhook-deliveries.ts';
import { createMessageHandler } from '../../../temporal/message-handler.ts';
import { webhookDeliveryBatchId } from '../../../workflows/ids.ts';
import type {
  BatchContent,
  BatchProgress,
} from '../../../workflows/webhooks/webhook-delivery-batch-messages.ts';
import {
  createDeliveryFixture,
  deliveriesOf,
  waiting,
  type DeliveryFixture,
} from '../../support/webhooks/delivery.ts';
import { type TestGateway } from '../../support/gateway/gateway.ts';
import { replayRun } from '../../support/history.ts';
import { startHookedWorker } from '../../support/webhooks/hooked-worker.ts';
import { holding, status } from '../../support/webhooks/receiver.ts';
import { deliveryRestartTest } from '../../support/webhooks/delivery-test.ts';

const test = deliveryRestartTest({
  WEBHOOK_RETRY_DELAYS_MS: '50,50',
  WEBHOOK_HOST_CONCURRENCY: '2',
}).extend('batchId', () => uuidv7());

const deliveries = (
  gateway: TestGateway,
  fixture: DeliveryFixture,
): Promise<readonly WebhookDelivery[]> => deliveriesOf(gateway.sql, fixture.vendorId);
const run = (gateway: TestGateway, batchId: string) =>
  gateway.client.workflow.getHandle(webhookDeliveryBatchId(batchId));
const result = async (gateway: TestGateway, batchId: string): Promise<BatchProgress> => {
  await vi.waitFor(() => run(gateway, batchId).describe(), waiting);
  const { members: _members, ...progress } = (await run(gateway, batchId).result()) as BatchContent;
  return progress;
};
const group = (gateway: TestGateway, batchId: string) =>
  createDeliveryBatch(gateway.sql, { batchId, max: 500 });
const begin = (gateway: TestGateway, batchId: string, deliveryId: string) =>
  beginAttempts(gateway.sql, [{ deliveryId, after: 0, batchId }]);

/** Hands Temporal the batch's message past the relay. */
const hand = (gateway: TestGateway, batchId: string, size: number): Promise<void> => {
  const {
    TEMPORAL_TASK_QUEUE: taskQueue,
    WEBHOOK_RETRY_DELAYS_MS,
    WEBHOOK_TIMEOUT_MS,
  } = gateway.config;
  const settings = {
    taskQueue,
    retryDelaysMs: WEBHOOK_RETRY_DELAYS_MS,
    timeoutMs: WEBHOOK_TIMEOUT_MS,
  };
  return createMessageHandler(
    gateway.relayClient,
    settings,
  )({ kind: 'webhookDeliveryBatch', subjectId: batchId, payload: { size } });
};

test('repeats only lost attempts after a kill', async ({ gateway, fixture, batchId }) => {
  await fixture.emitMany(8);
  expect(await group(gateway, batchId)).toBe(8);
  const all = await deliveries(gateway, fixture);
  const lost = all.slice(0, 3);
  for (const { id } of lost) expect(await begin(gateway, batchId, id)).toHaveLength(1);
  await gateway.startWorker();

  expect(await result(gateway, batchId)).toEqual({ succeeded: 8, moved: 0, ended: 0, left: 0 });
  for (const delivery of await deliveries(gateway, fixture)) {
    const wasLost = lost.some(({ id }) => id === delivery.id);
    expect(delivery).toMatchObject({ state: 'succeeded', attempts: wasLost ? 2 : 1, batchId });
    expect(fixture.requestsOf(delivery)).toHaveLength(1);
  }
  expect((await fixture.attemptTexts()).filter((line) => line === '1 worker_lost')).toHaveLength(3);
  await fixture.recordBatch(batchId, 'worker-lost');
});

test('uses up no schedule by a lost attempt', async ({ receiver, gateway, fixture, batchId }) => {
  receiver.answerWith(status(500));
  await fixture.emitMany(1);
  expect(await group(gateway, batchId)).toBe(1);
  const [delivery] = await deliveries(gateway, fixture);
  if (delivery === undefined) throw new Error('no delivery');
  await begin(gateway, batchId, delivery.id);
  await gateway.startWorker();
  expect(await result(gateway, batchId)).toMatchObject({ moved: 1 });
  await fixture.untilOutboxIsEmpty();
  expect(await fixture.ended(delivery)).toMatchObject({ state: 'deadLettered', attempts: 4 });
  expect(await fixture.attemptTexts()).toEqual([
    '1 worker_lost',
    '2 http_status 500',
    '3 http_status 500',
    '4 http_status 500',
  ]);
});

test('skips members that ended meanwhile', async ({ receiver, gateway, fixture, batchId }) => {
  const other = await createDeliveryFixture(gateway, receiver);
  await fixture.emitMany(4);
  await other.emitMany(3);
  expect(await group(gateway, batchId)).toBe(7);
  await other.switchOff();
  await gateway.startWorker();

  expect(await result(gateway, batchId)).toEqual({ succeeded: 4, moved: 0, ended: 3, left: 0 });
  for (const delivery of await deliveriesOf(gateway.sql, other.vendorId)) {
    expect(delivery).toMatchObject({ state: 'cancelled', attempts: 1 });
    expect(other.requestsOf(delivery)).toEqual([]);
  }
});

test('sends none that ended while it waited', async ({ receiver, gateway, fixture, batchId }) => {
  const { held, answer, giveAll } = holding();
  receiver.answerWith(answer);
  await fixture.emitMany(6);
  expect(await group(gateway, batchId)).toBe(6);
  await gateway.startWorker();
  await vi.waitFor(() => expect(held).toHaveLength(2), waiting);
  await fixture.switchOff();
  giveAll(200);
  expect(await result(gateway, batchId)).toEqual({ succeeded: 2, moved: 0, ended: 4, left: 0 });
  const all = await deliveries(gateway, fixture);
  expect(all.map(({ state }) => state).toSorted()).toEqual([
    ...Array.from({ length: 4 }, () => 'cancelled'),
    ...Array.from({ length: 2 }, () => 'succeeded'),
  ]);
  expect(all.flatMap((delivery) => fixture.requestsOf(delivery))).toHaveLength(2);
});

test('sends nothing twice by a repeated message', async ({ gateway, fixture, batchId }) => {
  await fixture.emitMany(5);
  await group(gateway, batchId);
  await gateway.startWorker();
  await hand(gateway, batchId, 5);
  expect(await result(gateway, batchId)).toMatchObject({ succeeded: 5 });
  await hand(gateway, batchId, 5);
  expect(await result(gateway, batchId)).toMatchObject({ left: 0 });
  for (const delivery of await deliveries(gateway, fixture))
    expect(fixture.requestsOf(delivery)).toHaveLength(1);
});

test('makes the passes that its receivers need', async ({ gateway, fixture, batchId }) => {
  const passes = [
    { succeeded: 300, moved: 2, ended: 0, left: 198 },
    { succeeded: 300, moved: 2, ended: 1, left: 197 },
    { succeeded: 497, moved: 2, ended: 1, left: 0 },
  ];
  const worker = await startHookedWorker(gateway, () => ({
    readBatchProgress: () => Promise.resolve({ succeeded: 0, moved: 0, ended: 0, left: 500 }),
    deliverBatch: () =>
      Promise.resolve(passes.shift() ?? { succeeded: 0, moved: 0, ended: 0, left: 0 }),
  }));
  try {
    await hand(gateway, batchId, 500);
    expect(await result(gateway, batchId)).toEqual({
      succeeded: 497,
      moved: 2,
      ended: 1,
      left: 0,
    });
    expect(passes).toEqual([]);
    await replayRun(gateway.client, webhookDeliveryBatchId(batchId));
    await fixture.recordBatch(batchId, 'several-passes');
  } finally {
    await worker.stop();
  }
});

test('repeats a pass after a fault of the gateway', async ({ gateway, fixture, batchId }) => {
  let isFirst = true;
  const worker = await startHookedWorker(gateway, ({ deliverBatch }) => ({
    deliverBatch: async (input) => {
      const pass = await deliverBatch(input);
      if (!isFirst) return pass;
      isFirst = false;
      throw new Error('the answer was lost');
    },
  }));
  try {
    await fixture.emitMany(4);
    await group(gateway, batchId);
    await gateway.sql`delete from outbox`;
    await hand(gateway, batchId, 4);
    expect(await result(gateway, batchId)).toMatchObject({ left: 0 });
    for (const delivery of await deliveries(gateway, fixture)) {
      expect(delivery.state).toBe('succeeded');
      expect(fixture.requestsOf(delivery)).toHaveLength(1);
    }
  } finally {
    await worker.stop();
  }
});
