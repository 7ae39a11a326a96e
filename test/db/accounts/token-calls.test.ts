import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect, type Sql } from '../../../db/core/client.ts';
import { countTokenCall, tokenCallsMax } from '../../../db/accounts/token-calls.ts';
import { sha256 } from '../../../security/secrets.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { pool } from '../support.ts';

let database: TestDatabase;
let sql: Sql;

beforeAll(async () => {
  database = await createTestDatabase();
  sql = connect(database.url, { max: 10, name: 'test' });
});
afterAll(async () => {
  await sql.end();
  await database.drop();
});

const times = (count: number, digest: Uint8Array) =>
  Promise.all(Array.from({ length: count }, () => countTokenCall(sql, digest)));

const allowedOf = (verdicts: readonly (number | null)[]) =>
  verdicts.filter((wait) => wait === null).length;

/** Moves every call of a client into the past. */
const age = (digest: Buffer, seconds: number) => sql`
  update token_calls set called_at =
    (select array_agg(at - ${seconds} * interval '1 second' order by at) from unnest(called_at) as at)
  where client_digest = ${digest}`;

test('of 50 calls at once from two processes exactly 10 are allowed', async () => {
  const digest = sha256('parallel');
  const other = pool(database.url);
  const verdicts = await Promise.all(
    Array.from({ length: 50 }, (_, index) => countTokenCall(index % 2 === 0 ? sql : other, digest)),
  );
  expect(allowedOf(verdicts)).toBe(tokenCallsMax);
  const waits = verdicts.filter((wait) => wait !== null);
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(1);
  expect(Math.max(...waits)).toBeLessThanOrEqual(60);
});

test('the wait is the whole seconds until the earliest call leaves the window', async () => {
  const digest = sha256('wait');
  await times(tokenCallsMax, digest);
  await age(digest, 20);
  const wait = await countTokenCall(sql, digest);
  expect(wait).toBeGreaterThan(30);
  expect(wait).toBeLessThanOrEqual(40);
});

test('a refused call does not extend the window', async () => {
  const digest = sha256('refused');
  await times(tokenCallsMax, digest);
  await age(digest, 50);
  expect(allowedOf(await times(20, digest))).toBe(0);
  await age(digest, 10);
  expect(await countTokenCall(sql, digest)).toBeNull();
});

test('the window slides: each call leaves it 60 seconds after it was made', async () => {
  const digest = sha256('sliding');
  await times(4, digest);
  await age(digest, 61);
  await times(6, digest);
  await age(digest, 30);
  expect(allowedOf(await times(5, digest))).toBe(4);
  await age(digest, 31);
  expect(allowedOf(await times(7, digest))).toBe(6);
});

test('each client has a count of its own', async () => {
  await times(tokenCallsMax, sha256('one'));
  expect(await countTokenCall(sql, sha256('one'))).not.toBeNull();
  expect(await countTokenCall(sql, sha256('two'))).toBeNull();
});

test('what is kept of a client is bounded, however often it calls', async () => {
  const digest = sha256('flood');
  for (let round = 0; round < 10; round += 1) await times(10, digest);
  const [row] = await sql`
    select cardinality(called_at) as kept from token_calls where client_digest = ${digest}`;
  expect(row?.['kept']).toBeLessThanOrEqual(tokenCallsMax + 1);
});
