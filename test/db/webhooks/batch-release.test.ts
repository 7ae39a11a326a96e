import { expect } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import type { Sql } from '../../../db/core/client.ts';
import { claimOutboxMessages } from '../../../db/outbox/outbox.ts';
import { recordAttempts } from '../../../db/webhooks/attempts/record-attempts.ts';
import {
  claimFirstAttempts,
  extendLeases,
  listBatchMembers,
  releaseDeliveryBatch,
} from '../../../db/webhooks/delivery-batches.ts';
import * as rows from './delivery-rows.ts';
import { countOf, messagesTo } from '../support.ts';
import { databaseTest } from '../../support/database/database-test.ts';

const test = databaseTest
  .extend('subscriber', ({ sql }) => rows.newSubscriber(sql))
  .extend('batchId', () => uuidv7());

test.beforeEach(async ({ sql }) => {
  await sql`truncate outbox, webhook_delivery_batches`;
});

/** A batch of so many deliveries whose attempts have begun. */
async function held(sql: Sql, subscriber: rows.Subscriber, batchId: string, count: number) {
  await rows.addDeliveries(sql, subscriber, count);
  const claim = { batchId, claimedMax: count, begunMax: count, leaseMs: 60_000 };
  const { deliveries } = await claimFirstAttempts(sql, claim);
  return deliveries.flatMap(({ begun }) => (begun === null ? [] : [begun]));
}
const due = async (sql: Sql): Promise<readonly unknown[]> =>
  (await claimOutboxMessages(sql, 10, { lane: 'batches' })).map(({ subjectId, payload }) => [
    subjectId,
    payload,
  ]);

test('the run of a released batch may start at once', async ({ sql, subscriber, batchId }) => {
  const begun = await held(sql, subscriber, batchId, 3);
  await recordAttempts(
    sql,
    begun.map((each) => rows.resultOf(each, rows.success)),
    rows.noLimit,
  );
  expect(await due(sql)).toEqual([]);
  await releaseDeliveryBatch(sql, batchId);
  expect(await due(sql)).toEqual([[batchId, { size: 3 }]]);
});

test('counts members without a run of their own', async ({ sql, subscriber, batchId }) => {
  const [one, two, three] = await held(sql, subscriber, batchId, 4);
  if (one === undefined || two === undefined || three === undefined) throw new Error('none');
  const results = [
    rows.resultOf(one),
    rows.resultOf(two, { ...rows.success, hasOwnRun: true }),
    rows.resultOf(three, rows.success),
  ];
  await recordAttempts(sql, results, rows.noLimit);
  await releaseDeliveryBatch(sql, batchId);
  expect(await due(sql)).toEqual([[batchId, { size: 2 }]]);
});

test('starts no run for a batch that all have left', async ({ sql, subscriber, batchId }) => {
  const begun = await held(sql, subscriber, batchId, 2);
  const events = begun.map(({ eventId }) => eventId);
  await recordAttempts(
    sql,
    begun.map((each) => rows.resultOf(each)),
    rows.noLimit,
  );
  const other = uuidv7();
  await held(sql, subscriber, other, 1);
  await releaseDeliveryBatch(sql, batchId);
  expect(await messagesTo(sql, batchId)).toEqual([]);
  expect(await messagesTo(sql, other)).toHaveLength(1);
  expect(await listBatchMembers(sql, batchId)).toEqual([{ ...subscriber, eventIds: events }]);
});

test('changes nothing once the run has started', async ({ sql, subscriber, batchId }) => {
  await held(sql, subscriber, batchId, 2);
  await sql`delete from outbox`;
  await releaseDeliveryBatch(sql, batchId);
  await releaseDeliveryBatch(sql, uuidv7());
  expect(await countOf(sql, 'outbox')).toBe(0);
  expect(await countOf(sql, 'webhook_delivery_batches')).toBe(1);
});

test('extends the leases of the named batches only', async ({ sql, subscriber, batchId }) => {
  const other = uuidv7();
  await held(sql, subscriber, batchId, 1);
  await held(sql, subscriber, other, 1);
  await sql`update outbox set due_at = now()`;
  await extendLeases(sql, [batchId, uuidv7()], 60_000);
  expect(await due(sql)).toEqual([[other, { size: 1 }]]);
  await extendLeases(sql, [batchId], 0);
  expect(await due(sql)).toHaveLength(2);
});
