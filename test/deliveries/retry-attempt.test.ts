import { expect, vi } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import type { DeliveryPipeline } from '../../deliveries/delivery-pipeline.ts';
import { receiverOf, type HostSlots } from '../../deliveries/host-slots.ts';
import { SenderLost } from '../../guardrail/send/send.ts';
import { createDeliveryActivities } from '../../deliveries/retry-attempt.ts';
import type { AttemptRequest } from '../../workflows/webhooks/webhook-delivery-messages.ts';
import {
  addDelivery,
  attemptTexts,
  leaveQueue,
  mustBegin,
  standing,
} from '../db/webhooks/delivery-rows.ts';
import { inStep, pipelineTest, stepEnvironment } from './delivery-pipeline-fixture.ts';

const hostConcurrencyMax = 2;

/** Takes all slots of a vendor at a URL's host; returns what gives them back. */
function fillHost(
  { slots }: DeliveryPipeline,
  to: Parameters<typeof receiverOf>[0],
  count: number,
): () => void {
  const taken = Array.from({ length: count }, () => slots.tryTake(receiverOf(to)));
  expect(taken.every((release) => release !== null)).toBe(true);
  return () => {
    for (const release of taken) release?.();
  };
}

/** The same pipeline, and how many have asked to wait for a slot of it. */
function watched(pipeline: DeliveryPipeline): {
  readonly pipeline: DeliveryPipeline;
  readonly asked: () => number;
} {
  let asked = 0;
  const take: HostSlots['take'] = (host, options) => {
    asked += 1;
    return pipeline.slots.take(host, options);
  };
  return { pipeline: { ...pipeline, slots: { ...pipeline.slots, take } }, asked: () => asked };
}

const test = pipelineTest
  .extend('hostConcurrencyMax', { scope: 'file' }, () => hostConcurrencyMax)
  /** One delivery, its step, and what has come of it. */
  .extend('step', async ({ testPipeline }) => {
    const { sql, receiver } = testPipeline;
    receiver.answerWith((response) => response.end());
    const { vendorId, subscriptionId, deliveryIds } = await testPipeline.seed(1);
    const [deliveryId = ''] = deliveryIds;
    await leaveQueue(sql, deliveryId);
    const { pipeline, asked } = watched(testPipeline.pipeline);
    const activities = createDeliveryActivities(pipeline);
    const first = { deliveryId, attemptNumber: 1, retryDelayMs: null, timeoutMs: 5000 };
    const before = receiver.requests.length;
    const to = { vendorId, url: receiver.url };
    return {
      deliveryId,
      subscriptionId,
      to,
      activities,
      asked,
      attempt: (given: Partial<AttemptRequest> = {}, environment = stepEnvironment()) =>
        inStep(() => activities.attemptDelivery({ ...first, ...given }), environment),
      fillHost: () => fillHost(pipeline, to, hostConcurrencyMax),
      sent: () => receiver.requests.length - before,
      expectNoTrace: async () => {
        expect(await attemptTexts(sql, deliveryId)).toEqual([]);
        expect(await standing(sql, deliveryId)).toMatchObject({ attempts: 0, isUnderWay: false });
        expect(receiver.requests.length).toBe(before);
      },
    };
  });

test('sends nothing more when repeated, and returns the stored result', async ({ step }) => {
  const first = await step.attempt();
  expect(first.outcome).toMatchObject({ state: 'succeeded', httpStatus: 200, attemptNumber: 1 });
  expect(await step.attempt()).toMatchObject({ unrecorded: null, outcome: { state: 'succeeded' } });
  expect(step.sent()).toBe(1);
});

// `test/workflows/webhook-delivery/webhook-delivery-restart.test.ts` has the later step.
test('stores a result once when its step is repeated', async ({ step, sql, testPipeline }) => {
  testPipeline.receiver.answerWith((response) => {
    void sql`alter table webhook_attempts rename to hidden`.then(() => response.end());
  });
  const { unrecorded } = await step.attempt();
  await sql`alter table hidden rename to webhook_attempts`;
  if (unrecorded === null) throw new Error('the result was stored, though its table was away');
  const record = () => inStep(() => step.activities.recordDeliveryAttempt(unrecorded));
  expect(await record()).toEqual(await record());
  expect(await attemptTexts(sql, step.deliveryId)).toEqual(['1 succeeded']);
});

test('attempts no delivery in the queue, and none that was deleted', async ({ step, sql }) => {
  const { activities, to } = step;
  const deliveryId = await addDelivery(sql, to);
  expect((await step.attempt({ deliveryId })).outcome.state).toBe('batched');
  expect((await inStep(() => activities.readDeliveryState({ deliveryId }))).state).toBe('batched');
  const gone = await step.attempt({ deliveryId: uuidv7() });
  expect(gone).toMatchObject({ unrecorded: null, outcome: { state: 'cancelled' } });
  expect(step.sent()).toBe(0);
});

test('leaves an attempt to Temporal when the queue is full', async ({ step, testPipeline }) => {
  const free = step.fillHost();
  // The queue of a subscription has one permit for each of its slots.
  const stopping = new AbortController();
  const options = { owner: step.subscriptionId, signal: stopping.signal };
  const queued = Array.from({ length: hostConcurrencyMax }, () =>
    testPipeline.pipeline.slots.take(receiverOf(step.to), options),
  );
  const busy = { type: 'RECEIVER_BUSY', nonRetryable: false };
  await expect(step.attempt()).rejects.toMatchObject(busy);
  expect(step.asked()).toBe(1);
  await step.expectNoTrace();
  stopping.abort();
  await Promise.all(queued);
  free();
});

test('waits for no slot when its failure is stored', async ({ step, testPipeline }) => {
  testPipeline.receiver.answerWith((response) => response.writeHead(500).end());
  const failed = { state: 'waiting', httpStatus: 500, attemptNumber: 1 };
  const [asked, given] = [step.asked(), { retryDelayMs: 60_000 }];
  expect((await step.attempt(given)).outcome).toMatchObject(failed);
  const free = step.fillHost();
  expect((await step.attempt(given)).outcome).toMatchObject(failed);
  expect(step.asked()).toBe(asked + 1);
  free();
});

test('leaves an attempt that another step is making to a retry', async ({ step, testPipeline }) => {
  testPipeline.receiver.answerWith((response) => response.writeHead(500).end());
  await step.attempt({ retryDelayMs: 60_000 });
  await mustBegin(testPipeline.sql, step.deliveryId, 1);
  const underWay = { type: 'ATTEMPT_UNDER_WAY', nonRetryable: false };
  await expect(step.attempt()).rejects.toMatchObject(underWay);
  expect(step.sent()).toBe(1);
});

test('reads the URL again after a wait for a slot', async ({ step, testPipeline }) => {
  const attemptMovedTo = async (url: string) => {
    const [asked, free] = [step.asked(), step.fillHost()];
    const waiting = step.attempt();
    await vi.waitFor(() => expect(step.asked()).toBe(asked + 1), 20_000);
    await testPipeline.sql`
      update webhook_subscriptions set url = ${url} where id = ${step.subscriptionId}`;
    free();
    return waiting;
  };
  const moved = { type: 'HOST_CHANGED', nonRetryable: false };
  await expect(attemptMovedTo('https://new.example.org/hook')).rejects.toMatchObject(moved);
  await step.expectNoTrace();
  await testPipeline.sql`
    update webhook_subscriptions set url = ${step.to.url} where id = ${step.subscriptionId}`;
  // The same host, at a port where nothing may be sent.
  const { outcome } = await attemptMovedTo('http://127.0.0.1:1/moved');
  expect(outcome).toMatchObject({ state: 'deadLettered', attemptNumber: 1 });
  expect(outcome.errorSummary).toMatch(/^destination_blocked/);
  expect(step.sent()).toBe(0);
});

test('stops waiting for a slot when its worker stops', async ({ step }) => {
  const free = step.fillHost();
  const environment = stepEnvironment();
  const refused = expect(step.attempt({}, environment)).rejects.toThrow();
  await vi.waitFor(() => expect(step.asked()).toBe(1), 20_000);
  await step.expectNoTrace();
  environment.cancel('WORKER_SHUTDOWN');
  await refused;
  await step.expectNoTrace();
  free();
});

test('deletes an attempt that failed by a fault, unless the sender was lost', async ({
  step,
  sql,
  testPipeline,
}) => {
  const { deliveryId } = step;
  const attemptFailingBy = (fault: Error) => {
    const sender = { ...testPipeline.pipeline.sender, send: () => Promise.reject(fault) };
    const activities = createDeliveryActivities({ ...testPipeline.pipeline, sender });
    const request = { deliveryId, attemptNumber: 1, retryDelayMs: null, timeoutMs: 5000 };
    return inStep(() => activities.attemptDelivery(request));
  };
  const fault = Object.assign(new Error('too many open files'), { code: 'EMFILE' });
  await expect(attemptFailingBy(fault)).rejects.toBe(fault);
  await step.expectNoTrace();
  await expect(attemptFailingBy(new SenderLost())).rejects.toThrow(SenderLost);
  expect(await standing(sql, deliveryId)).toMatchObject({ attempts: 1, isUnderWay: true });
});

test('gives back every slot, however the attempt ends', async ({ step, testPipeline }) => {
  const { receiver, pipeline, seed } = testPipeline;
  receiver.answerWith((response, number) => {
    if (number % 3 === 0) response.destroy();
    else response.writeHead(number % 2 === 0 ? 500 : 200).end();
  });
  const { vendorId, deliveryIds } = await seed(12);
  await leaveQueue(testPipeline.sql, ...deliveryIds);
  // Some find too many in the queue already.
  await Promise.allSettled(deliveryIds.map((deliveryId) => step.attempt({ deliveryId })));
  expect(step.sent()).toBeGreaterThan(0);
  fillHost(pipeline, { vendorId, url: receiver.url }, hostConcurrencyMax)();
});
