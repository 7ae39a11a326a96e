import type { Queryable } from '../core/client.ts';

/** One change of status; `from` is null at the creation. */
export type StatusChange = {
  readonly at: Date;
  readonly from: string | null;
  readonly to: string;
  readonly reason: string | null;
};

/** The status changes of offers or returns by their ids, oldest first. */
export async function readStatusHistory(
  sql: Queryable,
  subject: 'offer' | 'return',
  ids: readonly string[],
): Promise<Map<string, StatusChange[]>> {
  const subjectId = sql.unsafe(`${subject}_id`);
  const rows = await sql<(StatusChange & { readonly subjectId: string })[]>`
    select ${subjectId} as subject_id, at, from_status as "from", to_status as "to", reason
    from ${sql.unsafe(`${subject}_status_changes`)}
    where ${subjectId} = any(${[...ids]}) order by ${subjectId}, id`;
  const changes = new Map<string, StatusChange[]>(ids.map((id) => [id, []]));
  for (const { subjectId: id, ...change } of rows) changes.get(id)?.push(change);
  return changes;
}
