import type { Queryable } from '../core/client.ts';
import type { SmallCheck, WrongRow } from './scan.ts';

type Identity = { readonly name: string; readonly table: string; readonly column: string };

async function listIdentities(sql: Queryable): Promise<readonly Identity[]> {
  return sql<Identity[]>`
    select pg_get_serial_sequence(quote_ident(table_name), column_name) as name,
      table_name as table, column_name as column
    from information_schema.columns
    where table_schema = current_schema() and is_identity = 'YES' order by 1`;
}

/**
 * Sequences that would give a number a second time, as after a restore of rows alone. A role that
 * may not read a sequence finds nothing.
 */
export const sequencesBehind: SmallCheck = {
  id: 'sequence-behind',
  title: 'No sequence gives a number a second time',
  subjectType: 'sequence',
  read: async (sql) => {
    const identities = await listIdentities(sql);
    const wrong: WrongRow[] = [];
    for (const { name, table, column } of identities) {
      const [{ last, highest, isBehind }] = await sql<
        [{ last: string; highest: string; isBehind: boolean }]
      >`
        select coalesce(last, 0) as last, coalesce(highest, 0) as highest,
          coalesce(highest, 0) > coalesce(last, 0) and is_readable as is_behind
        from (select pg_sequence_last_value(${name}::regclass) as last,
            has_sequence_privilege(${name}, 'select') as is_readable) as sequence,
          (select max(${sql(column)}) as highest from ${sql(table)}) as stored`;
      const text = `of ${table}.${column} is at ${last}, and the highest number is ${highest}`;
      if (isBehind) wrong.push({ id: name, text });
    }
    return { checked: identities.length, wrong };
  },
  /** Sets them to the highest number of their tables. Only the owner of the tables may. */
  repair: async (sql, names) => {
    const behind = (await listIdentities(sql)).filter(({ name }) => names.includes(name));
    for (const { name, table, column } of behind)
      await sql`select setval(${name}::regclass, (select max(${sql(column)}) from ${sql(table)}))`;
    return behind.length;
  },
};
