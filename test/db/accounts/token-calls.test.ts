import { expect } from 'vitest';
import { type Sql } from '../../../db/core/client.ts';
import { countCall, pruneTokenCalls, tokenCallsMax } from '../../../db/accounts/token-calls.ts';
import { sha256 } from '../../../security/secrets.ts';
import { databaseTest as test } from '../../support/database/database-test.ts';

const times = (sql: Sql, count: number, digest: Uint8Array) =>
  Promise.all(Array.from({ length: count }, () => countCall(sql, digest, tokenCallsMax)));

const allowedOf = (verdicts: readonly (number | null)[]) =>
  verdicts.filter((wait) => wait === null).length;

/** Moves every call of a client into the past. */
const age = (sql: Sql, digest: Buffer, seconds: number) => sql`
  update token_calls set called_at =
    (select array_agg(at - ${seconds} * interval '1 second' order by at)
      from unnest(called_at) as at)
  where client_digest = ${digest}`;

test('returns the seconds to wait, which a refused call does not extend', async ({ sql }) => {
  const digest = sha256('refused');
  await times(sql, tokenCallsMax, digest);
  await age(sql, digest, 20);
  for (const wait of await times(sql, 20, digest)) {
    expect(wait).toBeGreaterThan(30);
    expect(wait).toBeLessThanOrEqual(40);
  }
  await age(sql, digest, 40);
  expect(await countCall(sql, digest, tokenCallsMax)).toBeNull();
});

test('counts each call for 60 seconds in a sliding window', async ({ sql }) => {
  const digest = sha256('sliding');
  await times(sql, 4, digest);
  await age(sql, digest, 61);
  await times(sql, 6, digest);
  await age(sql, digest, 30);
  expect(allowedOf(await times(sql, 5, digest))).toBe(4);
  await age(sql, digest, 31);
  expect(allowedOf(await times(sql, 7, digest))).toBe(6);
});

test('prunes the clients without a call in the last 60 seconds', async ({ sql }) => {
  await sql`truncate token_calls`;
  const recent = sha256('recent');
  for (const calls of [1, tokenCallsMax + 1]) {
    const idle = sha256(`${calls} calls`);
    await times(sql, calls, idle);
    await age(sql, idle, 121);
  }
  await times(sql, 5, recent);
  await age(sql, recent, 59);
  await times(sql, 1, recent);
  await age(sql, recent, 30);
  await pruneTokenCalls(sql);
  expect(await sql`select client_digest from token_calls`).toEqual([
    { clientDigest: Buffer.from(recent) },
  ]);
});

test('prunes more rows than one statement deletes', async ({ sql }) => {
  await sql`
    insert into token_calls (client_digest, called_at)
    select sha256(uuidv7()::text::bytea), array[now() - interval '1 hour']
    from generate_series(1, 5001)`;
  await pruneTokenCalls(sql);
  const left = await sql`
    select from token_calls where called_at[1] < now() - interval '2 minutes'`;
  expect(left).toHaveLength(0);
});

test('keeps a bounded number of calls of a client', async ({ sql }) => {
  const digest = sha256('flood');
  for (let round = 0; round < 10; round += 1) await times(sql, 10, digest);
  const [row] = await sql`
    select cardinality(called_at) as kept from token_calls where client_digest = ${digest}`;
  expect(row?.['kept']).toBeLessThanOrEqual(tokenCallsMax + 1);
});
