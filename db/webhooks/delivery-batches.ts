import type { Queryable } from '../core/client.ts';

/** Moves what processes of an earlier version left to the queue. */
export async function adoptDeliveries(
  sql: Queryable,
  batchId: string | null = null,
): Promise<void> {
  await sql`select adopt_deliveries(${1000}, ${batchId})`;
}

/** How many deliveries of a delivery batch of an earlier version are in which state. */
export async function readBatch(sql: Queryable, batchId: string) {
  const [row] = await sql<[Readonly<Record<'succeeded' | 'moved' | 'ended' | 'left', number>>]>`
    select
      count(*) filter (where is_member and state = 'succeeded')::int as succeeded,
      count(*) filter (where not is_member)::int as moved,
      count(*) filter (where is_member and state not in ('succeeded', 'waiting'))::int as ended,
      count(*) filter (where is_member and state = 'waiting')::int as left
    from (
      -- A delivery that was redelivered meanwhile may be a member twice.
      select state, batch_id is not distinct from ${batchId} as is_member
      from webhook_deliveries where id in (
        select unnest(delivery_ids) from webhook_delivery_batches where id = ${batchId}
      )
    ) as member`;
  return row;
}
