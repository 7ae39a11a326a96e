import { expect, test } from 'vitest';
import { applyFunctions, inOrderOfCalls } from '../../../db/core/apply-functions.ts';
import { applyMigrations, migrate } from '../../../db/core/migrate.ts';
import { readSqlFiles, toSqlFile } from '../../../db/core/sql-files.ts';
import { emptyDatabase, pool } from '../support.ts';
import { held, untilAnyLockWait } from '../../support/database/locks.ts';

const doubled = (
  body: string,
  { name = 'doubled', parameters = 'n integer', result = 'integer' } = {},
) => {
  const signature = `${name}(${parameters}) returns ${result}`;
  const text = `create or replace function ${signature} language sql as $$ ${body} $$`;
  return toSqlFile(`${name}.sql`, text);
};

const counting = (delta: number) =>
  toSqlFile(
    'count_things.sql',
    `create or replace function count_things() returns trigger language plpgsql as $$
    begin
      update thing_count set total = total + ${delta};
      return null;
    end $$;
    create or replace trigger count_things after insert on things
      for each row execute function count_things()`,
  );

const things = toSqlFile(
  '0001-things.sql',
  `create table things (id integer);
  create table thing_count (total integer);
  insert into thing_count values (0)`,
);

test('applies only a changed function to an existing database again', async () => {
  const { sql, lines, log } = await emptyDatabase();
  const other = doubled('select n', { name: 'other' });
  await applyFunctions(sql, [doubled('select n + n'), other], log);
  await applyFunctions(sql, [doubled('select n + n'), other], log);
  expect(lines).toEqual(['applied doubled.sql', 'applied other.sql']);
  await applyFunctions(sql, [doubled('select 2 * n + 1'), other], log);
  expect(lines.slice(2)).toEqual(['applied doubled.sql']);
  expect(await sql`select doubled(2)`).toEqual([{ doubled: 5 }]);
});

test('applies a changed trigger function from then on, and keeps the table’s rows', async () => {
  const { sql, log } = await emptyDatabase();
  await applyMigrations(sql, [things], log);
  await applyFunctions(sql, [counting(1)], log);
  await sql`insert into things values (1)`;
  await applyFunctions(sql, [counting(10)], log);
  await sql`insert into things values (2)`;
  expect(await sql`select total from thing_count`).toEqual([{ total: 11 }]);
});

test.each([
  { change: 'another result type', parameters: 'n integer', result: 'bigint' },
  { change: 'another name of a parameter', parameters: 'm integer', result: 'integer' },
  { change: 'another type of a parameter', parameters: 'n bigint', result: 'bigint' },
  { change: 'one parameter more', parameters: 'n integer, m integer default 1', result: 'integer' },
])('replaces the old function by one with $change', async ({ parameters, result }) => {
  const { sql, log } = await emptyDatabase();
  await applyFunctions(sql, [doubled('select $1 + $1')], log);
  await applyFunctions(sql, [doubled('select $1 * 3', { parameters, result })], log);
  expect(await sql`select doubled(2)::int`).toEqual([{ doubled: 6 }]);
  expect(await sql`select from pg_proc where proname = 'doubled'`).toHaveLength(1);
});

test('replaces no function by another signature while something depends on it', async () => {
  const { sql, log } = await emptyDatabase();
  await applyFunctions(sql, [doubled('select $1 + $1')], log);
  await sql`create view shown as select doubled(2) as value`;
  const changed = doubled('select $1 * 3', { result: 'bigint' });
  await expect(applyFunctions(sql, [changed], log)).rejects.toThrow('other objects depend on it');
  expect(await sql`select value from shown`).toEqual([{ value: 4 }]);
});

test('refuses a file without a function of its name', async () => {
  const { sql, lines, log } = await emptyDatabase();
  const misnamed = { ...doubled('select n'), name: 'tripled.sql' };
  await expect(applyFunctions(sql, [misnamed], log)).rejects.toThrow(
    'tripled.sql must define one function',
  );
  expect(lines).toEqual([]);
  expect(await sql`select from pg_proc where proname = 'doubled'`).toEqual([]);
});

test('keeps a function whose file is deleted, and logs it until a migration drops it', async () => {
  const { sql, lines, log } = await emptyDatabase();
  await applyFunctions(sql, [doubled('select n + n')], log);
  await applyFunctions(sql, [], log);
  await applyFunctions(sql, [], log);
  const kept = 'kept the function of doubled.sql, whose file is gone; drop it in a migration';
  expect(lines).toEqual(['applied doubled.sql', kept, kept]);
  expect(await sql`select doubled(2)`).toEqual([{ doubled: 4 }]);
  await applyMigrations(sql, [toSqlFile('0001-drop.sql', 'drop function doubled')], log);
  await applyFunctions(sql, [], log);
  expect(lines.slice(3)).toEqual(['applied 0001-drop.sql']);
  await applyFunctions(sql, [doubled('select n + n')], log);
  expect(lines.at(-1)).toBe('applied doubled.sql');
});

test('waits for a writer of the trigger’s table, and blocks no other', async () => {
  const { url, sql, lines, log } = await emptyDatabase();
  const [writer, observer] = [pool(url, 1), pool(url)];
  await applyMigrations(sql, [things], log);
  const release = await held(writer, (transaction) => transaction`insert into things values (1)`);
  const applied = applyFunctions(sql, [counting(1)], log);
  await untilAnyLockWait(observer);
  await observer`insert into things values (2)`;
  await expect
    .poll(() => lines.at(-1), { timeout: 10_000, interval: 5 })
    .toBe('waiting for a transaction that locks what count_things.sql changes');
  await release();
  await applied;
  expect(lines.at(-1)).toBe('applied count_things.sql');
});

test('fills the lists of the domain into the functions that name them', async () => {
  const files = await readSqlFiles('functions');
  const textOf = (name: string) => files.find((file) => file.name === `${name}.sql`)?.text;
  expect(textOf('record_past_offers')).toContain("in ('Approved', 'PendingReview')");
  expect(textOf('reset_sandbox')).toContain("state in ('Queued', 'Running')");
  for (const { text } of files) expect(text).not.toMatch(/in \(\{/);
});

test('has one file for each function of the database, named after it', async () => {
  const names = (await readSqlFiles('functions')).map(({ name }) => name);
  expect(names).toEqual([...new Set(names)].toSorted());
  const { url, sql, log } = await emptyDatabase();
  await migrate(url, log);
  const functions = await sql<{ file: string }[]>`
    select proname || '.sql' as file from pg_proc where pronamespace = 'public'::regnamespace`;
  expect(new Set(functions.map(({ file }) => file))).toEqual(new Set(names));
});

test('applies each function after those that it calls, though names order them otherwise', async () => {
  const files = await readSqlFiles('functions');
  const names = files.map(({ name }) => name);
  const ordered = inOrderOfCalls(files);
  expect(ordered.map(({ name }) => name).toSorted()).toEqual(names);
  const laterThanCaller = ordered.flatMap(({ name, text }, index) =>
    ordered
      .slice(index + 1)
      .filter((later) => new RegExp(`\\b${later.name.replace('.sql', '')}\\(`).test(text))
      .map((later) => `${name} calls ${later.name}`),
  );
  expect(laterThanCaller).toEqual([]);
  expect(names.indexOf('index_waiting_offer.sql')).toBeLessThan(names.indexOf('words_of.sql'));
});
