import { mapInTurns } from '../core/map-in-turns.ts';
import type { Queryable } from '../core/client.ts';
import { readIdPage } from './id-page.ts';
import type { Page, PageRequest } from './page.ts';
import { ascending } from './sort-order.ts';

/** One change of status; `from` is null at the creation. */
export type StatusChange = {
  readonly at: Date;
  readonly from: string | null;
  readonly to: string;
  readonly reason: string | null;
};

/** The newest changes of an item, oldest first; `hasEarlier` when there are more than those. */
export type StatusHistory = {
  readonly changes: readonly StatusChange[];
  readonly hasEarlier: boolean;
};

/** The newest changes of each item by its id. */
export type StatusHistories = ReadonlyMap<string, StatusHistory>;

/** What `include=history` shows of one offer or return. */
export const historyMax = 100;

type Subject = 'offer' | 'return';

const tableOf = (sql: Queryable, subject: Subject) => sql.unsafe(`${subject}_status_changes`);
const subjectIs = (sql: Queryable, subject: Subject) => sql.unsafe(`${subject}_id`);

/**
 * The newest status changes of offers or returns by their ids, at most {@link historyMax} each. One
 * JSON array for each id: as rows, 10,000 changes would keep the event loop four times as long.
 */
export async function readStatusHistory(
  sql: Queryable,
  subject: Subject,
  ids: readonly string[],
): Promise<StatusHistories> {
  type Change = readonly [atMs: number, from: string | null, to: string, reason: string | null];
  const rows = await sql<{ readonly id: string; readonly changes: readonly Change[] }[]>`
    select subjects.id, coalesce(found.changes, '[]') as changes
    from unnest(${[...ids]}::uuid[]) as subjects (id)
    cross join lateral (
      select json_agg(json_build_array(
          floor(extract(epoch from at) * 1000), from_status, to_status, reason)
          order by id) as changes
      from (
        select * from ${tableOf(sql, subject)} where ${subjectIs(sql, subject)} = subjects.id
        order by id desc limit ${historyMax + 1}
      ) as newest
    ) as found`;
  const toChange = ([atMs, from, to, reason]: Change) => ({ at: new Date(atMs), from, to, reason });
  return new Map(
    await mapInTurns(rows, ({ id, changes }) => [id, toHistory(changes.map(toChange))] as const),
  );
}

/** Cuts changes, oldest first, to what `include=history` shows. */
export const toHistory = (changes: readonly StatusChange[]): StatusHistory => ({
  changes: changes.slice(-historyMax),
  hasEarlier: changes.length > historyMax,
});

/** A page of all status changes of one offer or return, oldest first. */
export async function readStatusChanges(
  sql: Queryable,
  subject: Subject,
  id: string,
  request: PageRequest,
): Promise<Page<StatusChange>> {
  const { items, totalCount } = await readIdPage<StatusChange & { readonly id: string }>(
    sql,
    request,
    (parts) => {
      const tables = tableOf(parts, subject);
      const rows = parts`${tables} where ${subjectIs(parts, subject)} = ${id}`;
      const columns = parts`
        ${tables}.id, at, from_status as "from", to_status as "to", reason`;
      const total = parts`select count(*) from ${rows}`;
      return [
        { columns, tables, alias: tables },
        { rows, order: ascending('id'), total },
      ];
    },
  );
  return { items: items.map(({ id: _id, ...change }) => change), totalCount };
}
