import { expect, test } from 'vitest';
import { connect, type Sql } from '../../../db/core/client.ts';
import { compactCounters } from '../../../db/lists/compact-counters.ts';
import { createTestDatabase } from '../../support/database/database.ts';
import {
  expectCountsToBeTrue,
  expectDeliveriesToAgree,
  expectNoneToBeForgotten,
} from '../../db/webhooks/delivery-invariants.ts';
import { newSubscriber } from '../../db/webhooks/delivery-rows.ts';
import { runLoad, type LoadOutcome } from './delivery-load.ts';

/** How many attempts ended in each way. */
async function countEnds(sql: Sql): Promise<Readonly<Record<string, number>>> {
  const [counts] = await sql<[Readonly<Record<string, number>>]>`
    select count(*) filter (where succeeded)::int as succeeded,
      count(*) filter (where dead_lettered_at is not null)::int as dead_lettered,
      count(*) filter (where error_summary = 'subscription_inactive')::int as inactive,
      count(*) filter (where error_summary like 'worker_lost%')::int as lost,
      count(*) filter (where error_summary = 'http_status 500')::int as failed
    from webhook_attempts`;
  return counts;
}

// Two runs separate the faults of concurrent begins from all others.
test.for([false, true])(
  'after a load in which two may begin one delivery at once (%s), the record agrees with itself',
  // The load repeats its operations up to five times: a minute for each.
  { timeout: 5 * 60_000 },
  async (mayBeginAtOnce, { onTestFinished }) => {
    const database = await createTestDatabase();
    // Deadlocks are found soon, so that they do not stop the load.
    const sql = connect(`${database.url}?deadlock_timeout=50`, { max: 8, name: 'test' });
    onTestFinished(async () => {
      await sql.end({ timeout: 5 });
      await database.drop();
    });
    const subscribers = await Promise.all(Array.from({ length: 4 }, () => newSubscriber(sql)));
    const isEnough = async ({ batches }: LoadOutcome) =>
      batches.length > 50 && Object.values(await countEnds(sql)).every((count) => count > 20);
    const load = await runLoad(sql, subscribers, {
      operations: 12_000,
      workers: 8,
      mayBeginAtOnce,
      isEnough,
    });
    // Attempts have ended in every way.
    expect(await isEnough(load)).toBe(true);
    expect(load.deadlocks).toEqual([]);
    await expectDeliveriesToAgree(sql);
    await expectNoneToBeForgotten(sql, load);
    await expectCountsToBeTrue(sql);
    await compactCounters(sql);
    await expectCountsToBeTrue(sql);
  },
);
