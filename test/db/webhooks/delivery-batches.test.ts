import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { connect, type Queryable, type Sql } from '../../../db/core/client.ts';
import {
  countFirstAttempts,
  createDeliveryBatch,
  listBatchedDeliveries,
  readBatchState,
} from '../../../db/webhooks/delivery-batches.ts';
import { claimOutboxMessages } from '../../../db/outbox/outbox.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import * as rows from './delivery-rows.ts';
import { countOf } from '../support.ts';

let database: TestDatabase;
let sql: Sql;
let place: rows.Place;

beforeAll(async () => {
  database = await createTestDatabase();
  sql = connect(database.url, { max: 12, name: 'test' });
});
afterAll(async () => {
  await sql.end();
  await database.drop();
});
beforeEach(async () => {
  await sql`truncate outbox, webhook_delivery_batches`;
  place = await rows.newPlace(sql);
});

const group = (batchId: string, max = 100, by: Queryable = sql) =>
  createDeliveryBatch(by, { batchId, max });
const membersOf = async (batchId: string): Promise<readonly string[]> => {
  const [row] = await sql<{ deliveryIds: string[] }[]>`
    select delivery_ids from webhook_delivery_batches where id = ${batchId}`;
  return row?.deliveryIds ?? [];
};

test('deliveries that wait become one dispatch, and one message stands in place of theirs', async () => {
  const ids = await rows.addDeliveries(sql, place, 5);
  const batchId = uuidv7();
  expect(await countFirstAttempts(sql, 100)).toBe(5);
  expect(await group(batchId)).toBe(5);
  expect(await membersOf(batchId)).toEqual(ids.toSorted());
  expect(await countOf(sql, 'outbox')).toBe(1);
  expect(await rows.messagesTo(sql, batchId)).toEqual([
    { kind: 'webhookDeliveryBatch', payload: { size: 5 } },
  ]);
  for (const id of ids)
    expect(await rows.standing(sql, id)).toMatchObject({ batchId, state: 'waiting' });
  expect(await countFirstAttempts(sql, 100)).toBe(0);
});

test('the members are fixed: what comes later is for the next', async () => {
  const first = await rows.addDeliveries(sql, place, 3);
  const [one, two] = [uuidv7(), uuidv7()];
  await group(one);
  const second = await rows.addDeliveries(sql, place, 2);
  await group(two);
  expect(await membersOf(one)).toEqual(first.toSorted());
  expect(await membersOf(two)).toEqual(second.toSorted());
});

test('no more than so many are taken, the oldest first', async () => {
  const ids = await rows.addDeliveries(sql, place, 5);
  const batchId = uuidv7();
  expect(await countFirstAttempts(sql, 3)).toBe(3);
  expect(await group(batchId, 3)).toBe(3);
  expect(await membersOf(batchId)).toEqual(ids.slice(0, 3).toSorted());
});

test('those that were begun meanwhile are left out; those that were ended are members, so that their rows name a run, and have nothing to do', async () => {
  const [ended, begun, elsewhere, due] = await rows.addDeliveries(sql, place, 4);
  await sql`update webhook_deliveries set state = 'cancelled' where id = ${ended ?? ''}`;
  await rows.mustBegin(sql, begun ?? '');
  const other = uuidv7();
  await sql`update webhook_deliveries set batch_id = ${other} where id = ${elsewhere ?? ''}`;
  const batchId = uuidv7();
  expect(await group(batchId)).toBe(4);
  expect(await membersOf(batchId)).toEqual([ended, due]);
  expect((await listBatchedDeliveries(sql, batchId)).map(({ deliveryId }) => deliveryId)).toEqual([
    due,
  ]);
  expect(await rows.standing(sql, ended ?? '')).toMatchObject({ state: 'cancelled', batchId });
  expect(await countOf(sql, 'outbox')).toBe(1);
  expect(await rows.standing(sql, begun ?? '')).toMatchObject({ batchId: null });
});

test('where all were ended meanwhile, the dispatch that their rows name has nothing to do', async () => {
  await rows.addDeliveries(sql, place, 3);
  await sql`update webhook_deliveries set state = 'cancelled' where subscription_id = ${place.subscriptionId}`;
  const batchId = uuidv7();
  expect(await group(batchId)).toBe(3);
  expect(await membersOf(batchId)).toHaveLength(3);
  expect(await listBatchedDeliveries(sql, batchId)).toEqual([]);
  expect(await readBatchState(sql, batchId)).toEqual({
    succeeded: 0,
    retrying: 0,
    ended: 3,
    left: 0,
  });
  expect(await group(uuidv7())).toBe(0);
});

test('messages that ask for something else, or are not due, are no part of it', async () => {
  const id = await rows.addDelivery(sql, place);
  await sql`update outbox set due_at = now() + interval '1 hour' where subject_id = ${id}`;
  for (const signal of ['retry', 'deactivated'])
    await sql`insert into outbox (kind, subject_id, payload) values ('webhookDelivery', ${id}, ${sql.json({ signal })})`;
  await sql`insert into outbox (kind, subject_id, payload) values ('offerReview', ${id}, '{}')`;
  expect(await countFirstAttempts(sql, 100)).toBe(0);
  expect(await group(uuidv7())).toBe(0);
  expect(await countOf(sql, 'outbox')).toBe(4);
});

test('a grouping that is cut off in between has not happened', async () => {
  const ids = await rows.addDeliveries(sql, place, 5);
  const batchId = uuidv7();
  const cut = sql.begin(async (transaction) => {
    await group(batchId, 100, transaction);
    await transaction`select pg_terminate_backend(pg_backend_pid())`;
  });
  await expect(cut).rejects.toThrow();
  expect(await countOf(sql, 'outbox')).toBe(5);
  expect(await countOf(sql, 'webhook_delivery_batches')).toBe(0);
  for (const id of ids) expect(await rows.standing(sql, id)).toMatchObject({ batchId: null });
  expect(await group(uuidv7())).toBe(5);
});

test('two relays at once never take one message twice', async () => {
  for (let round = 0; round < 100; round += 1) {
    await sql`truncate outbox, webhook_delivery_batches`;
    const ids = await rows.addDeliveries(sql, place, 12);
    const dispatches = Array.from({ length: 4 }, () => uuidv7());
    const taken = await Promise.all(dispatches.map((batchId) => group(batchId, 5)));
    const members = (await Promise.all(dispatches.map(membersOf))).flat();
    expect(new Set(members).size).toBe(members.length);
    expect(members.length).toBe(taken.reduce((sum, count) => sum + count, 0));
    expect(members.length + (await countFirstAttempts(sql, 100))).toBe(ids.length);
  }
});

test('what a relay is handing over for a delivery alone is not grouped', async () => {
  const [id] = await rows.addDeliveries(sql, place, 1);
  await sql.begin(async (transaction) => {
    const claimed = await claimOutboxMessages(transaction, 10, { lane: 'deliveries' });
    expect(claimed.map(({ subjectId }) => subjectId)).toEqual([id]);
    expect(await group(uuidv7())).toBe(0);
  });
});

test('a dispatch has those to make that wait for it, and not what it did or what left it', async () => {
  const [done, ended, left, due] = await rows.addDeliveries(sql, place, 4);
  const batchId = uuidv7();
  await group(batchId);
  await sql`update webhook_deliveries set state = 'succeeded' where id = ${done ?? ''}`;
  await sql`update webhook_deliveries set state = 'cancelled' where id = ${ended ?? ''}`;
  await sql`update webhook_deliveries set batch_id = null where id = ${left ?? ''}`;
  const url = 'https://vendor.example.org/hook';
  expect(await listBatchedDeliveries(sql, batchId)).toEqual([
    { deliveryId: due, subscriptionId: place.subscriptionId, url },
  ]);
  expect(await listBatchedDeliveries(sql, uuidv7())).toEqual([]);
  expect(await readBatchState(sql, batchId)).toEqual({
    succeeded: 1,
    retrying: 1,
    ended: 1,
    left: 1,
  });
});
