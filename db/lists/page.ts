import type { Fragment } from 'postgres';
import type { Queryable } from '../core/client.ts';

/** The most items of a page. */
export const pageSizeMax = 100;

/** One page of a list: `page` counts from 1, `pageSize` is at most {@link pageSizeMax}. */
export type PageRequest = {
  readonly page: number;
  readonly pageSize: number;
  /** How many rows a total counts at most, so that a page costs the same for any number of rows. */
  readonly totalMax?: number;
};
/** A `totalCount` above the `totalMax` of the request is a lower bound. */
export type Page<T> = { readonly items: readonly T[]; readonly totalCount: number };
/** `nextChangedSince` is where the next page of changes begins; null in other lists. */
export type ChangesPage<T> = Page<T> & { readonly nextChangedSince: string | null };

/** More rows than any list has: the value of a total that was not counted to its end. */
export const uncountedTotal = 1_000_000_000;

/** A subquery: the number of rows, or {@link uncountedTotal} for more than `totalMax`. */
export const countRows = (
  sql: Queryable,
  rows: Fragment,
  { totalMax }: Pick<PageRequest, 'totalMax'>,
): Fragment =>
  totalMax === undefined
    ? sql`select count(*) from ${rows}`
    : sql`
      select case when count(*) > ${totalMax} then ${uncountedTotal} else count(*) end
      from (select from ${rows} ${sql.unsafe(`limit ${totalMax + 1}`)}) as counted_rows`;

export const limitOf = (sql: Queryable, { page, pageSize }: PageRequest): Fragment =>
  sql`limit ${pageSize} offset ${(page - 1) * pageSize}`;

/** `and` conditions for the values that are not null, by column. */
export const equalTo = (
  sql: Queryable,
  values: Readonly<Record<string, string | boolean | null>>,
): Fragment =>
  Object.entries(values).reduce<Fragment>(
    (conditions, [column, value]) =>
      value === null ? conditions : sql`${conditions} and ${sql.unsafe(column)} = ${value}`,
    sql``,
  );

/** `and` conditions for the bounds that are not null: RFC 3339 text, both inclusive. */
export const between = (
  sql: Queryable,
  column: string,
  from: string | null,
  to: string | null,
): Fragment => sql`
  ${from === null ? sql`` : sql`and ${sql.unsafe(column)} >= ${from}::text::timestamptz`}
  ${to === null ? sql`` : sql`and ${sql.unsafe(column)} <= ${to}::text::timestamptz`}`;
