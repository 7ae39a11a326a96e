import { ApplicationFailure } from '@temporalio/common';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { receiverOf } from '../../../activities/deliveries/acquire-attempt.ts';
import {
  createDeliveryActivities,
  type DeliveryActivities,
} from '../../../activities/deliveries/deliver.ts';
import { createDeliveryBatch } from '../../support/webhooks/delivery-batch.ts';
import type { AttemptRequest } from '../../../workflows/webhooks/webhook-delivery-messages.ts';
import { standing, attemptTexts } from '../../db/webhooks/delivery-rows.ts';
import {
  inStep,
  stepEnvironment,
  startTestPipeline,
  watched,
  type Seeded,
  type TestPipeline,
} from './delivery-pipeline-fixture.ts';

const hostConcurrencyMax = 2;
let testPipeline: TestPipeline;
let activities: DeliveryActivities;
let asked: () => number;
let seeded: Seeded;
let deliveryId: string;

beforeAll(async () => {
  testPipeline = await startTestPipeline(hostConcurrencyMax);
  const seen = watched(testPipeline.pipeline);
  ({ asked } = seen);
  activities = createDeliveryActivities(seen.pipeline);
});
afterAll(() => testPipeline.close());
beforeEach(async () => {
  seeded = await testPipeline.seed(1);
  deliveryId = seeded.deliveryIds[0] ?? '';
  testPipeline.receiver.answerWith((response) => response.end());
});

const attempt = (given: Partial<AttemptRequest> = {}, environment = stepEnvironment()) => {
  const request = { deliveryId, attemptNumber: 1, retryDelayMs: null, timeoutMs: 5000, ...given };
  return inStep(() => activities.attemptDelivery(request), environment);
};
const nameOf = ({ vendorId }: Seeded): string =>
  receiverOf({ vendorId, url: testPipeline.receiver.url });
/** All slots of the vendor at the receiver's host; answers what gives them back. */
function fillHost(): () => void {
  const taken = Array.from({ length: hostConcurrencyMax }, () =>
    testPipeline.pipeline.slots.tryTake(nameOf(seeded)),
  );
  return () => {
    for (const release of taken) release?.();
  };
}

test('a step repeated once its result is recorded sends nothing and answers the same', async () => {
  const before = testPipeline.receiver.requests.length;
  const first = await attempt();
  expect(await attempt()).toMatchObject({
    unrecorded: null,
    outcome: { state: first.outcome.state },
  });
  expect(first.outcome).toMatchObject({ state: 'succeeded', httpStatus: 200, attemptNumber: 1 });
  expect(testPipeline.receiver.requests.length).toBe(before + 1);
});

test('a result that Postgres does not store gets a later step, and no second request', async () => {
  const { sql, receiver } = testPipeline;
  const before = receiver.requests.length;
  receiver.answerWith((response) => {
    void sql`alter table webhook_attempts rename to hidden`.then(() => response.end());
  });
  const { outcome, unrecorded } = await attempt();
  await sql`alter table hidden rename to webhook_attempts`;

  expect(outcome.state).toBe('succeeded');
  expect(await attemptTexts(sql, deliveryId)).toEqual(['1 under way']);
  if (unrecorded === null) throw new Error('the result was stored, though its table was away');
  await inStep(() => activities.recordDeliveryAttempt(unrecorded));
  const again = await inStep(() => activities.recordDeliveryAttempt(unrecorded));

  expect(again).toMatchObject({ state: 'succeeded', attemptNumber: 1, httpStatus: 200 });
  expect(await attemptTexts(sql, deliveryId)).toEqual(['1 succeeded']);
  expect(receiver.requests.length).toBe(before + 1);
});

test('a delivery in a batch is not attempted by its own run, and the answer says so', async () => {
  const before = testPipeline.receiver.requests.length;
  await createDeliveryBatch(testPipeline.sql, { batchId: uuidv7(), max: 500 });
  expect((await attempt()).outcome.state).toBe('batched');
  expect((await inStep(() => activities.readDeliveryState({ deliveryId }))).state).toBe('batched');
  expect(testPipeline.receiver.requests.length).toBe(before);
});

test('a delivery that is gone was cancelled', async () => {
  const given = { deliveryId: uuidv7() };
  expect(await attempt(given)).toMatchObject({ unrecorded: null, outcome: { state: 'cancelled' } });
});

test('when no more attempts may wait, an attempt is left to Temporal without a trace', async () => {
  const free = fillHost();
  const [before, askedBefore] = [testPipeline.receiver.requests.length, asked()];
  // The queue of a subscription has one permit for each of its slots.
  const stopping = new AbortController();
  const owner = seeded.subscriptionId;
  const queued = Array.from({ length: hostConcurrencyMax }, () =>
    testPipeline.pipeline.slots.take(nameOf(seeded), { owner, signal: stopping.signal }),
  );
  const refused = attempt();
  await expect(refused).rejects.toThrow(ApplicationFailure);
  await expect(refused).rejects.toMatchObject({ type: 'RECEIVER_BUSY', nonRetryable: false });
  expect(asked()).toBe(askedBefore + 1);
  expect(await attemptTexts(testPipeline.sql, deliveryId)).toEqual([]);
  expect(await standing(testPipeline.sql, deliveryId)).toMatchObject({
    attempts: 0,
    isUnderWay: false,
  });
  expect(testPipeline.receiver.requests.length).toBe(before);
  stopping.abort();
  await Promise.all(queued);
  free();
});

test('who waits for its turn sends with what is true then: the URL is read anew', async () => {
  const free = fillHost();
  const [before, askedBefore] = [testPipeline.receiver.requests.length, asked()];
  const waiting = attempt();
  await vi.waitFor(() => expect(asked()).toBe(askedBefore + 1));
  // The same host, at a testPipeline where nothing may be sent.
  const url = 'http://127.0.0.1:1/moved';
  await testPipeline.sql`
    update webhook_subscriptions set url = ${url} where id = ${seeded.subscriptionId}`;
  free();
  const { outcome } = await waiting;
  expect(outcome).toMatchObject({ state: 'deadLettered', attemptNumber: 1 });
  expect(outcome.errorSummary).toMatch(/^destination_blocked/);
  expect(testPipeline.receiver.requests.length).toBe(before);
});

test('a worker that stops does not wait for a turn, and leaves no attempt under way', async () => {
  const free = fillHost();
  const environment = stepEnvironment();
  const askedBefore = asked();
  const refused = expect(attempt({}, environment)).rejects.toThrow();
  await vi.waitFor(() => expect(asked()).toBe(askedBefore + 1));
  expect(await attemptTexts(testPipeline.sql, deliveryId)).toEqual([]);
  environment.cancel('WORKER_SHUTDOWN');
  await refused;
  expect(await standing(testPipeline.sql, deliveryId)).toMatchObject({
    attempts: 0,
    isUnderWay: false,
  });
  free();
});

test('every slot is given back, however the attempt ended', async () => {
  const { receiver, pipeline } = testPipeline;
  const before = receiver.requests.length;
  receiver.answerWith((response, number) => {
    if (number % 3 === 0) response.destroy();
    else response.writeHead(number % 2 === 0 ? 500 : 200).end();
  });
  const many = await testPipeline.seed(12);
  // Some find too many in the queue already.
  await Promise.allSettled(many.deliveryIds.map((id) => attempt({ deliveryId: id })));
  expect(receiver.requests.length).toBeGreaterThan(before);
  const name = receiverOf({ vendorId: many.vendorId, url: receiver.url });
  const taken = Array.from({ length: hostConcurrencyMax }, () => pipeline.slots.tryTake(name));
  expect(taken.every((release) => release !== null)).toBe(true);
  for (const release of taken) release?.();
});
