import type { Queryable } from '../core/client.ts';

/** How many deliveries of a batch are in which state, and their events by subscription. */
type Batch = Readonly<Record<'succeeded' | 'moved' | 'ended' | 'left', number>> & {
  readonly members: readonly {
    readonly vendorId: string;
    readonly subscriptionId: string;
    readonly eventIds: readonly string[];
  }[];
};

/** Reads a delivery batch of an earlier version. */
export async function readBatch(sql: Queryable, batchId: string): Promise<Batch> {
  const [row] = await sql<[Batch]>`
    with member as materialized (
      -- A delivery that was redelivered meanwhile may be a member twice.
      select delivery.*, delivery.batch_id is not distinct from ${batchId} as is_member
      from webhook_deliveries as delivery where id in (
        select unnest(delivery_ids) from webhook_delivery_batches where id = ${batchId}
      )
    )
    select
      count(*) filter (where is_member and state = 'succeeded')::int as succeeded,
      count(*) filter (where not is_member)::int as moved,
      count(*) filter (where is_member and state not in ('succeeded', 'waiting'))::int as ended,
      count(*) filter (where is_member and state = 'waiting')::int as left,
      coalesce((
        select jsonb_agg(jsonb_build_object(
          'vendorId', vendor_id, 'subscriptionId', subscription_id, 'eventIds', event_ids
        ) order by vendor_id, subscription_id)
        from (
          select vendor_id, subscription_id, jsonb_agg(event_id order by event_id) as event_ids
          from member group by vendor_id, subscription_id
        ) as of_subscription
      ), '[]') as members
    from member`;
  return row;
}
