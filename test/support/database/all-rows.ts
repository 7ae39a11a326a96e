import type { Sql } from '../../../db/core/client.ts';

/**
 * What an SQL expression of `one` row makes of the rows of each table, by the name of the table.
 */
async function ofTables(
  { sql }: { readonly sql: Sql },
  expression: string,
): Promise<Readonly<Record<string, string>>> {
  const tables = await sql<{ name: string }[]>`
    select tablename as name from pg_tables where schemaname = current_schema() order by 1`;
  const selects = tables.map(
    ({ name }) => `select '${name}' as name, (${expression})::text as text from ${name} as one`,
  );
  const rows = await sql.unsafe<{ name: string; text: string | null }[]>(
    selects.join(' union all '),
  );
  return Object.fromEntries(rows.map(({ name, text }) => [name, text ?? '']));
}

/** Every row of every table as text: bytes are in it as hex. */
export const allRows = (by: { readonly sql: Sql }) =>
  ofTables(by, String.raw`string_agg(one::text, E'\n' order by one::text)`);

/** The same in one text. */
export const everyRow = async (by: { readonly sql: Sql }): Promise<string> =>
  Object.values(await allRows(by)).join('\n');

/** A checksum of the rows of each table. */
export const checksums = (by: { readonly sql: Sql }) =>
  ofTables(by, `count(*) || ' ' || coalesce(sum(hashtextextended(one::text, 0)), 0)`);
