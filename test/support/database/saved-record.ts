import type { Sql } from '../../../db/core/client.ts';
import { isDeadlock } from '../../../db/core/failure.ts';

/** Tables of the schema itself, which a restore of a backup would not set back either. */
const kept = ['schema_migrations', 'schema_functions'];

/**
 * Copies every table, and returns the function that sets the whole record back to the copy, as a
 * restored backup does: no trigger runs, and what came later is gone.
 */
export async function saveRecord(sql: Sql): Promise<() => Promise<void>> {
  const tables = await sql<{ name: string; columns: string }[]>`
    select table_name as name,
      string_agg(quote_ident(column_name), ', ' order by ordinal_position) as columns
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema = 'public' and table_type = 'BASE TABLE' and table_name <> all(${kept})
      and is_generated = 'NEVER'
    group by table_name`;
  const filledNames = tables.map(({ name }) => `select '${name}' where exists (table ${name})`);
  const filled = (await sql.unsafe(filledNames.join(' union all ')).values()).flat();
  const saved = tables.filter(({ name }) => filled.includes(name));
  const inOneTransaction = (statements: readonly string[]) =>
    sql.begin((transaction) => transaction.unsafe(statements.join(';')));
  await inOneTransaction([
    'drop schema if exists saved cascade',
    'create schema saved',
    ...saved.map(({ name }) => `create table saved.${name} as table public.${name}`),
  ]);
  // To truncate the tables takes 50 ms, since it makes new files for each of them and its indexes.
  const restore = () =>
    inOneTransaction([
      'set local session_replication_role = replica',
      `lock table ${tables.map(({ name }) => name).join(', ')}`,
      ...tables.map(({ name }) => `delete from ${name}`),
      ...saved.map(
        ({ name, columns }) =>
          `insert into ${name} (${columns}) overriding system value
           select ${columns} from saved.${name}`,
      ),
    ]);
  return async () => {
    try {
      await restore();
    } catch (error) {
      // A process of the gateway may have locked its tables in another order.
      if (!isDeadlock(error)) throw error;
      await restore();
    }
  };
}
