import { expect, vi } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { receiverOf } from '../../../activities/deliveries/acquire-attempt.ts';
import { createBatchActivities } from '../../../activities/deliveries/deliver-batch.ts';
import type { DeliveryPipeline } from '../../../activities/deliveries/delivery-pipeline.ts';
import { createDeliveryBatch } from '../../support/webhooks/delivery-batch.ts';
import { attemptTexts } from '../../db/webhooks/delivery-rows.ts';
import {
  inStep,
  stepEnvironment,
  pipelineTest,
  watched,
  type Seeded,
  type TestPipeline,
} from './delivery-pipeline-fixture.ts';

const hostConcurrencyMax = 3;
const waiting = { timeout: 20_000 };

const test = pipelineTest.extend('hostConcurrencyMax', { scope: 'file' }, () => hostConcurrencyMax);

test.beforeEach(async ({ testPipeline }) => {
  await testPipeline.sql`delete from outbox`;
  testPipeline.receiver.answerWith((response) => response.end());
});

/** So many deliveries in one batch. */
async function batched(
  testPipeline: TestPipeline,
  count: number,
): Promise<Seeded & { readonly batchId: string }> {
  const seeded = await testPipeline.seed(count);
  const batchId = uuidv7();
  await createDeliveryBatch(testPipeline.sql, { batchId, max: 500 });
  return { ...seeded, batchId };
}
const pass = (
  testPipeline: TestPipeline,
  batchId: string,
  environment = stepEnvironment(),
  pipeline: DeliveryPipeline = testPipeline.pipeline,
  retryDelayMs: number | null = 5000,
) => {
  const input = { batchId, size: 0, retryDelayMs, timeoutMs: 5000 };
  return inStep(() => createBatchActivities(pipeline).deliverBatch(input), environment);
};
const none = { succeeded: 0, moved: 0, ended: 0, left: 0 };

test('attempts each member once, also in a second pass', async ({ testPipeline }) => {
  const before = testPipeline.receiver.requests.length;
  const { batchId, deliveryIds } = await batched(testPipeline, 20);
  expect(await pass(testPipeline, batchId)).toEqual({ ...none, succeeded: 20 });
  expect(await pass(testPipeline, batchId)).toEqual({ ...none, succeeded: 20 });
  expect(testPipeline.receiver.requests.length - before).toBe(20);
  for (const id of deliveryIds)
    expect(await attemptTexts(testPipeline.sql, id)).toEqual(['1 succeeded']);
});

test('moves a dead letter without a second attempt', async ({ testPipeline }) => {
  const { batchId } = await batched(testPipeline, 2);
  testPipeline.receiver.answerWith((response) => response.writeHead(500).end());
  expect(await pass(testPipeline, batchId, undefined, undefined, null)).toEqual({
    ...none,
    moved: 2,
  });
});

test('a host that does not answer delays no other host of the batch', async ({ testPipeline }) => {
  const [slow, quick] = [
    await testPipeline.seed(9),
    await testPipeline.seed(20, 'http://localhost/hook'),
  ];
  const batchId = uuidv7();
  await createDeliveryBatch(testPipeline.sql, { batchId, max: 500 });
  const held: (() => void)[] = [];
  let isSlow = true;
  testPipeline.receiver.answerWith((response) => {
    if (isSlow) held.push(() => response.end());
    else response.end();
  });
  const passing = pass(testPipeline, batchId);
  await vi.waitFor(async () => {
    const attempts = await Promise.all(
      quick.deliveryIds.map((id) => attemptTexts(testPipeline.sql, id)),
    );
    // Nothing is sent to it, since the guardrail lets only the other through; what counts is that
    // it had its turn.
    expect(attempts.flat()).toEqual(quick.deliveryIds.map(() => '1 destination_blocked'));
  }, waiting);
  expect(held).toHaveLength(hostConcurrencyMax);
  isSlow = false;
  for (const answer of held) answer();
  expect(await passing).toEqual({ ...none, succeeded: slow.deliveryIds.length, moved: 20 });
});

test('finishes what is under way when its worker stops', async ({ testPipeline }) => {
  const { batchId, deliveryIds } = await batched(testPipeline, 10);
  const held: (() => void)[] = [];
  testPipeline.receiver.answerWith((response) => {
    held.push(() => response.end());
  });
  const environment = stepEnvironment();
  const passing = pass(testPipeline, batchId, environment);
  await vi.waitFor(() => expect(held).toHaveLength(hostConcurrencyMax), waiting);
  environment.cancel('WORKER_SHUTDOWN');
  for (const answer of held) answer();
  expect(await passing).toEqual({
    ...none,
    succeeded: hostConcurrencyMax,
    left: 10 - hostConcurrencyMax,
  });
  const attempts = await Promise.all(deliveryIds.map((id) => attemptTexts(testPipeline.sql, id)));
  expect(attempts.flat()).toEqual(Array.from({ length: hostConcurrencyMax }, () => '1 succeeded'));
});

test('uses up no attempt by a fault of the gateway', async ({ testPipeline }) => {
  const { batchId, deliveryIds } = await batched(testPipeline, 4);
  const { sender } = testPipeline.pipeline;
  let sends = 0;
  const faulty: DeliveryPipeline['sender'] = {
    ...sender,
    send: (request) => {
      sends += 1;
      return sends === 2 ? Promise.reject(new Error('EMFILE')) : sender.send(request);
    },
  };
  await expect(
    pass(testPipeline, batchId, undefined, { ...testPipeline.pipeline, sender: faulty }),
  ).rejects.toThrow('EMFILE');
  expect(await pass(testPipeline, batchId)).toEqual({ ...none, succeeded: 4 });
  for (const id of deliveryIds)
    expect(await attemptTexts(testPipeline.sql, id)).toEqual(['1 succeeded']);
});

test('takes a slot of the current host after a move', async ({ testPipeline }) => {
  const { batchId, subscriptionId, vendorId } = await batched(testPipeline, 2);
  const old = 'https://old.example.org/hook';
  await testPipeline.sql`
    update webhook_subscriptions set url = ${old} where id = ${subscriptionId}`;
  const blockers = Array.from({ length: hostConcurrencyMax }, () =>
    testPipeline.pipeline.slots.tryTake(receiverOf({ vendorId, url: old })),
  );
  const { pipeline, asked } = watched(testPipeline.pipeline);
  const passing = pass(testPipeline, batchId, undefined, pipeline);
  // Both wait for the old host's turn; then the subscription moves to one that is full.
  await vi.waitFor(() => expect(asked()).toBe(2));
  await testPipeline.sql`update webhook_subscriptions set url = ${testPipeline.receiver.url}
    where id = ${subscriptionId}`;
  const full = Array.from({ length: hostConcurrencyMax }, () =>
    testPipeline.pipeline.slots.tryTake(receiverOf({ vendorId, url: testPipeline.receiver.url })),
  );
  let sentWhileFull = 0;
  let isFull = true;
  testPipeline.receiver.answerWith((response) => {
    if (isFull) sentWhileFull += 1;
    response.end();
  });
  for (const release of blockers) release?.();
  await Promise.race([
    passing,
    vi.waitFor(async () => {
      const [row] = await testPipeline.sql<[{ count: number }]>`
        select count(*)::int as count from webhook_deliveries where batch_id = ${batchId}
          and attempts > 0`;
      expect(row.count).toBe(2);
    }),
  ]).catch(() => undefined);
  isFull = false;
  for (const release of full) release?.();
  await passing;
  expect(sentWhileFull).toBe(0);
});
