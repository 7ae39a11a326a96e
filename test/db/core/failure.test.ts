import { expect } from 'vitest';
import { connect } from '../../../db/core/client.ts';
import { databaseFailureCode } from '../../../db/core/failure.ts';
import { pool } from '../support.ts';
import { databaseTest as test } from '../../support/database/database-test.ts';

/** The code for what a statement fails with. */
const codeOf = (failing: Promise<unknown>): Promise<string | null> =>
  failing.then(() => expect.unreachable('did not fail'), databaseFailureCode);

test('names a refused login UPSTREAM_AUTH_FAILED', async ({ database }) => {
  const url = new URL(database.url);
  url.password = 'wrong';
  expect(await codeOf(pool(url.href)`select 1`)).toBe('UPSTREAM_AUTH_FAILED');
});

test('names a statement that is too slow GATEWAY_TIMEOUT', async ({ database }) => {
  const sql = pool(`${database.url}?statement_timeout=5`, 1);
  expect(await codeOf(sql`select pg_sleep(10)`)).toBe('GATEWAY_TIMEOUT');
});

test('names a lost session, a closed pool and an unknown host SERVICE_UNAVAILABLE', async ({
  database,
}) => {
  const closed = connect(database.url, { max: 1, name: 'test' });
  await closed.end();
  const unknown = pool('postgres://u:p@no-such-host.invalid/gateway');
  for (const failing of [
    pool(database.url, 1)`select pg_terminate_backend(pg_backend_pid())`,
    closed`select 1`,
    unknown`select 1`,
  ])
    expect(await codeOf(failing)).toBe('SERVICE_UNAVAILABLE');
});

test('names a server that takes no writes SERVICE_UNAVAILABLE', async ({ database }) => {
  const sql = pool(`${database.url}?default_transaction_read_only=on`, 1);
  expect(await codeOf(sql`delete from outbox`)).toBe('SERVICE_UNAVAILABLE');
});

test.for(['select nothing', 'select 1 / 0', "select 'x'::uuid"])(
  'returns no code for a bug: %s',
  async (statement, { database }) => {
    expect(await codeOf(pool(database.url).unsafe(statement))).toBeNull();
  },
);

test('returns no code for what is no failure of Postgres', () => {
  for (const error of [null, undefined, 'ECONNREFUSED', { code: 'ECONNREFUSED' }, new Error('x')]) {
    expect(databaseFailureCode(error)).toBeNull();
  }
});
