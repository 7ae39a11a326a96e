import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect, type Pool, type Sql } from '../../../db/core/client.ts';
import { compactCounters } from '../../../db/lists/compact-counters.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database/database.ts';
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

/** The load repeats its operations up to five times: a minute for each. */
const loadTimeoutMs = 5 * 60_000;

// Two runs separate the faults of concurrent begins from all others.
describe.each([
  { mayBeginAtOnce: false, mark: '' },
  { mayBeginAtOnce: true, mark: '' },
])(
  'after a load in which two may begin one delivery at once ($mayBeginAtOnce)',
  ({ mayBeginAtOnce, mark }) => {
    let database: TestDatabase;
    let sql: Pool;
    let load: LoadOutcome;

    beforeAll(async () => {
      database = await createTestDatabase();
      // Deadlocks are found soon, so that they do not stop the load.
      sql = connect(`${database.url}?deadlock_timeout=50`, { max: 8, name: 'test' });
      const subscribers = await Promise.all(Array.from({ length: 4 }, () => newSubscriber(sql)));
      load = await runLoad(sql, subscribers, {
        operations: 12_000,
        workers: 8,
        mayBeginAtOnce,
        isEnough: async ({ batches }) =>
          batches.length > 50 && Object.values(await countEnds(sql)).every((count) => count > 20),
      });
    }, loadTimeoutMs);
    afterAll(async () => {
      await sql.end({ timeout: 5 });
      await database.drop();
    });

    test('attempts ended in every way, each more than 20 times', async () => {
      for (const [name, count] of Object.entries(await countEnds(sql)))
        expect(count, name).toBeGreaterThan(20);
      expect(load.batches.length).toBeGreaterThan(50);
    });

    test('none of it was ended by a deadlock', () => {
      expect(load.deadlocks).toEqual([]);
    });

    test(`${mark}each delivery agrees with its attempts`, async () => {
      await expectDeliveriesToAgree(sql);
    });

    test('none that waits is forgotten', async () => {
      await expectNoneToBeForgotten(sql, load);
    });

    test('the kept counts are true, before a compact and after it', async () => {
      await expectCountsToBeTrue(sql);
      await compactCounters(sql);
      await expectCountsToBeTrue(sql);
    });
  },
);
