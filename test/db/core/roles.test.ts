import { describe, expect } from 'vitest';
import postgres from 'postgres';
import { pruneKeys } from '../../../db/idempotency/idempotency-keys.ts';
import { connect } from '../../../db/core/client.ts';
import { databaseTest } from '../../support/database/database-test.ts';

const test = databaseTest
  .extend('api', { scope: 'file' }, ({ database }, { onCleanup }) => {
    const pool = connect(database.apiUrl, { max: 2, name: 'test' });
    onCleanup(() => pool.end({ timeout: 5 }));
    return pool;
  })
  .extend('worker', { scope: 'file' }, ({ database }, { onCleanup }) => {
    const pool = connect(database.workerUrl, { max: 2, name: 'test' });
    onCleanup(() => pool.end({ timeout: 5 }));
    return pool;
  });

/** The SQLSTATE of a refused statement; null if the statement succeeds. */
const refusalOf = async (pool: postgres.Sql, statement: string): Promise<string | null> =>
  pool.unsafe(statement).then(
    () => null,
    (error: unknown) => (error instanceof postgres.PostgresError ? error.code : 'another error'),
  );
/** SQLSTATE insufficient_privilege. */
const refused = '42501';

const ofBoth = [
  'update audit_log set action = null',
  'delete from audit_log',
  'truncate audit_log',
  'update offer_status_changes set reason = null',
  'delete from offer_status_changes',
  'delete from vendors',
  'delete from offers',
  'delete from operators',
  'create table own_table (id integer)',
  'create function own_function() returns integer language sql as $$ select 1 $$',
  'create or replace function emit_events() returns integer language sql as $$ select 1 $$',
  'drop function notify_outbox cascade',
  'alter table audit_log disable trigger all',
  'drop table audit_log',
  'create role another',
  'alter role vendor_gateway_worker superuser',
  'select * from schema_migrations',
  'delete from schema_functions',
  "copy vendors to program 'cat'",
  "select pg_read_file('/etc/passwd')",
  'set session_replication_role = replica',
];

describe('the role of the API', () => {
  test.for([
    ...ofBoth,
    'delete from webhook_deliveries',
    'select * from outbox_set_aside',
    "update operators set roles = '{Admin}'",
    'update operators set operator_id = null',
    'update credentials set capabilities = null',
    'update credentials set vendor_id = null',
    'update credentials set secret_sha256 = null',
  ])('may not: %s', async (statement, { api }) => {
    expect(await refusalOf(api, statement)).toBe(refused);
  });

  test.for([
    'select * from audit_log',
    'select * from operators',
    'delete from token_calls',
    'delete from credential_revocations',
    'delete from operator_sessions',
    'update operators set is_active = false, token_generation = 2, is_managed = true where false',
    'select 1 from operators for update',
    'update credentials set is_active = false where false',
  ])('may: %s', async (statement, { api }) => {
    expect(await refusalOf(api, statement)).toBeNull();
  });
});

describe('the role of the worker', () => {
  test.for([
    ...ofBoth,
    'select secret_sha256 from credentials',
    'update credentials set is_active = true',
    'select secret_sha256 from operators',
    'select * from token_calls',
    'select * from operator_sessions',
    'select answer_sealed from idempotency_keys',
    'insert into idempotency_keys (id) values (null)',
    'delete from orders',
  ])('may not: %s', async (statement, { worker }) => {
    expect(await refusalOf(worker, statement)).toBe(refused);
  });

  test('deletes old idempotency keys', async ({ worker }) => {
    await pruneKeys(worker);
  });

  test.for([
    'delete from webhook_deliveries',
    'delete from outbox',
    'select * from audit_log',
    'select id, is_active from credentials',
    'select 1 from vendors for share',
  ])('may: %s', async (statement, { worker }) => {
    expect(await refusalOf(worker, statement)).toBeNull();
  });
});
