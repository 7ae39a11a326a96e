import type { Fragment } from 'postgres';
import type { Queryable } from './client.ts';

/** The first row of a result; null when there is none. */
export const firstOf = async <TRow>(rows: PromiseLike<readonly TRow[]>): Promise<TRow | null> =>
  (await rows)[0] ?? null;

/** Whether a statement returned a row. */
export const hasRows = async (rows: PromiseLike<readonly unknown[]>): Promise<boolean> =>
  (await rows).length > 0;

/** The number of rows that a statement has returned or written. */
export const rowCountOf = async (
  statement: PromiseLike<{ readonly count: number }>,
): Promise<number> => (await statement).count;

/** The first value of the first row of a result, which has one. */
export const valueOf = async <T>(statement: Values): Promise<T> =>
  (await valuesOf(statement))[0]?.[0] as T;

/** The number of rows of a table or subquery with its condition. */
export const countOf = (sql: Queryable, rows: Fragment): Promise<number> =>
  valueOf(sql`select count(*)::int from ${rows}`);

/** Makes the function that switches a row of a table on or off. */
export const switchOf =
  (table: 'credentials' | 'variants' | 'vendors') =>
  async (sql: Queryable, id: string, isActive: boolean): Promise<void> => {
    await sql`update ${sql(table)} set is_active = ${isActive} where id = ${id}`;
  };

type Row = readonly unknown[];
type Values = { readonly values: () => PromiseLike<unknown> };

/** The values of a statement's rows, and its columns. */
export type ResultValues = readonly Row[] & {
  readonly columns: readonly { readonly name: string }[];
};

/** Runs a statement; each row is the list of its values. */
export const valuesOf = async (statement: Values): Promise<ResultValues> =>
  (await statement.values()) as ResultValues;

/**
 * Makes the objects of a result's rows, without the columns of these names. Each begins as a copy
 * of one object with all keys, because V8 keeps an object slow that gets many keys one after the
 * other ([0019](../../docs/decisions/0019-how-pages-are-read.md)).
 */
export function readerOf(
  { columns }: ResultValues,
  without: readonly string[],
): (values: Row) => object {
  const named = [...columns.entries()].filter(([, { name }]) => !without.includes(name));
  const blank: Readonly<Record<string, unknown>> = Object.fromEntries(
    named.map(([, { name }]) => [name, null]),
  );
  return (values) => {
    const row = { ...blank };
    for (const [index, { name }] of named) row[name] = values[index];
    return row;
  };
}
