import { expect } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { connect, type Queryable, type Sql } from '../../../db/core/client.ts';
import { listBatchedDeliveries, readBatchState } from '../../../db/webhooks/delivery-batches.ts';
import { countFirstAttempts, createDeliveryBatch } from '../../support/webhooks/delivery-batch.ts';
import * as rows from './delivery-rows.ts';
import { countOf, messagesTo } from '../support.ts';
import { databaseTest } from '../../support/database/database-test.ts';

const test = databaseTest
  .extend('sql', { scope: 'file' }, ({ database }, { onCleanup }) => {
    const sql = connect(database.url, { max: 12, name: 'test' });
    onCleanup(() => sql.end());
    return sql;
  })
  .extend('subscriber', ({ sql }) => rows.newSubscriber(sql));

test.beforeEach(async ({ sql }) => {
  await sql`truncate outbox, webhook_delivery_batches`;
});

const group = (sql: Sql, batchId: string, max = 100, by: Queryable = sql) =>
  createDeliveryBatch(by, { batchId, max });
const membersOf = async (sql: Sql, batchId: string): Promise<readonly string[]> => {
  const found = await sql<{ deliveryIds: string[] }[]>`
    select delivery_ids from webhook_delivery_batches where id = ${batchId} order by created_at`;
  return found.flatMap(({ deliveryIds }) => deliveryIds);
};

test('replaces the messages of a batch by one', async ({ sql, subscriber }) => {
  const ids = await rows.addDeliveries(sql, subscriber, 5);
  const batchId = uuidv7();
  expect(await countFirstAttempts(sql, 100)).toBe(5);
  expect(await group(sql, batchId)).toBe(5);
  expect(await membersOf(sql, batchId)).toEqual(ids.toSorted());
  expect(await countOf(sql, 'outbox')).toBe(1);
  expect(await messagesTo(sql, batchId)).toEqual([
    { kind: 'webhookDeliveryBatch', payload: { size: 5 } },
  ]);
  for (const id of ids)
    expect(await rows.standing(sql, id)).toMatchObject({ batchId, state: 'waiting' });
  expect(await countFirstAttempts(sql, 100)).toBe(0);
});

test('no more than so many are taken, the oldest first', async ({ sql, subscriber }) => {
  const ids = await rows.addDeliveries(sql, subscriber, 5);
  const batchId = uuidv7();
  expect(await countFirstAttempts(sql, 3)).toBe(3);
  expect(await group(sql, batchId, 3)).toBe(3);
  expect(await membersOf(sql, batchId)).toEqual(ids.slice(0, 3).toSorted());
});

test('omits begun deliveries; ended ones need no work', async ({ sql, subscriber }) => {
  const [ended, begun, elsewhere, due] = await rows.addDeliveries(sql, subscriber, 4);
  await sql`update webhook_deliveries set state = 'cancelled' where id = ${ended ?? ''}`;
  await rows.mustBegin(sql, begun ?? '');
  const other = uuidv7();
  await sql`update webhook_deliveries set batch_id = ${other} where id = ${elsewhere ?? ''}`;
  const batchId = uuidv7();
  expect(await group(sql, batchId)).toBe(4);
  expect(await membersOf(sql, batchId)).toEqual([ended, due]);
  expect((await listBatchedDeliveries(sql, batchId)).map(({ deliveryId }) => deliveryId)).toEqual([
    due,
  ]);
  expect(await rows.standing(sql, ended ?? '')).toMatchObject({ state: 'cancelled', batchId });
  expect(await countOf(sql, 'outbox')).toBe(1);
  expect(await rows.standing(sql, begun ?? '')).toMatchObject({ batchId: null });
});

test('omits other messages, and those that are not due', async ({ sql, subscriber }) => {
  const id = await rows.addDelivery(sql, subscriber);
  await sql`update outbox set due_at = now() + interval '1 hour' where subject_id = ${id}`;
  for (const signal of ['retry', 'deactivated'])
    await sql`insert into outbox (kind, subject_id, payload)
      values ('webhookDelivery', ${id}, ${sql.json({ signal })})`;
  await sql`insert into outbox (kind, subject_id, payload) values ('offerReview', ${id}, '{}')`;
  expect(await countFirstAttempts(sql, 100)).toBe(0);
  expect(await group(sql, uuidv7())).toBe(0);
  expect(await countOf(sql, 'outbox')).toBe(4);
});

test('a grouping that is cut off in between has not happened', async ({ sql, subscriber }) => {
  const ids = await rows.addDeliveries(sql, subscriber, 5);
  const batchId = uuidv7();
  const cut = sql.begin(async (transaction) => {
    await group(sql, batchId, 100, transaction);
    await transaction`select pg_terminate_backend(pg_backend_pid())`;
  });
  await expect(cut).rejects.toThrow();
  expect(await countOf(sql, 'outbox')).toBe(5);
  expect(await countOf(sql, 'webhook_delivery_batches')).toBe(0);
  for (const id of ids) expect(await rows.standing(sql, id)).toMatchObject({ batchId: null });
  expect(await group(sql, uuidv7())).toBe(5);
});

test('two relays at once never take one message twice', async ({ sql, subscriber }) => {
  for (let round = 0; round < 100; round += 1) {
    await sql`truncate outbox, webhook_delivery_batches`;
    const ids = await rows.addDeliveries(sql, subscriber, 12);
    const batches = Array.from({ length: 4 }, () => uuidv7());
    const taken = await Promise.all(batches.map((batchId) => group(sql, batchId, 5)));
    const members = (await Promise.all(batches.map((batchId) => membersOf(sql, batchId)))).flat();
    expect(new Set(members).size).toBe(members.length);
    expect(members.length).toBe(taken.reduce((sum, count) => sum + count, 0));
    expect(members.length + (await countFirstAttempts(sql, 100))).toBe(ids.length);
  }
});

test('lists the members that wait, without what left or ended', async ({ sql, subscriber }) => {
  const [done, ended, left, due] = await rows.addDeliveries(sql, subscriber, 4);
  const batchId = uuidv7();
  await group(sql, batchId);
  await sql`update webhook_deliveries set state = 'succeeded' where id = ${done ?? ''}`;
  await sql`update webhook_deliveries set state = 'cancelled' where id = ${ended ?? ''}`;
  await sql`update webhook_deliveries set batch_id = null where id = ${left ?? ''}`;
  const url = 'https://vendor.example.org/hook';
  expect(await listBatchedDeliveries(sql, batchId)).toEqual([
    { deliveryId: due, ...subscriber, url },
  ]);
  expect(await listBatchedDeliveries(sql, uuidv7())).toEqual([]);
  expect(await readBatchState(sql, batchId)).toEqual({
    succeeded: 1,
    moved: 1,
    ended: 1,
    left: 1,
  });
});
