import { expect } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { createDeliveryBatch } from '../../support/webhooks/delivery-batch.ts';
import {
  mustBegin,
  resultOf,
  standing,
  success,
  attemptTexts,
} from '../../db/webhooks/delivery-rows.ts';
import { pipelineTest, type TestPipeline } from './delivery-pipeline-fixture.ts';

const test = pipelineTest
  .extend('deliveryId', async ({ testPipeline }) => {
    const { deliveryIds } = await testPipeline.seed(2);
    return deliveryIds[0] ?? '';
  })
  .extend('otherId', async ({ testPipeline }) => {
    const { deliveryIds } = await testPipeline.seed(2);
    return deliveryIds[1] ?? '';
  });

test.beforeEach(async ({ testPipeline }) => {
  await testPipeline.sql`delete from outbox`;
});

/** Makes what comes next share a statement: while this one is under way, they gather. */
const occupy = (testPipeline: TestPipeline, otherId: string) =>
  testPipeline.pipeline.begin({ deliveryId: otherId, after: 0, batchId: null });

test('begins once of two in a group commit', async ({ testPipeline, deliveryId, otherId }) => {
  const { begin } = testPipeline.pipeline;
  const first = occupy(testPipeline, otherId);
  const asked = { deliveryId, after: 0, batchId: null };
  const [one, two] = await Promise.all([begin(asked), begin(asked)]);
  await first;
  expect([one?.attemptNumber, two]).toEqual([1, null]);
  expect(await attemptTexts(testPipeline.sql, deliveryId)).toEqual(['1 under way']);
});

test('returns a begun attempt to its batch', async ({ testPipeline, deliveryId, otherId }) => {
  const batchId = uuidv7();
  await createDeliveryBatch(testPipeline.sql, { batchId, max: 500 });
  await testPipeline.sql`update webhook_deliveries set batch_id = null where id = ${otherId}`;
  const { begin } = testPipeline.pipeline;
  const first = occupy(testPipeline, otherId);
  const [ofRun, ofBatch] = await Promise.all([
    begin({ deliveryId, after: 0, batchId: null }),
    begin({ deliveryId, after: 0, batchId }),
  ]);
  await first;
  expect([ofRun, ofBatch?.deliveryId]).toEqual([null, deliveryId]);
});

test('returns a begun attempt to its requester', async ({ testPipeline, deliveryId, otherId }) => {
  const begun = await mustBegin(testPipeline.sql, deliveryId);
  await testPipeline.pipeline.record(resultOf(begun));
  const { begin } = testPipeline.pipeline;
  const first = occupy(testPipeline, otherId);
  const [repeated, next] = await Promise.all([
    begin({ deliveryId, after: 0, batchId: null }),
    begin({ deliveryId, after: 1, batchId: null }),
  ]);
  await first;
  expect([repeated, next?.attemptNumber]).toEqual([null, 2]);
});

test('returns a result to its attempt', async ({ testPipeline, deliveryId, otherId }) => {
  const lost = await mustBegin(testPipeline.sql, deliveryId);
  const begun = await mustBegin(testPipeline.sql, deliveryId);
  const other = await mustBegin(testPipeline.sql, otherId);
  const { record } = testPipeline.pipeline;
  const first = record(resultOf(other));
  const [ofLost, ofLatest] = await Promise.all([
    record(resultOf(lost)),
    record(resultOf(begun, success)),
  ]);
  await first;
  expect(await standing(testPipeline.sql, deliveryId)).toMatchObject({
    state: 'succeeded',
    attempts: 2,
  });
  expect([ofLost, ofLatest?.state]).toEqual([null, 'succeeded']);
});
