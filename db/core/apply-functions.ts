import type postgres from 'postgres';
import type { Sql } from './client.ts';
import { hasSqlstate } from './failure.ts';
import { applyWithBackOff, readApplied, type Log, type SqlFile } from './sql-files.ts';

/**
 * Applies each file whose text differs from the applied one. A file holds one function, which has
 * the file's name, and its triggers. If a file is gone, its function stays and each migration logs
 * it, because processes of an earlier version may still call it: a later migration drops it. A
 * migration also drops a trigger that a file no longer creates.
 */
export async function applyFunctions(
  sql: Sql,
  functions: readonly SqlFile[],
  log: Log,
): Promise<void> {
  const { applied, pending } = await readPending(sql, functions);
  for (const file of inOrderOfCalls(pending)) {
    await applyWithBackOff(sql, file.name, log, async (transaction) => {
      await replaceFunction(transaction, file);
      await transaction`
        insert into schema_functions (name, checksum) values (${file.name}, ${file.checksum})
        on conflict (name) do update set checksum = excluded.checksum, applied_at = now()`;
    });
  }
  for (const name of applied.keys()) {
    if (functions.some((file) => file.name === name)) continue;
    if ((await signaturesOf(sql, name)).length > 0)
      log(`kept the function of ${name}, whose file is gone; drop it in a migration`);
    else await sql`delete from schema_functions where name = ${name}`;
  }
}

/** What a database has, and the files whose text differs from it. */
export async function readPending(sql: Sql, functions: readonly SqlFile[]) {
  const applied = await readApplied(sql, 'schema_functions');
  const pending = functions.filter(({ name, checksum }) => applied.get(name) !== checksum);
  return { applied, pending };
}

const functionOf = (fileName: string): string => fileName.replace('.sql', '');

/**
 * The files, each after the files of the functions that it calls: a process that works meanwhile
 * calls a function, or causes a trigger, as soon as its file is applied.
 */
export function inOrderOfCalls(files: readonly SqlFile[]): readonly SqlFile[] {
  const ordered = new Set<SqlFile>();
  const add = (file: SqlFile, callers: readonly SqlFile[]): void => {
    if (ordered.has(file) || callers.includes(file)) return;
    const isCalled = ({ name }: SqlFile) =>
      new RegExp(`\\b${functionOf(name)}\\s*\\(`, 'i').test(file.text);
    for (const called of files.filter(isCalled)) add(called, [...callers, file]);
    ordered.add(file);
  };
  for (const file of files) add(file, []);
  return [...ordered];
}

const signaturesOf = (sql: postgres.ISql, fileName: string) => sql<{ signature: string }[]>`
  select oid::regprocedure::text as signature from pg_proc
  where pronamespace = current_schema()::regnamespace
    and proname = ${functionOf(fileName)}`;

const invalidFunctionDefinition = '42P13';

/**
 * `create or replace` cannot change a result type or a parameter's name, and another list of
 * parameters leaves the old function beside the new one. In these cases the old function is dropped
 * and the file is applied again. A trigger function has no parameters, so no trigger is lost.
 */
async function replaceFunction(
  transaction: postgres.TransactionSql,
  { name, text }: SqlFile,
): Promise<void> {
  const isReplaced = await transaction
    .savepoint((savepoint) => savepoint.unsafe(text))
    .then(
      () => true,
      (error: unknown) => {
        if (hasSqlstate(error, invalidFunctionDefinition)) return false;
        throw error;
      },
    );
  const signatures = await signaturesOf(transaction, name);
  if (isReplaced && signatures.length === 1) return;
  for (const { signature } of signatures) await transaction.unsafe(`drop function ${signature}`);
  await transaction.unsafe(text);
  if ((await signaturesOf(transaction, name)).length !== 1)
    throw new Error(`${name} must define one function, which has the name of the file`);
}
