import { expect, test, inject, onTestFinished } from 'vitest';
import { applyMigrations, migrate } from '../../../db/core/migrate.ts';
import { readSqlFiles, toSqlFile } from '../../../db/core/sql-files.ts';
import { addVendor, createEmptyDatabase, deferred, pool, countOf } from '../support.ts';
import { untilAnyLockWait } from '../../support/database/locks.ts';
import { randomBytes, randomUUID } from 'node:crypto';
import postgres from 'postgres';
import { v7 as uuidv7 } from 'uuid';
import { claimFirstAttempts } from '../../../db/webhooks/delivery-batches.ts';
import * as rows from '../webhooks/delivery-rows.ts';

const first = { name: '0001-a.sql', text: 'create table a (id integer)', checksum: 'a' };
const second = { name: '0002-b.sql', text: 'create table b (id integer)', checksum: 'b' };

/** A log that keeps its lines. */
function keeper() {
  const lines: string[] = [];
  return { lines, log: (line: string) => lines.push(line) };
}

test('the migrations of the repository bring an empty database up, once', async () => {
  const url = await createEmptyDatabase();
  const { lines, log } = keeper();
  await migrate(url, log);
  expect(lines.length).toBeGreaterThanOrEqual(3);
  expect(lines).toEqual(lines.toSorted());
  await migrate(url, log);
  expect(new Set(lines).size).toBe(lines.length);
});

test('migrators at once apply each migration once', async () => {
  const url = await createEmptyDatabase();
  const { lines, log } = keeper();
  await Promise.all([migrate(url, log), migrate(url, log), migrate(url, log)]);
  const names = await pool(url)<{ name: string }[]>`
    select name from schema_migrations union all select name from schema_functions order by name`;
  expect(lines).toEqual(names.map(({ name }) => `applied ${name}`));
});

test('only what is missing is applied, in the order of the names', async () => {
  const sql = pool(await createEmptyDatabase(), 1);
  const { lines, log } = keeper();
  await applyMigrations(sql, [first], log);
  await applyMigrations(sql, [first, second], log);
  expect(lines).toEqual(['applied 0001-a.sql', 'applied 0002-b.sql']);
});

test('an applied migration that was changed is refused, and nothing new is applied', async () => {
  const sql = pool(await createEmptyDatabase(), 1);
  const { lines, log } = keeper();
  await applyMigrations(sql, [first], log);
  const changed = { ...first, checksum: 'other' };
  await expect(applyMigrations(sql, [changed, second], log)).rejects.toThrow(
    '0001-a.sql was changed',
  );
  expect(lines).toEqual(['applied 0001-a.sql']);
});

test('an applied migration that is gone is refused, and nothing new is applied', async () => {
  const sql = pool(await createEmptyDatabase(), 1);
  const { lines, log } = keeper();
  await applyMigrations(sql, [first], log);
  await expect(applyMigrations(sql, [second], log)).rejects.toThrow(
    '0001-a.sql was applied but its file',
  );
  expect(lines).toEqual(['applied 0001-a.sql']);
});

// D149.
test.for([
  ['create table customers (id integer)', 'the table customers'],
  ['create function total() returns integer language sql return 1', 'the function total'],
])('the database of another program is refused and named: %s', async ([statement, named]) => {
  const url = await createEmptyDatabase();
  const sql = pool(url, 1);
  await sql.unsafe(statement ?? '');
  const { lines, log } = keeper();
  await expect(migrate(url, log)).rejects.toThrow(`another program: it has ${named}, and no table`);
  expect(lines).toEqual([]);
  expect(await sql`select from pg_tables where tablename like 'schema_%'`).toEqual([]);
});

test('migrates an empty database with an extension', async () => {
  const url = await createEmptyDatabase();
  await pool(url, 1)`create extension pg_trgm`;
  await migrate(url, () => undefined);
});

// D110.
test('the database of a newer version stays as it is', async () => {
  const url = await createEmptyDatabase();
  await migrate(url, () => undefined);
  const sql = pool(url, 1);
  await sql`insert into schema_migrations (name, checksum) values ('9999-next.sql', 'next')`;
  await sql`update schema_functions set checksum = 'of the newer version'`;
  const { lines, log } = keeper();
  await migrate(url, log);
  expect(lines).toEqual([
    'the database is that of a newer version (9999-next.sql); nothing is changed',
  ]);
  const checksums = await sql`select distinct checksum from schema_functions`;
  expect(checksums).toEqual([{ checksum: 'of the newer version' }]);
});

test('refuses a database of before a rewrite of the migrations, also one with more of them', async () => {
  const url = await createEmptyDatabase();
  await migrate(url, () => undefined);
  const sql = pool(url, 1);
  await sql`update schema_migrations set checksum = 'before' where name like '0001-%'`;
  await sql`insert into schema_migrations (name, checksum) values ('9999-next.sql', 'next')`;
  await expect(migrate(url, () => undefined)).rejects.toThrow(
    'migration 0001-accounts.sql was changed after it was applied',
  );
});

test('a migration that fails leaves nothing of itself, and those before it stay', async () => {
  const sql = pool(await createEmptyDatabase(), 1);
  const failing = {
    name: '0002-b.sql',
    text: 'create table b (id integer); select 1 / 0',
    checksum: 'b',
  };
  await expect(applyMigrations(sql, [first, failing], () => undefined)).rejects.toThrow(
    'division by zero',
  );
  const [row] =
    await sql`select to_regclass('a') is not null as a, to_regclass('b') is not null as b`;
  expect(row).toEqual({ a: true, b: false });
  expect(await sql`select name from schema_migrations`).toEqual([{ name: '0001-a.sql' }]);
  await applyMigrations(sql, [first, second], () => undefined);
  expect(await sql`select name from schema_migrations order by name`).toHaveLength(2);
});

test('each migration has a number of its own, apart from two', async () => {
  const numbers = (await readSqlFiles('migrations')).map(({ name }) => name.slice(0, 4));
  for (const number of numbers) expect(number).toMatch(/^\d{4}$/);
  // Both were applied under their names before this test: a database refuses other names.
  expect(numbers.filter((number, index) => numbers.indexOf(number) !== index)).toEqual(['0010']);
});

test('a migration that waits for a lock lets later statements pass', async () => {
  const url = await createEmptyDatabase();
  const [sql, reader, migrating] = [pool(url), pool(url, 1), pool(url, 1)];
  await migrate(url, () => undefined);
  const all = await readSqlFiles('migrations');
  const added = toSqlFile('9999-added.sql', 'alter table vendors add column added text');
  const { lines, log } = keeper();
  const [read, released] = [deferred<void>(), deferred<void>()];
  const backup = reader.begin('read only', async (transaction) => {
    await transaction`select from vendors`;
    read.resolve();
    await released.promise;
  });
  await read.promise;
  const migrated = applyMigrations(migrating, [...all, added], log);
  await untilAnyLockWait(sql);
  // Waits behind the migration, until the migration steps back.
  await addVendor(sql);
  await expect
    .poll(() => lines[0], { timeout: 10_000, interval: 5 })
    .toBe('waiting for a transaction that locks what 9999-added.sql changes');
  released.resolve();
  await backup;
  await migrated;
  expect(lines.at(-1)).toBe('applied 9999-added.sql');
});

/** The URL of an empty database whose owner is no superuser, as a managed Postgres gives it. */
async function createOwnedDatabase(): Promise<string> {
  const owner = `test_owner_${randomUUID().replaceAll('-', '')}`;
  const password = randomBytes(16).toString('hex');
  const admin = postgres(inject('postgresAdminUrl'), { max: 1 });
  await admin.unsafe(`create role ${owner} login createrole password '${password}'`);
  // Runs after the database is dropped, because hooks run in reverse order.
  onTestFinished(async () => {
    await admin.unsafe(`drop role ${owner}`);
    await admin.end();
  });
  const url = new URL(await createEmptyDatabase());
  await admin.unsafe(`alter database ${url.pathname.slice(1)} owner to ${owner}`);
  url.username = owner;
  url.password = password;
  return url.href;
}

test('an owner without superuser rights migrates, and deliveries run', async () => {
  const url = await createOwnedDatabase();
  await migrate(url, () => undefined);
  const sql = pool(url, 1);
  const [{ isSuperuser }] = await sql<[{ isSuperuser: boolean }]>`
    select rolsuper as is_superuser from pg_roles where rolname = current_user`;
  expect(isSuperuser).toBe(false);

  const subscriber = await rows.newSubscriber(sql);
  const deliveryId = await rows.addDelivery(sql, subscriber);
  const batch = { batchId: uuidv7(), claimedMax: 10, begunMax: 10, leaseMs: 10_000 };
  const { deliveries } = await claimFirstAttempts(sql, batch);
  expect(deliveries).toMatchObject([{ deliveryId, begun: { attemptNumber: 1 } }]);
  expect(await countOf(sql, 'webhook_attempts')).toBe(1);
});
