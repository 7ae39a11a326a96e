import { expect, vi } from 'vitest';
import { connect, type Sql } from '../../../db/core/client.ts';
import { databaseFailureCode } from '../../../db/core/failure.ts';
import { databaseTest } from '../../support/database/database-test.ts';

/**
 * postgres.js 3.4.9 throws out of a timer, and so ends the process, when a transaction's connection
 * is lost (its issues 1154 and 1208). `patches/` mends that; these tests hold it.
 */

const waiting = { timeout: 20_000, interval: 20 };

const test = databaseTest
  .extend('sql', { scope: 'file' }, ({ database }, { onCleanup }) => {
    const sql = connect(database.url, { max: 4, name: 'victim' });
    onCleanup(() => sql.end({ timeout: 1 }));
    return sql;
  })
  .extend('admin', { scope: 'file' }, ({ database }, { onCleanup }) => {
    const admin = connect(database.url, { max: 1, name: 'killer' });
    onCleanup(() => admin.end({ timeout: 5 }));
    return admin;
  });

const killAll = (admin: Sql) => admin`
  select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and application_name = 'victim'`;

test('a transaction whose connection is lost rejects, and the pool keeps working', async ({
  sql,
  admin,
}) => {
  for (let round = 0; round < 20; round += 1) {
    const lost = await sql
      .begin(async (transaction) => {
        await transaction`select 1`;
        await killAll(admin);
        await transaction`select 2`;
      })
      .catch((error: unknown) => error);
    expect(databaseFailureCode(lost)).toBe('SERVICE_UNAVAILABLE');
    await vi.waitFor(
      async () => expect(await sql`select 3 as three`).toEqual([{ three: 3 }]),
      waiting,
    );
  }
});

test('statements under way on many connections fail as an outage, and later ones succeed', async ({
  sql,
  admin,
}) => {
  for (let round = 0; round < 5; round += 1) {
    const running = Array.from({ length: 20 }, () =>
      sql
        .begin((transaction) => transaction`select pg_sleep(0.2)`)
        .catch((error: unknown) => error),
    );
    await vi.waitFor(async () => {
      const [row] = await admin<[{ count: number }]>`
        select count(*)::int as count from pg_stat_activity
        where application_name = 'victim' and query like '%pg_sleep%' and state = 'active'`;
      expect(row.count).toBeGreaterThan(0);
    }, waiting);
    await killAll(admin);
    for (const result of await Promise.all(running)) {
      if (result instanceof Error) expect(databaseFailureCode(result)).toBe('SERVICE_UNAVAILABLE');
    }
    await vi.waitFor(async () => expect(await sql`select 1 as one`).toEqual([{ one: 1 }]), waiting);
  }
});

test('no work is left waiting and no rejection unheard, however often connections fail', async ({
  sql,
  admin,
}) => {
  const over = new AbortController();
  const killer = (async () => {
    while (!over.signal.aborted) {
      await killAll(admin);
      await sql`select pg_sleep(0.05)`.catch(() => undefined);
    }
  })();
  const settled = await Promise.allSettled(
    Array.from({ length: 300 }, (_, index) =>
      index % 3 === 0
        ? sql`select pg_sleep(0.005)`
        : sql.begin(async (transaction) => {
            await transaction`select ${'x'.repeat(index % 5 === 0 ? 5000 : 10)}`;
            await Promise.all([transaction`select pg_sleep(0.005)`, transaction`select 2`]);
          }),
    ),
  );
  over.abort();
  await killer;
  for (const result of settled) {
    if (result.status === 'rejected')
      expect(databaseFailureCode(result.reason)).toBe('SERVICE_UNAVAILABLE');
  }
  await vi.waitFor(async () => expect(await sql`select 1 as one`).toEqual([{ one: 1 }]), waiting);
});
