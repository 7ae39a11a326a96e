import { expect } from 'vitest';
import type { Sql } from '../../../db/core/client.ts';
import { pruneBatchSize, pruneWebhookHistory } from '../../../db/webhooks/retention.ts';
import { ago, dayMs, seedManyDeliveries } from '../../support/webhooks/old-deliveries.ts';
import { addSubscription, addVendor, pool } from '../support.ts';
import { databaseTest } from '../../support/database/database-test.ts';

const test = databaseTest
  .extend('vendorId', ({ sql }) => addVendor(sql))
  .extend('subscriptionId', ({ sql, vendorId }) => addSubscription(sql, vendorId));

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
  const fill = (count: number, days: number) =>
    seedManyDeliveries(sql, { vendorId, subscriptionId }, { count, days, state: 'succeeded' });
  await fill(2 * pruneBatchSize, 31);
  await fill(1000, 1);
  await sql`analyze`;
  const ofFew = await rowsReadByBatch(one);
  for (let part = 0; part < 4; part += 1) await fill(10_000, 1);
  await sql`analyze`;
  const ofMany = await rowsReadByBatch(one);
  expect(ofMany).toBeLessThan(ofFew * 1.5);
}, 60_000);
