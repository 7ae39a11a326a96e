import { join } from 'node:path';
import { expect, test as base } from 'vitest';
import { applyMigrations, migrate } from '../../../db/core/migrate.ts';
import { connect, type Pool } from '../../../db/core/client.ts';
import { readSqlFiles } from '../../../db/core/sql-files.ts';
import {
  dumpDatabase,
  postgresClient,
  restoreDump,
} from '../../support/database/postgres-client.ts';
import { createWorkspace, startTestPostgres } from '../../support/servers.ts';

/**
 * The restore of a dump, by the commands of docs/operating/backups.md. Without pg_dump it is
 * skipped.
 */

const silent = (): void => undefined;

/**
 * A gateway that was upgraded after `gateway.dump` in the folder, and another server with an empty
 * database and no roles.
 */
const test = base.extend('servers', { scope: 'file' }, async ({}, { onCleanup }) => {
  const workspace = await createWorkspace();
  const { folder, guard } = workspace;
  onCleanup(() => guard.release());
  const [current, other] = await Promise.all([
    startTestPostgres(workspace, {}, 'current'),
    startTestPostgres(workspace, {}, 'other'),
  ]);
  await migrateToEarlierVersion(current.url);
  await dumpDatabase(current.url, join(folder, 'gateway.dump'));
  await migrate(current.url, silent);
  return { folder, current, other };
});

async function withSql<T>(url: string, work: (sql: Pool) => Promise<T>): Promise<T> {
  const sql = connect(url, { max: 1, name: 'test' });
  try {
    return await work(sql);
  } finally {
    await sql.end();
  }
}
const query = (url: string, statement: string) =>
  withSql(url, async (sql) => [...(await sql.unsafe(statement))]);

/** A gateway of an earlier version: its last migrations are missing, and its roles have rights. */
const migrateToEarlierVersion = (url: string): Promise<unknown> =>
  withSql(url, async (sql) => {
    await applyMigrations(sql, (await readSqlFiles('migrations')).slice(0, -4), silent);
    await sql`create role vendor_gateway_api`;
    await sql`grant select on vendors to vendor_gateway_api`;
    await sql`
      insert into operators (id, operator_id, secret_sha256, roles)
      values (gen_random_uuid(), 'kept', sha256('secret'), '{Admin}')`;
  });
const expectOperator = async (url: string): Promise<void> =>
  expect(await query(url, 'select operator_id from operators')).toEqual([{ operatorId: 'kept' }]);

const schema = `select table_name, column_name from information_schema.columns
  where table_schema = 'public' order by 1, 2`;

test.skipIf(postgresClient === null)(
  'restores an older dump over a newer schema, and on a new server without roles',
  async ({ servers: { folder, current, other } }) => {
    const newest = await query(current.url, schema);
    await query(current.url, 'create table later (offer_id uuid references offers)');
    for (const { url } of [current, other]) {
      await restoreDump(url, folder);
      await migrate(url, silent);
      expect(await query(url, schema)).toEqual(newest);
      await expectOperator(url);
      const rights = `select has_table_privilege('vendor_gateway_api', 'offers', 'update') as api,
        has_table_privilege('vendor_gateway_worker', 'outbox', 'delete') as worker`;
      expect(await query(url, rights)).toEqual([{ api: true, worker: true }]);
    }
  },
);

test.skipIf(postgresClient === null)(
  'fails a restore beside an open connection, and changes nothing',
  async ({ servers: { folder, current } }) => {
    const { url } = current;
    for (const name of ['restored', 'before_restore'])
      await query(url, `drop database if exists ${name}`);
    await withSql(url, async (open) => {
      await open`select 1`;
      await expect(restoreDump(url, folder)).rejects.toThrow('is being accessed by other users');
    });
    await expectOperator(url);
  },
);
