import { describe, expect } from 'vitest';
import postgres from 'postgres';
import { pruneKeys } from '../../../db/idempotency/idempotency-keys.ts';
import { connect } from '../../../db/core/client.ts';
import { databaseTest } from '../../support/database/database-test.ts';

const test = databaseTest.extend('pools', { scope: 'file' }, ({ database }, { onCleanup }) => {
  const api = connect(database.apiUrl, { max: 2, name: 'test' });
  const worker = connect(database.workerUrl, { max: 2, name: 'test' });
  onCleanup(async () => {
    await Promise.all([api, worker].map((pool) => pool.end({ timeout: 5 })));
  });
  return { api, worker };
});

/** The SQLSTATE of a refused statement; null if the statement succeeds. */
const refusalOf = async (pool: postgres.Sql, statement: string): Promise<string | null> =>
  pool.unsafe(statement).then(
    () => null,
    (error: unknown) => (error instanceof postgres.PostgresError ? error.code : 'another error'),
  );
const ofBoth = [
  'update audit_log set action = null',
  'delete from audit_log',
  'truncate audit_log',
  'update offer_status_changes set reason = null',
  'delete from offer_status_changes',
  'update notes set text = null',
  'delete from notes',
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

const refusedTo = {
  api: [
    ...ofBoth,
    'delete from webhook_deliveries',
    'select * from outbox_set_aside',
    "update operators set roles = '{Admin}'",
    'update operators set operator_id = null',
    'update credentials set capabilities = null',
    'update credentials set vendor_id = null',
    'update credentials set secret_sha256 = null',
  ],
  worker: [
    ...ofBoth,
    'select secret_sha256 from credentials',
    'update credentials set is_active = true',
    'select secret_sha256 from operators',
    'select * from token_calls',
    'select * from operator_sessions',
    'select answer_sealed from idempotency_keys',
    'insert into idempotency_keys (id) values (null)',
    'delete from orders',
  ],
} as const;

const allowedTo = {
  api: [
    'select * from audit_log',
    'select * from operators',
    'delete from token_calls',
    'delete from credential_revocations',
    'delete from operator_sessions',
    'update operators set is_active = false, token_generation = 2, is_managed = true where false',
    'select 1 from operators for update',
    'update credentials set is_active = false where false',
  ],
  worker: [
    'delete from webhook_deliveries',
    'delete from outbox',
    'select * from audit_log',
    'select id, is_active from credentials',
    'select 1 from vendors for share',
  ],
} as const;

describe.each(['api', 'worker'] as const)('the role %s', (role) => {
  test.for(refusedTo[role])('may not: %s', async (statement, { pools }) => {
    // SQLSTATE insufficient_privilege.
    expect(await refusalOf(pools[role], statement)).toBe('42501');
  });

  test.for(allowedTo[role])('may: %s', async (statement, { pools }) => {
    expect(await refusalOf(pools[role], statement)).toBeNull();
  });
});

test('lets the role of the worker delete old idempotency keys', async ({ pools }) => {
  await pruneKeys(pools.worker);
});
