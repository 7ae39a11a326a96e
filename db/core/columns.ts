import postgres from 'postgres';
import type { Fragment, JSONValue } from 'postgres';
import type { Queryable } from './client.ts';

/** The TypeScript types of Postgres types, as postgres.js reads them. */
type Values = {
  boolean: boolean;
  integer: number;
  bigint: string;
  text: string;
  uuid: string;
  timestamptz: Date;
  bytea: Uint8Array;
  'text[]': readonly string[];
  jsonb: Readonly<Record<string, unknown>>;
};

/** The Postgres types for a value; a question mark says that the column may be null. */
type ColumnType<T> = null extends T ? `${TypeOf<NonNullable<T>>}?` : TypeOf<T>;
type TypeOf<T> = {
  [TType in keyof Values]: T extends Values[TType] ? TType : never;
}[keyof Values];

/** Columns by the keys of a row type, with their Postgres types. */
export type ColumnTypes<TRow> = { readonly [TKey in keyof TRow]: ColumnType<TRow[TKey]> };

/** The row type of columns; `TNarrow` replaces the types of some keys by narrower ones. */
export type RowOf<TTypes, TNarrow = object> = Readonly<
  Omit<
    {
      [TKey in keyof TTypes]: TTypes[TKey] extends `${infer TType extends keyof Values}?`
        ? Values[TType] | null
        : TTypes[TKey] extends keyof Values
          ? Values[TTypes[TKey]]
          : never;
    },
    keyof TNarrow
  > &
    TNarrow
>;

export type Columns<TRow> = {
  readonly table: string;
  readonly keys: readonly (keyof TRow & string)[];
  readonly types: ColumnTypes<TRow>;
  /** The columns' names in the database, in the order of the keys. */
  readonly names: readonly string[];
  /**
   * The columns for a select list or a `returning`, qualified by the table or its alias. By name: a
   * column that a later version adds must not change the result of a prepared statement.
   */
  readonly list: (sql: Queryable, alias?: string) => Fragment;
};

/** Names the columns of a row type once; a test compares them with the database. */
export function columnsOf<TRow extends object>(
  table: string,
  types: ColumnTypes<TRow>,
): Columns<TRow> {
  const keys = Object.keys(types) as (keyof TRow & string)[];
  const names = keys.map((key) => postgres.fromCamel(key));
  return {
    table,
    keys,
    types,
    names,
    list: (sql, alias = table) => sql.unsafe(names.map((name) => `${alias}.${name}`).join(', ')),
  };
}

/** A row for JSON, with its keys as the database names its columns. */
export const toDatabaseNames = (row: object): Readonly<Record<string, JSONValue>> =>
  Object.fromEntries(
    Object.entries(row).map(([key, value]) => [postgres.fromCamel(key), value as JSONValue]),
  );
