import { v7 as uuidv7 } from 'uuid';
import { expect } from 'vitest';
import type { Sql } from '../../../db/core/client.ts';
import { claimOutboxMessages, type OutboxLane } from '../../../db/outbox/outbox.ts';
import { adoptDeliveries } from '../../../db/webhooks/delivery-batches.ts';
import { freshDatabaseTest as test } from '../../support/database/database-test.ts';
import { rowsReadAfter } from '../../support/database/rows-read.ts';
import {
  addManyDeliveries,
  claim,
  newSubscriber,
  record,
  success,
} from '../webhooks/delivery-rows.ts';

const waitingMessages = 3000;

test.for<OutboxLane>(['commands', 'all'])(
  'reads no more rows for a claim of the lane %s when thousands of messages wait',
  async (lane, { database, sql }) => {
    const read = await rowsReadAfter(database.url, 'outbox', {
      run: (claimer) => claimOutboxMessages(claimer, { limit: 10, lane, lowPriorityMax: 2 }),
      fill: () => sql`
        insert into outbox (kind, subject_id, payload, is_low_priority)
        select 'offerReview', uuidv7(), ${sql.json({ vendorId: uuidv7() })}, low.is_low
        from generate_series(1, ${waitingMessages}), (values (true), (false)) as low (is_low)`,
    });
    expect(read).toBeGreaterThanOrEqual(12);
    expect(read).toBeLessThan(100);
  },
);

test('reads few rows for first attempts', async ({ database, sql }) => {
  const subscriber = await newSubscriber(sql);
  const read = await rowsReadAfter(database.url, 'delivery_queue', {
    run: (claimer) => claim(claimer, { max: 10 }),
    fill: () => addManyDeliveries(sql, subscriber, waitingMessages),
  });
  expect(read).toBeGreaterThanOrEqual(10);
  expect(read).toBeLessThan(200);
});

test('reads few attempts to store results, without statistics', async ({ database, sql }) => {
  const subscriber = await newSubscriber(sql);
  const attempt = async (by: Sql, count: number): Promise<void> => {
    await addManyDeliveries(by, subscriber, count);
    for (let left = count; left > 0; left -= 100) await record(by, await claim(by), success);
  };
  const read = await rowsReadAfter(database.url, 'webhook_attempts', {
    run: (by) => attempt(by, 10),
    fill: () => attempt(sql, 500),
  });
  expect(read).toBeLessThan(100);
});

test('reads no deliveries where an earlier version has left nothing', async ({ database, sql }) => {
  const subscriber = await newSubscriber(sql);
  const read = await rowsReadAfter(database.url, 'webhook_deliveries', {
    run: (by) => adoptDeliveries(by),
    fill: () => addManyDeliveries(sql, subscriber, 500),
  });
  expect(read).toBe(0);
});
