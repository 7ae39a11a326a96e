import { expect } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { findLatestAttempt, listAttempts } from '../../../../db/webhooks/attempts/attempt-list.ts';
import * as rows from '../delivery-rows.ts';
import { databaseTest } from '../../../support/database/database-test.ts';
import { entriesReadBy } from '../../../support/database/entries-read.ts';
import { pool } from '../../support.ts';

const attemptCount = 5000;

/** Attempts a second apart, the last one now; every tenth pair shares its instant. */
const test = databaseTest.extend('subscriptionId', { scope: 'file' }, async ({ sql }) => {
  const subscriber = await rows.newSubscriber(sql);
  const { subscriptionId } = subscriber;
  await sql`
    insert into webhook_attempts (id, delivery_id, subscription_id, attempt_number, event_type,
      event_id, succeeded, next_attempt_at, created_at)
    select uuidv7(), ${await rows.addDelivery(sql, subscriber)}, ${subscriptionId}, i,
      ${rows.eventType}, 'evt', true, now(),
      now() + (i - i % 10 / 9 - ${attemptCount}) * interval '1 second'
    from generate_series(1, ${attemptCount}::int) as i`;
  await sql`vacuum (analyze) webhook_attempts`;
  return subscriptionId;
});

test('pages through each attempt once, the newest first', async ({ sql, subscriptionId }) => {
  const pageSize = 100;
  const seen: string[] = [];
  for (let page = 1; page <= attemptCount / pageSize + 1; page += 1) {
    const { items, totalCount } = await listAttempts(sql, subscriptionId, { page, pageSize });
    expect(totalCount).toBe(attemptCount);
    seen.push(...items.map(({ id }) => id));
  }
  const stored = await sql<{ id: string }[]>`
    select id from webhook_attempts where subscription_id = ${subscriptionId}
    order by created_at desc, id desc`;
  expect(seen).toEqual(stored.map(({ id }) => id));
});

test.for([
  [1, 40],
  [1_000_000, 0],
] as const)(
  'page %d and its total read at most %d attempts',
  async ([page, max], { database, subscriptionId }) => {
    const connection = pool(database.url, 1);
    const read = await entriesReadBy(connection, 'webhook_attempts', (reader) =>
      listAttempts(reader, subscriptionId, { page, pageSize: 20 }),
    );
    expect(read).toBeLessThanOrEqual(max);
  },
);

test('finds the attempt with the highest number, or none', async ({ sql }) => {
  const deliveryId = await rows.addDelivery(sql, await rows.newSubscriber(sql));
  expect(await findLatestAttempt(sql, deliveryId)).toBeNull();
  expect(await findLatestAttempt(sql, uuidv7())).toBeNull();
  await rows.attempt(sql, deliveryId);
  await rows.attempt(sql, deliveryId, rows.success, 1);
  expect(await findLatestAttempt(sql, deliveryId)).toMatchObject({
    attemptNumber: 2,
    succeeded: true,
  });
});
