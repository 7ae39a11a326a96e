import type { Queryable } from '../core/client.ts';
import type { StatusChange } from '../offers/offer-history.ts';

/** The status changes of each return, oldest first, by its id. */
export type ReturnHistory = ReadonlyMap<string, readonly StatusChange[]>;

export async function listReturnChanges(
  sql: Queryable,
  ids: readonly string[],
): Promise<ReturnHistory> {
  const rows = await sql<(StatusChange & { readonly returnId: string })[]>`
    select return_id, at, from_status as "from", to_status as "to", reason from return_status_changes
    where return_id = any(${[...ids]}) order by return_id, id`;
  const changes = new Map<string, StatusChange[]>(ids.map((id) => [id, []]));
  for (const { returnId, ...change } of rows) changes.get(returnId)?.push(change);
  return changes;
}
