import type { Queryable } from '../core/client.ts';
import { readIdPage } from './id-page.ts';
import type { Page, PageRequest } from './page.ts';

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

/** What `include=history` shows of one offer or return. */
export const historyMax = 100;

type Subject = 'offer' | 'return';

const columns = (sql: Queryable) =>
  sql`changes.at, changes.from_status as "from", changes.to_status as "to", changes.reason`;
const tableOf = (sql: Queryable, subject: Subject) => sql`${sql(`${subject}_status_changes`)}`;
const subjectIs = (sql: Queryable, subject: Subject) => sql`${sql(`${subject}_id`)}`;

/** The newest status changes of offers or returns by their ids, at most {@link historyMax} each. */
export async function readStatusHistory(
  sql: Queryable,
  subject: Subject,
  ids: readonly string[],
): Promise<ReadonlyMap<string, StatusHistory>> {
  const rows = await sql<(StatusChange & { readonly subjectId: string })[]>`
    select subjects.id as subject_id, ${columns(sql)}
    from unnest(${[...ids]}::uuid[]) as subjects (id)
    cross join lateral (
      select * from ${tableOf(sql, subject)} where ${subjectIs(sql, subject)} = subjects.id
      order by id desc limit ${historyMax + 1}
    ) as changes
    order by subjects.id, changes.id`;
  const found = new Map<string, StatusChange[]>(ids.map((id) => [id, []]));
  for (const { subjectId, ...change } of rows) found.get(subjectId)?.push(change);
  return new Map(Array.from(found, ([id, changes]) => [id, toHistory(changes)]));
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
  const rows = sql`${tableOf(sql, subject)} where ${subjectIs(sql, subject)} = ${id}`;
  const source = {
    columns: sql`changes.id, ${columns(sql)}`,
    tables: sql`${tableOf(sql, subject)} as changes`,
    alias: sql`changes`,
  };
  const { items, totalCount } = await readIdPage<StatusChange & { readonly id: string }>(
    sql,
    request,
    source,
    { rows, order: [[sql`id`, 'asc']], total: sql`select count(*) from ${rows}` },
  );
  return { items: items.map(({ id: _id, ...change }) => change), totalCount };
}
