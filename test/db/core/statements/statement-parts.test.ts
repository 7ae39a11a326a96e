import type { Fragment } from 'postgres';
import { expect } from 'vitest';
import { parts, statementOf } from '../../../../db/core/statements/statement-parts.ts';
import { databaseTest as test } from '../../../support/database/database-test.ts';

test('keeps the position and type of each value', async ({ sql }) => {
  const at = new Date('2026-11-22T08:00:00.123Z');
  const nested = parts`${2}::int + ${parts`${3}::int * ${4}::int`}`;
  const statement = parts`
    select ${1}::int as first, ${nested} as nested, ${parts.unsafe("'$1'")} as text, ${at} as at,
      ${true} as flag, ${null}::text as missing, ${['a', 'b']}::text[] as list`;
  expect([...(await statementOf(sql, statement))]).toEqual([
    { first: 1, nested: 14, text: '$1', at, flag: true, missing: null, list: ['a', 'b'] },
  ]);
});

const sum = (first: number | Fragment, second: Fragment) =>
  parts`select ${first}::int + ${second} as sum`;
const two = () => parts`2 * ${1}::int`;

test('runs a value and a fragment in either position as different statements', async ({ sql }) => {
  for (const _ of [1, 2]) {
    expect(await statementOf(sql, sum(10, two()))).toMatchObject([{ sum: 12 }]);
    expect(await statementOf(sql, sum(two(), parts`${10}::int`))).toMatchObject([{ sum: 12 }]);
    expect(await statementOf(sql, sum(parts`3`, two()))).toMatchObject([{ sum: 5 }]);
  }
});

test('throws for a fragment of a pool among parts', ({ sql }) => {
  const mixed = parts`select ${1}::int ${sql`where false`}`;
  expect(() => statementOf(sql, mixed)).toThrow('a fragment of a pool');
});
