import { expect, test as base } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { createDeliveryBatch } from '../../db/webhooks/delivery-batches.ts';
import { mustBegin, resultOf, standing, success, told } from '../db/webhooks/delivery-rows.ts';
import { startTestPipeline, type TestPipeline } from './delivery-pipeline-fixture.ts';

const test = base
  .extend('place', { scope: 'file' }, async ({}, { onCleanup }) => {
    const place = await startTestPipeline();
    onCleanup(() => place.close());
    return place;
  })
  .extend('deliveryId', async ({ place }) => {
    const { deliveryIds } = await place.seed(2);
    return deliveryIds[0] ?? '';
  })
  .extend('otherId', async ({ place }) => {
    const { deliveryIds } = await place.seed(2);
    return deliveryIds[1] ?? '';
  });

test.beforeEach(async ({ place }) => {
  await place.sql`delete from outbox`;
});

/** Makes what comes next share a statement: while this one is under way, they gather. */
const occupy = (place: TestPipeline, otherId: string) =>
  place.pipeline.begin({ deliveryId: otherId, after: 0, batchId: null });

test('a delivery that is named twice in one group commit is begun once', async ({
  place,
  deliveryId,
  otherId,
}) => {
  const { begin } = place.pipeline;
  const first = occupy(place, otherId);
  const asked = { deliveryId, after: 0, batchId: null };
  const [one, two] = await Promise.all([begin(asked), begin(asked)]);
  await first;
  expect([one?.attemptNumber, two]).toEqual([1, null]);
  expect(await told(place.sql, deliveryId)).toEqual(['1 under way']);
});

test('an attempt that one statement begins is returned to its batch, not to a run without the right to it', async ({
  place,
  deliveryId,
  otherId,
}) => {
  const batchId = uuidv7();
  await createDeliveryBatch(place.sql, { batchId, max: 500 });
  await place.sql`update webhook_deliveries set batch_id = null where id = ${otherId}`;
  const { begin } = place.pipeline;
  const first = occupy(place, otherId);
  const [ofRun, ofDispatch] = await Promise.all([
    begin({ deliveryId, after: 0, batchId: null }),
    begin({ deliveryId, after: 0, batchId }),
  ]);
  await first;
  expect([ofRun, ofDispatch?.deliveryId]).toEqual([null, deliveryId]);
});

test('an attempt that one statement begins is returned to its requester, not to a repeated step with a result', async ({
  place,
  deliveryId,
  otherId,
}) => {
  const begun = await mustBegin(place.sql, deliveryId);
  await place.pipeline.record(resultOf(begun));
  const { begin } = place.pipeline;
  const first = occupy(place, otherId);
  const [repeated, next] = await Promise.all([
    begin({ deliveryId, after: 0, batchId: null }),
    begin({ deliveryId, after: 1, batchId: null }),
  ]);
  await first;
  expect([repeated, next?.attemptNumber]).toEqual([null, 2]);
});

test('what one statement recorded is told to whose result it was, not to an older attempt of that delivery', async ({
  place,
  deliveryId,
  otherId,
}) => {
  const lost = await mustBegin(place.sql, deliveryId);
  const begun = await mustBegin(place.sql, deliveryId);
  const other = await mustBegin(place.sql, otherId);
  const { record } = place.pipeline;
  const first = record(resultOf(other));
  const [ofLost, ofLatest] = await Promise.all([
    record(resultOf(lost)),
    record(resultOf(begun, success)),
  ]);
  await first;
  expect(await standing(place.sql, deliveryId)).toMatchObject({ state: 'succeeded', attempts: 2 });
  expect([ofLost, ofLatest?.state]).toEqual([null, 'succeeded']);
});
