import { expect } from 'vitest';
import { listAuditEntries } from '../../../db/accounts/audit.ts';
import type { Sql } from '../../../db/core/client.ts';
import { compactCounters } from '../../../db/lists/compact-counters.ts';
import { databaseTest } from '../../support/database/database-test.ts';
import { entriesReadBy } from '../../support/database/entries-read.ts';
import { pool } from '../support.ts';

const few = 30;
const others = 20_000;

const addEntries = (sql: Sql, operator: string, count: number) => sql`
  insert into audit_log (operator_id, action, subject_type, subject_id, request_id)
  select (select id from operators where operator_id = ${operator}), 'vendor.active', 'vendor',
    md5(${operator} || i)::uuid, 'request'
  from generate_series(1, ${count}::int) as i`;

const test = databaseTest.extend('subjectId', { scope: 'file' }, async ({ sql }) => {
  await sql`
    insert into operators (id, operator_id, secret_sha256, roles)
    select gen_random_uuid(), name, sha256('secret'), array['Admin']
    from unnest(array['first', 'second']) as name`;
  await addEntries(sql, 'second', few);
  await addEntries(sql, 'first', others);
  await compactCounters(sql);
  await sql`vacuum (analyze) audit_log, audit_counts, operators`;
  const [row] = await sql<[{ id: string }]>`select md5('second1')::uuid as id`;
  return row.id;
});

test.for<readonly [string, string | null, number, 'any' | 'one']>([
  ['an operator with few old entries', 'second', few, 'any'],
  ['an operator with many', 'first', others, 'any'],
  ['an unknown operator', 'unknown', 0, 'any'],
  ['a subject', null, 1, 'one'],
  ['a subject and its operator', 'second', 1, 'one'],
  ['a subject and another operator', 'first', 0, 'one'],
])(
  'reads little more than a page of the audit log of %s',
  async (asked, { database, subjectId }) => {
    const [, operatorId, count, subjects] = asked;
    const connection = pool(database.url, 1);
    const filter = { operatorId, subjectId: subjects === 'one' ? subjectId : null };
    const request = { page: 1, pageSize: 20 };
    const { items, totalCount } = await listAuditEntries(connection, filter, request);
    expect([items.length, totalCount]).toEqual([Math.min(count, 20), count]);
    const read = await entriesReadBy(connection, 'audit_log', (reader) =>
      listAuditEntries(reader, filter, request),
    );
    // Each entry twice: from the index of the list, and by its key.
    expect(read).toBeLessThanOrEqual(60);
  },
);
