import { expect } from 'vitest';
import { connect } from '../../../db/core/client.ts';
import { readRecord } from '../../../db/watch/read-record.ts';
import { findOldSnapshots, oldSnapshots } from '../../../db/watch/old-snapshots.ts';
import { freshDatabaseTest as test } from '../../support/database/database-test.ts';

test('counts the transactions since the oldest snapshot, and names its holder to any role', async ({
  database,
  sql,
}) => {
  const worker = connect(database.workerUrl, { max: 1, name: 'test' });
  const analyst = connect(database.url, { max: 1, name: 'an analyst' });
  try {
    expect(await findOldSnapshots(worker, 50)).toEqual([]);
    await analyst.begin('isolation level repeatable read', async (transaction) => {
      const [{ pid }] = await transaction<[{ pid: number }]>`select pg_backend_pid() as pid`;
      for (let each = 0; each < 60; each += 1) await sql`select pg_current_xact_id()`;
      const [found, ...others] = await findOldSnapshots(worker, 50);
      expect(others).toEqual([]);
      // The doctor's report has both. A replication slot is no session.
      const named = `${oldSnapshots.subjectType} ${found?.id}`;
      expect(named).toContain(`holder session ${pid} of `);
      expect(found?.text).toMatch(/^keeps the rows that the last \d+ transactions deleted$/);
      // Postgres shows another role not when the transaction began.
      const [seenByOwner] = await findOldSnapshots(sql, 50);
      expect(seenByOwner?.text).toMatch(/ transactions deleted, since \d{4}-\d\d-\d\dT[\d:]{8}Z$/);
      expect((await readRecord(worker)).snapshotOldestAge).toBeGreaterThanOrEqual(60);
      expect(await findOldSnapshots(worker)).toEqual([]);
    });
    expect(await findOldSnapshots(worker, 50)).toEqual([]);
  } finally {
    await Promise.all([worker.end(), analyst.end()]);
  }
});

test('names the session that wrote and waits, and not the one that asks', async ({
  database,
  sql,
}) => {
  const asking = connect(database.url, { max: 1, name: 'test' });
  const writer = connect(database.url, { max: 1, name: 'a writer' });
  try {
    await writer.begin(async (transaction) => {
      const [{ pid }] = await transaction<[{ pid: number }]>`
        select pg_backend_pid() as pid, pg_current_xact_id()`;
      for (let each = 0; each < 60; each += 1) await sql`select pg_current_xact_id()`;
      const found = await findOldSnapshots(asking, 50);
      expect(found.map(({ id }) => id)).toEqual([expect.stringContaining(`session ${pid} of `)]);
    });
  } finally {
    await Promise.all([asking.end(), writer.end()]);
  }
});
