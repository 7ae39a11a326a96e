import { expect, test, inject, onTestFinished } from 'vitest';
import { inOrderOfCalls } from '../../../db/core/apply-functions.ts';
import { applyMigrations, migrate, requireServer } from '../../../db/core/migrate.ts';
import { readSqlFiles, toSqlFile } from '../../../db/core/sql-files.ts';
import { addVendor, countOf, createEmptyDatabase, emptyDatabase, pool } from '../support.ts';
import { held, untilAnyLockWait } from '../../support/database/locks.ts';
import { randomBytes, randomUUID } from 'node:crypto';
import postgres from 'postgres';
import type { Sql } from '../../../db/core/client.ts';
import * as rows from '../webhooks/delivery-rows.ts';

const first = { name: '0001-a.sql', text: 'create table a (id integer)', checksum: 'a' };
const second = { name: '0002-b.sql', text: 'create table b (id integer)', checksum: 'b' };

test('applies each migration once and in order with concurrent migrators', async () => {
  const { url, sql, lines, log } = await emptyDatabase();
  await Promise.all([migrate(url, log), migrate(url, log), migrate(url, log)]);
  await migrate(url, log);
  const names = await sql<{ name: string }[]>`
    select name from schema_migrations order by name`;
  const functions = inOrderOfCalls(await readSqlFiles('functions'));
  expect(names.length).toBeGreaterThan(20);
  // A snapshot has the transactions of all databases, so a migrator may wait for other tests.
  const waits = 'waiting for transactions that began before the functions were applied';
  expect(lines.filter((line) => line !== waits)).toEqual(
    [...names, ...functions].map(({ name }) => `applied ${name}`),
  );
});

test.for([
  ['was changed', [{ ...first, checksum: 'other' }, second]],
  ['was applied but its file is gone', [second]],
] as const)('refuses if a migration %s, and applies nothing', async ([fault, migrations]) => {
  const { sql, lines, log } = await emptyDatabase();
  await applyMigrations(sql, [first], log);
  await expect(applyMigrations(sql, migrations, log)).rejects.toThrow(`0001-a.sql ${fault}`);
  expect(lines).toEqual(['applied 0001-a.sql']);
});

// D149.
test.for([
  ['create table customers (id integer)', 'the table customers'],
  ['create function total() returns integer language sql return 1', 'the function total'],
])('refuses the database of another program, and names it: %s', async ([statement, named]) => {
  const { url, sql, lines, log } = await emptyDatabase();
  await sql.unsafe(statement ?? '');
  await expect(migrate(url, log)).rejects.toThrow(`another program: it has ${named}, and no table`);
  expect(lines).toEqual([]);
  expect(await sql`select from pg_tables where tablename like 'schema_%'`).toEqual([]);
});

test('refuses a Postgres without uuidv7(), which takes the schema and fails later', () => {
  expect(() => requireServer(170_009)).toThrow(
    'the server is Postgres 17; 18 is the oldest that works',
  );
  expect(() => requireServer(180_000)).not.toThrow();
});

test('migrates an empty database with an extension', async () => {
  const { url, sql, log } = await emptyDatabase();
  await sql`create extension pg_trgm`;
  await migrate(url, log);
});

test('changes nothing in the database of a newer version (D110)', async () => {
  const { url, sql, lines, log } = await emptyDatabase();
  await migrate(url, () => undefined);
  await sql`insert into schema_migrations (name, checksum) values ('9999-next.sql', 'next')`;
  await sql`update schema_functions set checksum = 'of the newer version'`;
  await migrate(url, log);
  expect(lines).toEqual([
    'the database belongs to a newer version (9999-next.sql); nothing is changed',
  ]);
  const checksums = await sql`select distinct checksum from schema_functions`;
  expect(checksums).toEqual([{ checksum: 'of the newer version' }]);
  // A rewrite of the migrations is none, whatever comes after them.
  await sql`update schema_migrations set checksum = 'before' where name like '0001-%'`;
  await expect(migrate(url, log)).rejects.toThrow(
    'migration 0001-accounts.sql was changed after it was applied',
  );
});

test('keeps nothing of a failed migration, and all before it', async () => {
  const { sql, lines, log } = await emptyDatabase();
  const failing = { ...second, text: `${second.text}; select 1 / 0` };
  await expect(applyMigrations(sql, [first, failing], log)).rejects.toThrow('division by zero');
  expect(
    await sql`select to_regclass('a') is not null as a, to_regclass('b') is not null as b`,
  ).toEqual([{ a: true, b: false }]);
  expect(await sql`select name from schema_migrations`).toEqual([{ name: '0001-a.sql' }]);
  await applyMigrations(sql, [first, second], log);
  expect(lines).toEqual(['applied 0001-a.sql', 'applied 0002-b.sql']);
});

test('continues a database that has each folded migration under its earlier name', async () => {
  const { url, sql, lines, log } = await emptyDatabase();
  await migrate(url, () => undefined);
  await sql`update schema_migrations set checksum = 'before' where name < '0009'`;
  await sql`
    insert into schema_migrations (name, checksum)
    values ('0009-earlier.sql', 'before'), ('0024-returned-offers.sql', 'before')`;
  await sql`delete from schema_migrations where name = '0086-room-for-results.sql'`;
  await migrate(url, log);
  expect(lines).toEqual(['applied 0086-room-for-results.sql']);
});

test('gives each migration its own number', async () => {
  const numbers = (await readSqlFiles('migrations')).map(({ name }) => name.slice(0, 4));
  for (const number of numbers) expect(number).toMatch(/^\d{4}$/);
  expect(new Set(numbers).size).toBe(numbers.length);
});

test('lets later statements pass while a migration waits for a lock', async () => {
  const { url, sql: migrating, lines, log } = await emptyDatabase();
  const sql = pool(url);
  await migrate(url, () => undefined);
  const all = await readSqlFiles('migrations');
  const added = toSqlFile('9999-added.sql', 'alter table vendors add column added text');
  const release = await held(pool(url, 1), (backup) => backup`select from vendors`);
  const migrated = applyMigrations(migrating, [...all, added], log);
  await untilAnyLockWait(sql);
  // Waits behind the migration, until the migration steps back.
  await addVendor(sql);
  await expect
    .poll(() => lines[0], { timeout: 10_000, interval: 5 })
    .toBe('waiting for a transaction that locks what 9999-added.sql changes');
  await release();
  await migrated;
  expect(lines.at(-1)).toBe('applied 9999-added.sql');
});

test.for([
  { text: 'create index concurrently added on vendors (name);', isThere: true },
  { text: 'drop index concurrently if exists added;', isThere: null },
])('lets writers continue while it changes an index: $text', async ({ text, isThere }) => {
  const { url, sql: migrating, lines, log } = await emptyDatabase();
  const sql = pool(url);
  await migrate(url, () => undefined);
  if (isThere === null) await sql`create index added on vendors (name)`;
  const all = await readSqlFiles('migrations');
  const release = await held(pool(url, 1), (writer) => addVendor(writer as Sql));
  const migrated = applyMigrations(migrating, [...all, toSqlFile('9999-added.sql', text)], log);
  await untilAnyLockWait(sql);
  await addVendor(sql);
  expect(lines).toEqual([]);
  await release();
  await migrated;
  expect(lines).toEqual(['applied 9999-added.sql']);
  expect(await isValidIndex(sql, 'added')).toBe(isThere);
});

test('applies a migration again after a deadlock', async () => {
  const { sql, lines, log } = await emptyDatabase();
  await sql`create sequence tries`;
  const text = `do $$ begin
    if nextval('tries') = 1 then raise 'a deadlock' using errcode = '40P01'; end if; end $$`;
  await applyMigrations(sql, [first, toSqlFile('0002-once.sql', text)], log);
  expect(lines).toEqual([
    'applied 0001-a.sql',
    'waiting for a transaction that locks what 0002-once.sql changes',
    'applied 0002-once.sql',
  ]);
});

test('gives the roles their rights on a new table before a function that writes it', async () => {
  const { url, sql } = await emptyDatabase();
  await migrate(url, () => undefined);
  // As a database whose newest migration has just made the table, and whose trigger is older.
  await sql`revoke all on waiting_offers from vendor_gateway_api`;
  await sql`delete from schema_functions where name = 'keep_waiting_offers.sql'`;
  const release = await held(pool(url, 1), (writer) => writer`lock offers in row exclusive mode`);
  const migrated = migrate(url, () => undefined);
  await untilAnyLockWait(sql);
  const [row] = await sql<[{ may: boolean }]>`
    select has_table_privilege('vendor_gateway_api', 'waiting_offers', 'insert') as may`;
  await release();
  await migrated;
  expect(row.may).toBe(true);
});

test('builds no index that a later migration drops', async () => {
  const { sql } = await emptyDatabase();
  const indexes =
    'create index concurrently gone on a (id);\ncreate index concurrently b on a (id);';
  const files = [
    first,
    toSqlFile('0002-indexes.sql', indexes),
    toSqlFile('0003-drop.sql', 'drop index if exists gone'),
  ];
  await sql`create table built (name text)`;
  await sql.unsafe(`
    create function note_index() returns event_trigger language plpgsql as $$ begin
      insert into built select object_identity from pg_event_trigger_ddl_commands()
      where object_type = 'index'; end $$;
    create event trigger note_indexes on ddl_command_end execute function note_index()`);
  await applyMigrations(sql, files, () => undefined);
  expect(await sql`select name from built where name not like '%schema%'`).toEqual([
    { name: 'public.b' },
  ]);
});

test('builds an index anew after a build that failed', async () => {
  const { sql, log } = await emptyDatabase();
  const unique = toSqlFile('0002-u.sql', 'create unique index concurrently u on a (id);');
  await applyMigrations(sql, [first], log);
  await sql`insert into a values (1), (1)`;
  await expect(applyMigrations(sql, [first, unique], log)).rejects.toThrow('could not create');
  expect(await isValidIndex(sql, 'u')).toBe(false);
  await sql`delete from a`;
  await applyMigrations(sql, [first, unique], log);
  expect(await isValidIndex(sql, 'u')).toBe(true);
});

test('builds each index of a table with rows beside writers', async () => {
  const added = (await readSqlFiles('migrations')).filter(({ name }) => name > '0009');
  for (const { name, text } of added)
    for (const [, table] of text.matchAll(/create (?:unique )?index \w+\s+on (\w+)/g))
      expect
        .soft(text, `${name}: create index concurrently`)
        .toMatch(new RegExp(`create (unlogged )?table ${table}\\b`));
});

/** Whether an index is complete; null without the index. */
async function isValidIndex(sql: Sql, name: string): Promise<boolean | null> {
  const [row] = await sql<{ isValid: boolean }[]>`
    select indisvalid as is_valid from pg_index where indexrelid = to_regclass(${name})`;
  return row?.isValid ?? null;
}

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

test('migrates as an owner without superuser rights, and deliveries run', async () => {
  const url = await createOwnedDatabase();
  await migrate(url, () => undefined);
  const sql = pool(url, 1);
  expect(await sql`select rolsuper from pg_roles where rolname = current_user`).toEqual([
    { rolsuper: false },
  ]);
  const subscriber = await rows.newSubscriber(sql);
  const deliveryId = await rows.addDelivery(sql, subscriber);
  const claimed = await rows.mustClaim(sql);
  expect(claimed).toMatchObject({ deliveryId, attemptNumber: 1 });
  await rows.record(sql, [claimed], rows.success);
  expect(await countOf(sql, 'webhook_attempts')).toBe(1);
});
