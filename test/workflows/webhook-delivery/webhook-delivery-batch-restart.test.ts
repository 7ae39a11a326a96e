import { expect, vi } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { beginAttempts } from '../../../db/webhooks/attempts/begin-attempts.ts';
import { webhookDeliveryBatchId } from '../../../workflows/ids.ts';
import { handOver } from '../../support/gateway/runs.ts';
import { replayRun } from '../../support/history.ts';
import { deliveriesOf, waiting } from '../../support/webhooks/delivery.ts';
import { createDeliveryBatch } from '../../support/webhooks/delivery-batch.ts';
import { deliveryRestartTest } from '../../support/webhooks/delivery-test.ts';
import { holding, status } from '../../support/webhooks/receiver.ts';

const none = { succeeded: 0, moved: 0, ended: 0, left: 0 };

/** Gives each test a `batch` of deliveries, which waits until a worker starts. */
const test = deliveryRestartTest({
  WEBHOOK_RETRY_DELAYS_MS: '50,50',
  WEBHOOK_HOST_CONCURRENCY: '2',
}).extend('batch', ({ gateway, fixture }) => {
  const { sql } = gateway;
  const batchId = uuidv7();
  return {
    id: batchId,
    fill: async (count: number) => {
      await fixture.emitMany(count);
      expect(await createDeliveryBatch(sql, { batchId, max: 500 })).toBe(count);
    },
    deliveries: () => deliveriesOf(sql, fixture.vendorId),
    /** Begins an attempt, as a worker does that is killed right after. */
    begin: async (deliveryId: string) =>
      expect(await beginAttempts(sql, [{ deliveryId, after: 0, batchId }])).toHaveLength(1),
    result: async () => {
      const { members: _members, ...progress } = await fixture.batchResult(batchId);
      return progress;
    },
    /** Hands Temporal the batch's message past the relay. */
    hand: (size: number) =>
      handOver(gateway, { kind: 'webhookDeliveryBatch', subjectId: batchId, payload: { size } }),
  };
});

test('repeats only lost attempts after a kill', async ({ gateway, fixture, batch }) => {
  await batch.fill(8);
  const lost = (await batch.deliveries()).slice(0, 3).map(({ id }) => id);
  for (const id of lost) await batch.begin(id);
  await gateway.startWorker();

  expect(await batch.result()).toEqual({ ...none, succeeded: 8 });
  for (const delivery of await batch.deliveries()) {
    const attempts = lost.includes(delivery.id) ? 2 : 1;
    expect(delivery).toMatchObject({ state: 'succeeded', attempts, batchId: batch.id });
    expect(fixture.requestsOf(delivery)).toHaveLength(1);
  }
  expect((await fixture.attemptTexts()).filter((line) => line === '1 worker_lost')).toHaveLength(3);
  await fixture.recordBatch(batch.id, 'worker-lost');
});

test('counts no lost attempt in the schedule', async ({ receiver, gateway, fixture, batch }) => {
  receiver.answerWith(status(500));
  await batch.fill(1);
  const [delivery = expect.unreachable()] = await batch.deliveries();
  await batch.begin(delivery.id);
  await gateway.startWorker();
  expect(await batch.result()).toMatchObject({ moved: 1 });
  await fixture.untilOutboxIsEmpty();
  expect(await fixture.ended(delivery)).toMatchObject({ state: 'deadLettered', attempts: 4 });
  const failures = [2, 3, 4].map((number) => `${number} http_status 500`);
  expect(await fixture.attemptTexts()).toEqual(['1 worker_lost', ...failures]);
});

test('sends none that ended while it waited', async ({ receiver, gateway, fixture, batch }) => {
  const { held, answer, giveAll } = holding();
  receiver.answerWith(answer);
  await batch.fill(6);
  await gateway.startWorker();
  await vi.waitFor(() => expect(held).toHaveLength(2), waiting);
  await fixture.switchOff();
  giveAll(200);
  expect(await batch.result()).toEqual({ ...none, succeeded: 2, ended: 4 });
  for (const delivery of await batch.deliveries()) {
    const requests = delivery.state === 'succeeded' ? 1 : 0;
    expect(fixture.requestsOf(delivery)).toHaveLength(requests);
  }
});

test('sends nothing twice by a repeated message', async ({ gateway, fixture, batch }) => {
  await batch.fill(5);
  await gateway.startWorker();
  await batch.hand(5);
  expect(await batch.result()).toMatchObject({ succeeded: 5 });
  await batch.hand(5);
  expect(await batch.result()).toMatchObject({ left: 0 });
  for (const delivery of await batch.deliveries())
    expect(fixture.requestsOf(delivery)).toHaveLength(1);
});

test('makes the passes that its receivers need, also after a fault', async ({
  gateway,
  fixture,
  batch,
  startHookedWorker,
}) => {
  const last = { succeeded: 497, moved: 2, ended: 1, left: 0 };
  const passes = [
    { succeeded: 300, moved: 2, ended: 0, left: 198 },
    { succeeded: 300, moved: 2, ended: 1, left: 197 },
    last,
  ];
  let calls = 0;
  await startHookedWorker(() => ({
    readBatchProgress: () => Promise.resolve({ ...none, left: 500 }),
    deliverBatch: () => {
      calls += 1;
      return calls === 2
        ? Promise.reject(new Error('lost'))
        : Promise.resolve(passes.shift() ?? none);
    },
  }));
  await batch.hand(500);
  expect(await batch.result()).toEqual(last);
  expect(passes).toEqual([]);
  await replayRun(gateway.client, webhookDeliveryBatchId(batch.id));
  await fixture.recordBatch(batch.id, 'several-passes');
});
