import { expect } from 'vitest';
import type { Sql } from '../../../db/core/client.ts';
import { pruneBatchSize, pruneWebhookHistory } from '../../../db/webhooks/retention.ts';
import { ago, dayMs } from '../../support/webhooks/old-deliveries.ts';
import { addSubscription, addVendor, pool } from '../support.ts';
import { databaseTest } from '../../support/database/database-test.ts';

const test = databaseTest
  .extend('vendorId', ({ sql }) => addVendor(sql))
  .extend('subscriptionId', ({ sql, vendorId }) => addSubscription(sql, vendorId));

type Fixtures = { readonly sql: Sql; readonly vendorId: string; readonly subscriptionId: string };

/** Deliveries that succeeded so many days ago, each with its event, attempt and batch. */
async function fill({ sql, vendorId, subscriptionId }: Fixtures, count: number, days: number) {
  const age = `-${days} days`;
  await sql`
    with made as (
      insert into webhook_events (id, vendor_id, event_type, body, occurred_at)
      select 'evt_' || uuidv7(${age}::interval), ${vendorId}, 'vendor.offer.review-decision', '{}',
        now()
      from generate_series(1, ${count}) returning id
    ), deliveries as (
      insert into webhook_deliveries (id, event_id, subscription_id, vendor_id, event_type, state)
      select uuidv7(${age}::interval), id, ${subscriptionId}, ${vendorId},
        'vendor.offer.review-decision', 'succeeded' from made
      returning id, event_id
    ), attempts as (
      insert into webhook_attempts (id, delivery_id, subscription_id, attempt_number, event_type,
        event_id, succeeded, next_attempt_at, created_at)
      select uuidv7(${age}::interval), id, ${subscriptionId}, 1, 'vendor.offer.review-decision',
        event_id, true, now(), now() + ${age}::interval
      from deliveries returning delivery_id
    )
    insert into webhook_delivery_batches (id, delivery_ids)
    select uuidv7(${age}::interval), array[delivery_id] from attempts`;
}

const tables = [
  'webhook_deliveries',
  'webhook_attempts',
  'webhook_events',
  'webhook_delivery_batches',
  'webhook_subscriptions',
];

/** The rows that a batch reads, of all tables, by indexes or without. */
async function rowsReadByBatch(sql: Sql): Promise<number> {
  const readUpTo = async (): Promise<number> => {
    const [row] = await sql<[{ count: number }]>`
      select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int as count
      from pg_stat_user_tables where relname = any(${tables})`;
    return row.count;
  };
  const flush = () => sql`select pg_stat_force_next_flush()`;
  await flush();
  const before = await readUpTo();
  expect(await pruneWebhookHistory(sql, ago(30 * dayMs))).toMatchObject({
    deliveries: pruneBatchSize,
    events: pruneBatchSize,
    deliveryBatches: pruneBatchSize,
  });
  await flush();
  return (await readUpTo()) - before;
}

test('reads no more as the tables grow', async ({ database, sql, vendorId, subscriptionId }) => {
  // Statistics are those of a connection.
  const one = pool(database.url, 1);
  const fixtures = { sql, vendorId, subscriptionId };
  await fill(fixtures, 2 * pruneBatchSize, 31);
  await fill(fixtures, 1000, 1);
  await sql`analyze`;
  const ofFew = await rowsReadByBatch(one);
  for (let part = 0; part < 4; part += 1) await fill(fixtures, 10_000, 1);
  await sql`analyze`;
  const ofMany = await rowsReadByBatch(one);
  expect(ofMany).toBeLessThan(ofFew * 1.5);
}, 60_000);
