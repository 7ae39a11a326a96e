import { expect } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { findLatestAttempt, listAttempts } from '../../../../db/webhooks/attempts/attempt-list.ts';
import { type Sql } from '../../../../db/core/client.ts';
import { captureStatements } from '../../../../bench/harness/postgres/statements.ts';
import { summarizePlan } from '../../../../bench/harness/postgres/plans.ts';
import * as rows from '../delivery-rows.ts';
import { databaseTest } from '../../../support/database/database-test.ts';

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

test('the first page has its subscription’s newest attempts alone, the total counts all', async ({
  sql,
  big,
  small,
}) => {
  const { items, totalCount } = await listAttempts(sql, small.subscriptionId, {
    page: 1,
    pageSize: 3,
  });
  expect(items.map(({ attemptNumber }) => attemptNumber)).toEqual([7, 6, 5]);
  expect(totalCount).toBe(7);
  const { totalCount: all } = await listAttempts(sql, big.subscriptionId, { page: 1, pageSize: 1 });
  expect(all).toBe(bigCount);
});

test('the pages have each attempt once, newest first, also where instants are equal', async ({
  sql,
  big,
}) => {
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

test('the page is found in the index alone, and only the attempts on it are read', async ({
  sql,
  big,
}) => {
  const request = { page: 1, pageSize: 20 };
  const statements = await captureStatements(sql, () =>
    listAttempts(sql, big.subscriptionId, request),
  );
  const page = statements.find(({ text }) => text.includes('limit'));
  if (page === undefined) throw new Error('a list is a page and a count');
  const { steps, buffers } = await summarizePlan(sql, page);
  expect(steps).toContain('webhook_attempts_newest (index only)');
  expect(steps).not.toMatch(/Seq Scan|read for nothing/);
  // The index's few, and for each attempt its own: none for what is not on the page.
  expect(buffers).toBeLessThan(request.pageSize * 5);
});

test('the total comes from the kept counts, and a page beyond it reads no attempt', async ({
  sql,
  big,
}) => {
  const plansOf = async (page: number) => {
    const statements = await captureStatements(sql, () =>
      listAttempts(sql, big.subscriptionId, { page, pageSize: 20 }),
    );
    const count = statements.find(({ text }) => text.includes('as total'));
    if (count === undefined) throw new Error('no statement has the total');
    return summarizePlan(sql, count);
  };
  const { steps, buffers } = await plansOf(1_000_000);
  expect(steps).toContain('attempt_counts');
  expect(buffers).toBeLessThan(20);
  expect((await plansOf(1)).buffers).toBeLessThan(20 * 5);
});

test('a delivery’s latest attempt has the highest number; before the first there is none', async ({
  sql,
  small,
}) => {
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
