import type { Sql } from '../../db/core/client.ts';

/** Calls for a token are counted before anything else is judged, so that these rows may come and go. */
const exempt = new Set(['token_calls']);

/** Every table's rows, as a number and a digest. */
export type RecordDigest = ReadonlyMap<string, string>;

export async function digestRecord(sql: Sql): Promise<RecordDigest> {
  const tables = await sql<{ name: string }[]>`
    select relname as name from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace order by relname`;
  const digests = new Map<string, string>();
  for (const { name } of tables.filter((table) => !exempt.has(table.name))) {
    const [row] = await sql<[{ digest: string }]>`
      select count(*) || ' rows, ' || coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as digest
      from ${sql(name)} as t`;
    digests.set(name, row.digest);
  }
  return digests;
}

/** The tables that are not what they were. */
export const changedTables = (before: RecordDigest, after: RecordDigest): readonly string[] =>
  [...after]
    .filter(([name, digest]) => before.get(name) !== digest)
    .map(([name, digest]) => `${name}: ${before.get(name) ?? 'not there'} became ${digest}`);
