import { describe, expect, onTestFinished } from 'vitest';
import type { Sql } from '../../../db/core/client.ts';
import { createTestDatabase } from '../../support/database/database.ts';
import { seedVariant } from '../../support/seeds/seed.ts';
import { addVendor, pool } from '../../db/support.ts';
import {
  byClientClock,
  byWatermark,
  pollDuringLoad,
  withPages,
  type Load,
  type PollMode,
} from './change-load.ts';
import {
  changeTest as test,
  later,
  openChange,
  pollFrom,
  vendorWithOrders,
  type Fixtures,
} from '../../db/lists/change-times-fixture.ts';

// D38: a client that polls by change time misses no change, whatever commits meanwhile.

/** Three new vendors, so that each load starts with empty lists. */
const newLoad = async ({ sql, variantId }: Fixtures): Promise<Load> => ({
  sql,
  variantId,
  vendors: await Promise.all([1, 2, 3].map(() => addVendor(sql))),
});

async function expectNothingMissed(
  fixtures: Fixtures,
  modeOf: (index: number) => PollMode,
): Promise<void> {
  const polled = await pollDuringLoad(await newLoad(fixtures), modeOf);
  for (const { seen, missed, stored } of polled) {
    expect([...missed]).toEqual([]);
    expect(Object.fromEntries(seen)).toEqual(Object.fromEntries(stored));
    expect(stored.size).toBeGreaterThan(20);
  }
}

describe('while writers create, assign, pack and patch orders', () => {
  test.for([1, 2, 3])(
    'a poller by nextChangedSince, from pages of %s on, misses no change',
    (pageSize, { sql, variantId }) =>
      expectNothingMissed({ sql, variantId }, (index) =>
        byWatermark(((pageSize + index - 1) % 3) + 1),
      ),
  );

  test('a poller by its own clock, read before its last request, misses no change', ({
    sql,
    variantId,
  }) => expectNothingMissed({ sql, variantId }, () => byClientClock));

  test.for([
    ['the last page’s nextChangedSince', withPages(byWatermark(3))],
    ['its own clock', withPages({ ...byClientClock, pageSize: 3 })],
  ] as const)(
    'a poller that reads every page and continues from %s misses no change',
    ([_name, mode], { sql, variantId }) => expectNothingMissed({ sql, variantId }, () => mode),
  );
});

/** A database of its own, in which `breakIt` removes one protection. */
async function brokenDatabase(breakIt: (sql: Sql) => PromiseLike<unknown>): Promise<Fixtures> {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const sql = pool(database.url);
  await breakIt(sql);
  return { sql, variantId: await seedVariant(sql) };
}

/** The change time is the clock's, without the lock that orders changes. */
const withoutLock = (sql: Sql) => sql`
  create or replace function next_change_time(of_vendors uuid[]) returns timestamptz
  language plpgsql volatile as $$
  begin
    return clock_timestamp();
  end $$`;

/** A poll does not wait for changes that have not committed. */
const withoutWait = (sql: Sql) => sql`
  create or replace function wait_for_pending_changes(of_vendor uuid) returns void
  language sql volatile as $$ select $$`;

/** The later pages of a delta show the current list, from which rows have moved. */
const withoutSnapshots = (sql: Sql) =>
  sql`
    create function forget() returns trigger language plpgsql as $$ begin return null; end $$;
    create trigger forgets before insert on page_snapshots
    for each row execute function forget()`.simple();

describe('the checks above can fail', () => {
  test.for([
    ['without the lock, a poller by nextChangedSince', withoutLock, byWatermark(2)],
    ['without the lock, a poller by its own clock', withoutLock, byClientClock],
    ['without the wait, a poller by its own clock', withoutWait, byClientClock],
    [
      'without page snapshots, a poller that reads every page',
      withoutSnapshots,
      withPages(byWatermark(3)),
    ],
  ] as const)('%s misses changes', async ([_name, breakIt, mode]) => {
    const fixtures = await brokenDatabase(breakIt);
    // Timing decides whether a poller misses a change, so the load repeats.
    const missed: unknown[] = [];
    for (let loads = 0; loads < 5 && missed.length === 0; loads += 1) {
      const polled = await pollDuringLoad(await newLoad(fixtures), () => mode);
      missed.push(...polled.flatMap((poller) => [...poller.missed]));
    }
    expect(missed).not.toEqual([]);
  });

  test('without the lock, no poll sees a change that commits after a later one', async () => {
    const fixtures = await brokenDatabase(withoutLock);
    const { sql } = fixtures;
    const { vendorId, first, second, since } = await vendorWithOrders(fixtures);
    const held = await openChange(sql, first);
    await later(sql, second);
    const polled = await pollFrom(sql, vendorId, since);
    expect(polled.ids).toEqual([second]);
    await held.end();
    expect(await pollFrom(sql, vendorId, polled.next)).toEqual({ ids: [], next: polled.next });
  });
});
