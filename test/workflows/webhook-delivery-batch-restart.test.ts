import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { beginAttempts } from '../../db/webhooks/begin-attempts.ts';
import { createDeliveryBatch } from '../../db/webhooks/delivery-batches.ts';
import type { WebhookDelivery } from '../../db/webhooks/webhook-deliveries.ts';
import { createMessageHandler } from '../../temporal/message-handler.ts';
import { webhookDeliveryBatchId } from '../../workflows/ids.ts';
import {
  createDeliveryStage,
  deliveriesOf,
  waiting,
  type DeliveryStage,
} from '../support/delivery.ts';
import { createTestGateway, type TestGateway } from '../support/gateway.ts';
import { replayRun } from '../support/history.ts';
import { startHookedWorker } from '../support/hooked-worker.ts';
import { holding, startTestReceiver, status, type TestReceiver } from '../support/receiver.ts';

let receiver: TestReceiver;
let gateway: TestGateway;
let stage: DeliveryStage;
let batchId: string;

beforeAll(async () => {
  receiver = await startTestReceiver();
});
beforeEach(async () => {
  gateway = await createTestGateway({
    WEBHOOK_ALLOWED_ORIGINS: receiver.origin,
    WEBHOOK_RETRY_DELAYS_MS: '50,50',
    WEBHOOK_HOST_CONCURRENCY: '2',
  });
  stage = await createDeliveryStage(gateway, receiver);
  batchId = uuidv7();
});
afterEach(async () => {
  receiver.answerWith(status(200));
  await gateway.stop();
});
afterAll(() => receiver.close());

const deliveries = (): Promise<readonly WebhookDelivery[]> =>
  deliveriesOf(gateway.sql, stage.vendorId);
const run = () => gateway.client.workflow.getHandle(webhookDeliveryBatchId(batchId));
const result = async (): Promise<unknown> => {
  await vi.waitFor(() => run().describe(), waiting);
  return run().result();
};
const group = () => createDeliveryBatch(gateway.sql, { batchId, max: 500 });
const begin = (deliveryId: string) =>
  beginAttempts(gateway.sql, [{ deliveryId, after: 0, batchId }]);

/** Hands Temporal the dispatch's message past the relay. */
const hand = (size: number): Promise<void> => {
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

test('a dispatch whose worker was killed goes on: what was lost is made again, and what has a result is not', async () => {
  await stage.emitMany(8);
  expect(await group()).toBe(8);
  const all = await deliveries();
  const lost = all.slice(0, 3);
  for (const { id } of lost) expect(await begin(id)).toHaveLength(1);
  await gateway.startWorker();

  expect(await result()).toEqual({ succeeded: 8, retrying: 0, ended: 0, left: 0 });
  for (const delivery of await deliveries()) {
    const wasLost = lost.some(({ id }) => id === delivery.id);
    expect(delivery).toMatchObject({ state: 'succeeded', attempts: wasLost ? 2 : 1, batchId });
    expect(stage.requestsOf(delivery)).toHaveLength(1);
  }
  expect((await stage.told()).filter((line) => line === '1 worker_lost')).toHaveLength(3);
  await stage.recordDispatch(batchId, 'worker-lost');
});

test('an attempt of a dispatch that was lost uses up none of the delivery’s schedule', async () => {
  receiver.answerWith(status(500));
  await stage.emitMany(1);
  expect(await group()).toBe(1);
  const [delivery] = await deliveries();
  if (delivery === undefined) throw new Error('no delivery');
  await begin(delivery.id);
  await gateway.startWorker();
  expect(await result()).toMatchObject({ retrying: 1 });
  await stage.untilOutboxIsEmpty();
  expect(await stage.ended(delivery)).toMatchObject({ state: 'deadLettered', attempts: 4 });
  expect(await stage.told()).toEqual([
    '1 worker_lost',
    '2 http_status 500',
    '3 http_status 500',
    '4 http_status 500',
  ]);
});

test('deliveries of a dispatch that were ended meanwhile are skipped', async () => {
  const other = await createDeliveryStage(gateway, receiver);
  await stage.emitMany(4);
  await other.emitMany(3);
  expect(await group()).toBe(7);
  await other.switchOff();
  await gateway.startWorker();

  expect(await result()).toEqual({ succeeded: 4, retrying: 0, ended: 3, left: 0 });
  for (const delivery of await deliveriesOf(gateway.sql, other.vendorId)) {
    expect(delivery).toMatchObject({ state: 'cancelled', attempts: 1 });
    expect(other.requestsOf(delivery)).toEqual([]);
  }
});

test('deliveries that are ended while they wait for their receiver’s turn are not sent', async () => {
  const { held, answer, giveAll } = holding();
  receiver.answerWith(answer);
  await stage.emitMany(6);
  expect(await group()).toBe(6);
  await gateway.startWorker();
  await vi.waitFor(() => expect(held).toHaveLength(2), waiting);
  await stage.switchOff();
  giveAll(200);
  expect(await result()).toEqual({ succeeded: 2, retrying: 0, ended: 4, left: 0 });
  const all = await deliveries();
  expect(all.map(({ state }) => state).toSorted()).toEqual([
    ...Array.from({ length: 4 }, () => 'cancelled'),
    ...Array.from({ length: 2 }, () => 'succeeded'),
  ]);
  expect(all.flatMap((delivery) => stage.requestsOf(delivery))).toHaveLength(2);
});

test('a dispatch’s message that comes twice, before and after its end, sends nothing twice', async () => {
  await stage.emitMany(5);
  await group();
  await gateway.startWorker();
  await hand(5);
  expect(await result()).toMatchObject({ succeeded: 5 });
  await hand(5);
  expect(await result()).toMatchObject({ left: 0 });
  for (const delivery of await deliveries()) expect(stage.requestsOf(delivery)).toHaveLength(1);
});

test('a dispatch makes as many passes as its receivers need, and answers how its deliveries stand in the end', async () => {
  const passes = [
    { succeeded: 300, retrying: 2, ended: 0, left: 198 },
    { succeeded: 300, retrying: 2, ended: 1, left: 197 },
    { succeeded: 497, retrying: 2, ended: 1, left: 0 },
  ];
  const worker = await startHookedWorker(gateway, () => ({
    deliverBatch: () =>
      Promise.resolve(passes.shift() ?? { succeeded: 0, retrying: 0, ended: 0, left: 0 }),
  }));
  try {
    await hand(500);
    expect(await result()).toEqual({ succeeded: 497, retrying: 2, ended: 1, left: 0 });
    expect(passes).toEqual([]);
    await replayRun(gateway.client, webhookDeliveryBatchId(batchId));
    await stage.recordDispatch(batchId, 'several-passes');
  } finally {
    await worker.stop();
  }
});

test('a pass that fails by our own fault is made again for those that have no result', async () => {
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
    await stage.emitMany(4);
    await group();
    await gateway.sql`delete from outbox`;
    await hand(4);
    expect(await result()).toMatchObject({ left: 0 });
    for (const delivery of await deliveries()) {
      expect(delivery.state).toBe('succeeded');
      expect(stage.requestsOf(delivery)).toHaveLength(1);
    }
  } finally {
    await worker.stop();
  }
});
