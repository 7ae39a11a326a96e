import { expect } from 'vitest';
import {
  attemptTexts,
  leaveQueue,
  mustBegin,
  resultOf,
  standing,
  success,
} from '../db/webhooks/delivery-rows.ts';
import { pipelineTest } from './delivery-pipeline-fixture.ts';

/** Each has a delivery; what comes while the statement for another one runs shares the next. */
const test = pipelineTest.extend('pair', async ({ testPipeline }) => {
  const { sql, pipeline, seed } = testPipeline;
  await sql`delete from outbox`;
  const [deliveryId = '', otherId = ''] = (await seed(2)).deliveryIds;
  await leaveQueue(sql, deliveryId, otherId);
  const occupy = () => pipeline.begin({ deliveryId: otherId, after: 0 });
  return { sql, pipeline, deliveryId, otherId, occupy };
});

test('begins one of two equal attempts that share a statement', async ({ pair }) => {
  const { sql, pipeline, deliveryId, occupy } = pair;
  const asked = { deliveryId, after: 0 };
  const all = [occupy(), pipeline.begin(asked), pipeline.begin(asked)];
  const [, one, two] = await Promise.all(all);
  expect([one?.attemptNumber, two]).toEqual([1, null]);
  expect(await attemptTexts(sql, deliveryId)).toEqual(['1 under way']);
});

test('returns a begun attempt to its requester', async ({ pair }) => {
  const { sql, pipeline, deliveryId, occupy } = pair;
  await pipeline.record(resultOf(await mustBegin(sql, deliveryId)));
  const asked = { deliveryId };
  const [, repeated, next] = await Promise.all([
    occupy(),
    pipeline.begin({ ...asked, after: 0 }),
    pipeline.begin({ ...asked, after: 1 }),
  ]);
  expect([repeated, next?.attemptNumber]).toEqual([null, 2]);
});

test('returns a result to its attempt', async ({ pair }) => {
  const { sql, pipeline, deliveryId, otherId } = pair;
  const lost = await mustBegin(sql, deliveryId);
  const begun = await mustBegin(sql, deliveryId);
  const other = await mustBegin(sql, otherId);
  const results = [resultOf(other), resultOf(lost), resultOf(begun, success)];
  const [, ofLost, ofLatest] = await Promise.all(results.map((result) => pipeline.record(result)));
  expect([ofLost, ofLatest?.state]).toEqual([null, 'succeeded']);
  expect(await standing(sql, deliveryId)).toMatchObject({ state: 'succeeded', attempts: 2 });
});
