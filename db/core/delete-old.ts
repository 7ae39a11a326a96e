import type { Queryable } from './client.ts';

/** Rows that one statement deletes, in some tens of milliseconds. */
const batchSize = 5000;

/** Which rows of a table are old: those whose instant is at least this long ago. */
type OldRows = {
  readonly table: string;
  /**
   * A column that identifies a row. Default: the physical location of the row (`ctid`),
   * which a role with rights on only some columns may not read.
   */
  readonly key?: string;
  /** A column, or an expression in parentheses. It has an index. */
  readonly instant: string;
  /** An interval as text. */
  readonly age: string;
};

/** Deletes old rows, the oldest first, batch after batch. It reads only what it deletes. */
export async function deleteOld(
  sql: Queryable,
  { table, key = 'ctid', instant, age }: OldRows,
): Promise<void> {
  // A subquery, because an index finds no value of a volatile function.
  const isOld = sql`${sql.unsafe(instant)} <= (select clock_timestamp() - ${age}::interval)`;
  let deleted: number;
  do {
    ({ count: deleted } = await sql`
      delete from ${sql(table)} where ${sql(key)} = any(array(
        select ${sql(key)} from ${sql(table)} where ${isOld}
        order by ${sql.unsafe(instant)} limit ${batchSize}
      -- Again, because another transaction may have changed the row; in a form without an index, so
      -- that the statement finds the rows of the batch by their keys.
      )) and (${isOld}) is true`);
  } while (deleted === batchSize);
}
