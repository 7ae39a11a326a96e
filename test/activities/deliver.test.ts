import { ApplicationFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { expect, vi } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { createDeliveryActivities, type DeliveryActivities } from '../../activities/deliver.ts';
import { createDeliveryBatch } from '../support/webhooks/delivery-batch.ts';
import type { AttemptRequest } from '../../workflows/webhook-delivery-messages.ts';
import { mustBegin, standing, told } from '../db/webhooks/delivery-rows.ts';
import {
  inStep,
  pipelineTest,
  watched,
  type Seeded,
  type TestPipeline,
} from './delivery-pipeline-fixture.ts';

const hostConcurrencyMax = 2;

/** One delivery, the activities that attempt it, and the pipeline below them. */
type Context = {
  readonly testPipeline: TestPipeline;
  readonly activities: DeliveryActivities;
  /** How many attempts have asked to wait for a slot. */
  readonly asked: () => number;
  readonly seeded: Seeded;
  readonly deliveryId: string;
};

const test = pipelineTest
  .extend('hostConcurrencyMax', { scope: 'file' }, () => hostConcurrencyMax)
  .extend('context', async ({ testPipeline }): Promise<Context> => {
    testPipeline.receiver.answerWith((response) => response.end());
    const { pipeline, asked } = watched(testPipeline.pipeline);
    const seeded = await testPipeline.seed(1);
    const [deliveryId = ''] = seeded.deliveryIds;
    return {
      testPipeline,
      activities: createDeliveryActivities(pipeline),
      asked,
      seeded,
      deliveryId,
    };
  });

const attempt = (
  { activities, deliveryId }: Context,
  given: Partial<AttemptRequest> = {},
  environment = new MockActivityEnvironment(),
) => {
  const request = { deliveryId, attemptNumber: 1, retryDelayMs: null, timeoutMs: 5000, ...given };
  return inStep(() => activities.attemptDelivery(request), environment);
};

/** Takes all slots of the receiver's host, which must be free; the answer releases them. */
function fillHost({ pipeline, receiver }: TestPipeline): () => void {
  const { hostname } = new URL(receiver.url);
  const taken = Array.from({ length: hostConcurrencyMax }, () => pipeline.slots.tryTake(hostname));
  expect(taken).not.toContain(null);
  return () => {
    for (const release of taken) release?.();
  };
}

test('a repeated step with a recorded result sends nothing and answers the same', async ({
  context,
}) => {
  const { testPipeline } = context;
  const before = testPipeline.receiver.requests.length;
  const first = await attempt(context);
  expect(await attempt(context)).toMatchObject({
    unrecorded: null,
    outcome: { state: first.outcome.state },
  });
  expect(first.outcome).toMatchObject({ state: 'succeeded', httpStatus: 200, attemptNumber: 1 });
  expect(testPipeline.receiver.requests.length).toBe(before + 1);
});

test('a repeated step without a result sends again, with the next number', async ({ context }) => {
  const { testPipeline, deliveryId } = context;
  await mustBegin(testPipeline.sql, deliveryId);
  expect((await attempt(context)).outcome).toMatchObject({ state: 'succeeded', attemptNumber: 2 });
  expect(await told(testPipeline.sql, deliveryId)).toEqual(['1 worker_lost', '2 succeeded']);
});

test('a result that Postgres did not accept is stored by its own step, without a second request', async ({
  context,
}) => {
  const { testPipeline, activities, deliveryId } = context;
  const { sql, receiver } = testPipeline;
  const before = receiver.requests.length;
  receiver.answerWith((response) => {
    void sql`alter table webhook_attempts rename to hidden`.then(() => response.end());
  });
  const { outcome, unrecorded } = await attempt(context);
  await sql`alter table hidden rename to webhook_attempts`;

  expect(outcome.state).toBe('succeeded');
  expect(await told(sql, deliveryId)).toEqual(['1 under way']);
  if (unrecorded === null) throw new Error('the result was stored, though its table was away');
  await inStep(() => activities.recordDeliveryAttempt(unrecorded));
  const again = await inStep(() => activities.recordDeliveryAttempt(unrecorded));

  expect(again).toMatchObject({ state: 'succeeded', attemptNumber: 1, httpStatus: 200 });
  expect(await told(sql, deliveryId)).toEqual(['1 succeeded']);
  expect(receiver.requests.length).toBe(before + 1);
});

test('the own run of a delivery in a batch does not attempt it, and the answer says so', async ({
  context,
}) => {
  const { testPipeline, activities, deliveryId } = context;
  const before = testPipeline.receiver.requests.length;
  await createDeliveryBatch(testPipeline.sql, { batchId: uuidv7(), max: 500 });
  expect((await attempt(context)).outcome.state).toBe('batched');
  expect((await inStep(() => activities.readDeliveryState({ deliveryId }))).state).toBe('batched');
  expect(testPipeline.receiver.requests.length).toBe(before);
});

test('a deleted delivery counts as cancelled', async ({ context }) => {
  const given = { deliveryId: uuidv7() };
  expect(await attempt(context, given)).toMatchObject({
    unrecorded: null,
    outcome: { state: 'cancelled' },
  });
});

test('a receiver at its limit gets no request of an attempt that may not wait, and no trace remains', async ({
  context,
}) => {
  const { testPipeline, deliveryId } = context;
  const free = fillHost(testPipeline);
  const before = testPipeline.receiver.requests.length;
  const refused = attempt(context, { mayWait: false });
  await expect(refused).rejects.toThrow(ApplicationFailure);
  await expect(refused).rejects.toMatchObject({ type: 'RECEIVER_BUSY', nonRetryable: false });
  expect(await told(testPipeline.sql, deliveryId)).toEqual([]);
  expect(await standing(testPipeline.sql, deliveryId)).toMatchObject({
    attempts: 0,
    isUnderWay: false,
  });
  expect(testPipeline.receiver.requests.length).toBe(before);
  free();
});

test('an attempt that waited for a slot reads the URL again before it sends', async ({
  context,
}) => {
  const { testPipeline, asked, seeded } = context;
  const free = fillHost(testPipeline);
  const [before, askedBefore] = [testPipeline.receiver.requests.length, asked()];
  const waiting = attempt(context);
  await vi.waitFor(() => expect(asked()).toBe(askedBefore + 1));
  // The same host, at a port that the guardrail refuses.
  const url = 'http://127.0.0.1:1/moved';
  await testPipeline.sql`update webhook_subscriptions set url = ${url} where id = ${seeded.subscriptionId}`;
  free();
  const { outcome } = await waiting;
  expect(outcome).toMatchObject({ state: 'deadLettered', attemptNumber: 1 });
  expect(outcome.errorSummary).toMatch(/^destination_blocked/);
  expect(testPipeline.receiver.requests.length).toBe(before);
});

test('a worker that stops waits for no slot and leaves no attempt under way', async ({
  context,
}) => {
  const { testPipeline, asked, deliveryId } = context;
  const free = fillHost(testPipeline);
  const environment = new MockActivityEnvironment();
  const askedBefore = asked();
  const refused = expect(attempt(context, {}, environment)).rejects.toThrow();
  await vi.waitFor(() => expect(asked()).toBe(askedBefore + 1));
  expect(await told(testPipeline.sql, deliveryId)).toEqual([]);
  environment.cancel('WORKER_SHUTDOWN');
  await refused;
  expect(await standing(testPipeline.sql, deliveryId)).toMatchObject({
    attempts: 0,
    isUnderWay: false,
  });
  free();
});

test('every attempt releases its slot, however it ended', async ({ context }) => {
  const { testPipeline } = context;
  const { receiver } = testPipeline;
  const before = receiver.requests.length;
  receiver.answerWith((response, number) => {
    if (number % 3 === 0) response.destroy();
    else response.writeHead(number % 2 === 0 ? 500 : 200).end();
  });
  const many = await testPipeline.seed(12);
  // Some are refused, because the queue is full.
  await Promise.allSettled(many.deliveryIds.map((id) => attempt(context, { deliveryId: id })));
  expect(receiver.requests.length).toBeGreaterThan(before);
  fillHost(testPipeline)();
});
