import { expect } from 'vitest';
import { databaseTest as test } from '../../support/database/database-test.ts';

/** What a foreign key checks, the write pays for by a statement and by a lock of the other row. */

/** The tables whose foreign keys refer to rows of another. */
const referring = (table: string) => `
  select conrelid::regclass::text as name from pg_constraint
  where contype = 'f' and confrelid = '${table}'::regclass order by 1`;

test.for([
  ['operators', ['notes', 'operator_looks', 'operator_sessions', 'review_jobs']],
  ['offers', []],
  ['fulfilment_groups', []],
  ['return_requests', []],
] as const)(
  'checks no reference to a row of %s that cannot go while it is referred to',
  async ([table, names], { sql }) => {
    const rows = await sql.unsafe<{ name: string }[]>(referring(table));
    expect(rows.map(({ name }) => name)).toEqual(names);
  },
);
