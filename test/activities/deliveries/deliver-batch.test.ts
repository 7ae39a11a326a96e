import { expect, vi } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { createBatchActivities } from '../../../activities/deliveries/deliver-batch.ts';
import { attemptTexts } from '../../db/webhooks/delivery-rows.ts';
import { createDeliveryBatch } from '../../support/webhooks/delivery-batch.ts';
import { holding, status } from '../../support/webhooks/receiver.ts';
import {
  fillHost,
  inStep,
  pipelineTest,
  stepEnvironment,
  watched,
} from './delivery-pipeline-fixture.ts';

const hostConcurrencyMax = 3;
const waiting = { timeout: 20_000 };
const none = { succeeded: 0, moved: 0, ended: 0, left: 0 };

const test = pipelineTest
  .extend('hostConcurrencyMax', { scope: 'file' }, () => hostConcurrencyMax)
  .extend('batch', async ({ testPipeline }) => {
    const { sql, receiver, seed } = testPipeline;
    await sql`delete from outbox`;
    receiver.answerWith(status(200));
    const batchId = uuidv7();
    /** Puts so many deliveries into the batch, with all that wait already. */
    const fill = async (count: number, url?: string) => {
      const seeded = await seed(count, url);
      await createDeliveryBatch(sql, { batchId, max: 500 });
      return seeded;
    };
    const pass = (pipeline = testPipeline.pipeline, environment = stepEnvironment()) => {
      const input = { batchId, size: 0, retryDelayMs: null, timeoutMs: 60_000 };
      return inStep(() => createBatchActivities(pipeline).deliverBatch(input), environment);
    };
    const texts = async (ids: readonly string[]) =>
      (await Promise.all(ids.map((id) => attemptTexts(sql, id)))).flat();
    return { batchId, fill, pass, texts };
  });

test('moves a dead letter without a second attempt', async ({ testPipeline, batch }) => {
  await batch.fill(2);
  testPipeline.receiver.answerWith(status(500));
  expect(await batch.pass()).toEqual({ ...none, moved: 2 });
});

test('delays no other host while one does not respond', async ({ testPipeline, batch }) => {
  await testPipeline.seed(9);
  const quick = await batch.fill(20, 'http://localhost/hook');
  const { held, answer, giveAll } = holding();
  testPipeline.receiver.answerWith(answer);
  const passing = batch.pass();
  await vi.waitFor(async () => {
    // Nothing is sent to it, since the guardrail lets only the other through; what counts is that
    // it had its turn.
    const blocked = quick.deliveryIds.map(() => '1 destination_blocked');
    expect(await batch.texts(quick.deliveryIds)).toEqual(blocked);
  }, waiting);
  expect(held).toHaveLength(hostConcurrencyMax);
  testPipeline.receiver.answerWith(status(200));
  giveAll(200);
  expect(await passing).toEqual({ ...none, succeeded: 9, moved: 20 });
});

test('finishes the attempts under way when its worker stops', async ({ testPipeline, batch }) => {
  const { deliveryIds } = await batch.fill(10);
  const { held, answer, giveAll } = holding();
  testPipeline.receiver.answerWith(answer);
  const environment = stepEnvironment();
  const passing = batch.pass(testPipeline.pipeline, environment);
  await vi.waitFor(() => expect(held).toHaveLength(hostConcurrencyMax), waiting);
  environment.cancel('WORKER_SHUTDOWN');
  giveAll(200);
  const [succeeded, left] = [hostConcurrencyMax, 10 - hostConcurrencyMax];
  expect(await passing).toEqual({ ...none, succeeded, left });
  const made = Array.from({ length: succeeded }, () => '1 succeeded');
  expect(await batch.texts(deliveryIds)).toEqual(made);
});

test('attempts each member once, also after a fault', async ({ testPipeline, batch }) => {
  const { deliveryIds } = await batch.fill(4);
  const { receiver, pipeline: whole } = testPipeline;
  const before = receiver.requests.length;
  const { sender } = whole;
  let sends = 0;
  const send: typeof sender.send = (request) =>
    (sends += 1) === 2 ? Promise.reject(new Error('EMFILE')) : sender.send(request);
  const pipeline = { ...whole, sender: { ...sender, send } };
  await expect(batch.pass(pipeline)).rejects.toThrow('EMFILE');
  for (let passes = 0; passes < 2; passes += 1)
    expect(await batch.pass()).toEqual({ ...none, succeeded: 4 });
  expect(receiver.requests.length - before).toBe(4);
  expect(await batch.texts(deliveryIds)).toEqual(deliveryIds.map(() => '1 succeeded'));
});

test('leaves an attempt to the next pass if its host changes', async ({ testPipeline, batch }) => {
  const { sql, receiver } = testPipeline;
  const { vendorId, subscriptionId, deliveryIds } = await batch.fill(2);
  const old = 'https://old.example.org/hook';
  const moveTo = (url: string) =>
    sql`update webhook_subscriptions set url = ${url} where id = ${subscriptionId}`;
  await moveTo(old);
  const { pipeline, asked } = watched(testPipeline.pipeline);
  const fillOld = () => fillHost(pipeline, { vendorId, url: old }, hostConcurrencyMax);
  const freeOld = fillOld();
  const passing = batch.pass(pipeline);
  await vi.waitFor(() => expect(asked()).toBe(2), 20_000);
  await moveTo(receiver.url);
  const before = receiver.requests.length;
  freeOld();
  expect(await passing).toEqual({ ...none, left: 2 });
  expect(await batch.texts(deliveryIds)).toEqual([]);
  expect(pipeline.recent.taken()).toBe(0);
  fillOld()();
  const freeNew = fillHost(pipeline, { vendorId, url: receiver.url }, hostConcurrencyMax);
  const next = batch.pass(pipeline);
  await vi.waitFor(() => expect(asked()).toBe(4), 20_000);
  expect(receiver.requests.length).toBe(before);
  freeNew();
  expect(await next).toEqual({ ...none, succeeded: 2 });
});
