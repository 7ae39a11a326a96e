import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect, type Sql } from '../../../db/core/client.ts';
import { compactCounters } from '../../../db/lists/compact-counters.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import {
  expectCountsToBeTrue,
  expectDeliveriesToAgree,
  expectNoneToBeForgotten,
} from './delivery-invariants.ts';
import { newPlace } from './delivery-rows.ts';
import { weather, type Weathered } from './delivery-storm.ts';

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

// With two who begin one delivery at once, and without: what goes wrong by that alone is told apart.
describe.each([
  { mayBeginAtOnce: false, mark: '' },
  { mayBeginAtOnce: true, mark: '' },
])(
  'after a storm in which two may begin one delivery at once ($mayBeginAtOnce)',
  ({ mayBeginAtOnce, mark }) => {
    let database: TestDatabase;
    let sql: Sql;
    let storm: Weathered;

    beforeAll(async () => {
      database = await createTestDatabase();
      // Deadlocks are found soon, so that they do not stop the storm.
      sql = connect(`${database.url}?deadlock_timeout=50`, { max: 8, name: 'test' });
      const places = await Promise.all(Array.from({ length: 4 }, () => newPlace(sql)));
      storm = await weather(sql, places, {
        operations: 12_000,
        workers: 8,
        mayBeginAtOnce,
        isEnough: async ({ dispatches }) =>
          dispatches.length > 50 &&
          Object.values(await countEnds(sql)).every((count) => count > 20),
      });
    });
    afterAll(async () => {
      await sql.end({ timeout: 5 });
      await database.drop();
    });

    test('attempts ended in every way, each more than 20 times', async () => {
      for (const [name, count] of Object.entries(await countEnds(sql)))
        expect(count, name).toBeGreaterThan(20);
      expect(storm.dispatches.length).toBeGreaterThan(50);
    });

    test('none of it was ended by a deadlock', () => {
      expect(storm.deadlocks).toEqual([]);
    });

    test(`${mark}each delivery agrees with its attempts`, async () => {
      await expectDeliveriesToAgree(sql);
    });

    test('none that waits is forgotten', async () => {
      await expectNoneToBeForgotten(sql, storm);
    });

    test('the kept counts are true, before a fold and after it', async () => {
      await expectCountsToBeTrue(sql);
      await compactCounters(sql);
      await expectCountsToBeTrue(sql);
    });
  },
);
