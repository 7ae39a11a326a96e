import { expect } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { findLatestAttempt, listAttempts } from '../../../../db/webhooks/attempts/attempt-list.ts';
import { type Sql } from '../../../../db/core/client.ts';
import * as rows from '../delivery-rows.ts';
import { databaseTest } from '../../../support/database/database-test.ts';
import { entriesReadBy } from '../../../support/database/entries-read.ts';
import { pool } from '../../support.ts';

const test = databaseTest
  .extend('big', { scope: 'file' }, ({ sql }) => rows.newSubscriber(sql))
  .extend('small', { scope: 'file' }, ({ sql }) => rows.newSubscriber(sql));

const bigCount = 5000;

/** Attempts a second apart, the last one now; every tenth pair shares its instant. */
async function seed(
  sql: Sql,
  { subscriptionId }: rows.Subscriber,
  deliveryId: string,
  count: number,
): Promise<void> {
  await sql`
    insert into webhook_attempts (id, delivery_id, subscription_id, attempt_number, event_type,
      event_id, succeeded, next_attempt_at, created_at)
    select uuidv7(), ${deliveryId}, ${subscriptionId}, i, ${rows.eventType}, 'evt', true, now(),
      now() + (i - i % 10 / 9 - ${count}) * interval '1 second'
    from generate_series(1, ${count}::int) as i`;
}

test.beforeAll(async ({ sql, big, small }) => {
  await seed(sql, big, await rows.addDelivery(sql, big), bigCount);
  await seed(sql, small, await rows.addDelivery(sql, small), 7);
  await sql`vacuum (analyze) webhook_attempts`;
});

test('lists a subscription’s newest attempts', async ({ sql, big, small }) => {
  const { items, totalCount } = await listAttempts(sql, small.subscriptionId, {
    page: 1,
    pageSize: 3,
  });
  expect(items.map(({ attemptNumber }) => attemptNumber)).toEqual([7, 6, 5]);
  expect(totalCount).toBe(7);
  const { totalCount: all } = await listAttempts(sql, big.subscriptionId, { page: 1, pageSize: 1 });
  expect(all).toBe(bigCount);
});

test('pages through each attempt once, also of one instant', async ({ sql, big }) => {
  const pageSize = 100;
  const seen: string[] = [];
  for (let page = 1; page <= bigCount / pageSize; page += 1) {
    const { items } = await listAttempts(sql, big.subscriptionId, { page, pageSize });
    seen.push(...items.map(({ id }) => id));
  }
  const stored = await sql<{ id: string }[]>`
    select id from webhook_attempts where subscription_id = ${big.subscriptionId}
    order by created_at desc, id desc`;
  expect(seen).toEqual(stored.map(({ id }) => id));
  expect((await listAttempts(sql, big.subscriptionId, { page: 51, pageSize })).items).toEqual([]);
});

test.for([
  [1, 40],
  [1_000_000, 0],
] as const)(
  'page %d and its total read at most %d attempts',
  async ([page, max], { database, big: { subscriptionId } }) => {
    const connection = pool(database.url, 1);
    const read = await entriesReadBy(connection, 'webhook_attempts', (reader) =>
      listAttempts(reader, subscriptionId, { page, pageSize: 20 }),
    );
    expect(read).toBeLessThanOrEqual(max);
  },
);

test('finds the attempt with the highest number, or none', async ({ sql, small }) => {
  const deliveryId = await rows.addDelivery(sql, small);
  expect(await findLatestAttempt(sql, deliveryId)).toBeNull();
  expect(await findLatestAttempt(sql, uuidv7())).toBeNull();
  await rows.attempt(sql, deliveryId);
  await rows.attempt(sql, deliveryId, rows.success, 1);
  expect(await findLatestAttempt(sql, deliveryId)).toMatchObject({
    attemptNumber: 2,
    succeeded: true,
  });
});
