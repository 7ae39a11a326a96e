import type { Fragment } from 'postgres';
import postgres from 'postgres';
import type { Queryable } from './client.ts';

type TypeOf<T> = T extends boolean
  ? 'boolean'
  : T extends number
    ? 'integer'
    : T extends Date
      ? 'timestamptz'
      : T extends Uint8Array
        ? 'bytea'
        : T extends string
          ? 'uuid' | 'text' | 'bigint'
          : T extends readonly string[]
            ? 'text[]'
            : 'jsonb';

/** The Postgres type of a value of type `T`; a question mark says that the column may be null. */
export type ColumnType<T> = null extends T ? `${TypeOf<NonNullable<T>>}?` : TypeOf<T>;

/** Columns of one table, each by the key that it has in `TRow`. */
export type Columns<TRow> = {
  readonly table: string;
  readonly keys: readonly (keyof TRow & string)[];
  readonly types: { readonly [TKey in keyof TRow]: ColumnType<TRow[TKey]> };
  /** The columns' names in the database, in the order of the keys. */
  readonly names: readonly string[];
  /**
   * The columns for a select list or a `returning`, qualified by the table or its alias. By name: a
   * column that a later version adds must not change the result of a prepared statement.
   */
  readonly list: (sql: Queryable, alias?: string) => Fragment;
  /** The values of these columns, of a row that may have more. */
  readonly pick: (row: TRow) => TRow;
};

/** Names the columns of a row type once; a test compares them with the database. */
export function columnsOf<TRow extends object>(
  table: string,
  types: Columns<TRow>['types'],
): Columns<TRow> {
  const keys = Object.keys(types) as (keyof TRow & string)[];
  const names = keys.map((key) => postgres.fromCamel(key));
  return {
    table,
    keys,
    types,
    names,
    list: (sql, alias = table) => sql.unsafe(names.map((name) => `${alias}.${name}`).join(', ')),
    pick: (row) => Object.fromEntries(keys.map((key) => [key, row[key]])) as TRow,
  };
}

/** A row with its keys as the database names its columns. */
export const toDatabaseNames = <TValue>(
  row: Readonly<Record<string, TValue>>,
): Readonly<Record<string, TValue>> =>
  Object.fromEntries(Object.entries(row).map(([key, value]) => [postgres.fromCamel(key), value]));
