import type { Sql } from '../../../db/core/client.ts';

/** A stored instant, with the column that has it. */
type Instant = { readonly name: string; readonly at: Date | null };

/** Every stored business instant (D131) of a vendor's offers, shipments, returns and events. */
export const readBusinessInstants = (sql: Sql, vendorId: string) => sql<Instant[]>`
  select name, at from offers cross join lateral (values
    ('offer created', created_at), ('offer changed', changed_at),
    ('offer awaiting', awaiting_since), ('offer reviewed', reviewed_at)
  ) as instants (name, at)
  where vendor_id = ${vendorId}
  union all
  select 'offer history', at from offer_status_changes
  where offer_id in (select id from offers where vendor_id = ${vendorId})
  union all
  select 'supply', updated_at from supply_options where vendor_id = ${vendorId}
  union all
  select name, at from fulfilment_groups cross join lateral (values
    ('group created', order_created_at), ('group packed', packed_at),
    ('group shipped', shipped_at), ('group delivered', delivered_at)
  ) as instants (name, at)
  where vendor_id = ${vendorId}
  union all
  select name, at from return_requests cross join lateral (values
    ('return requested', requested_at), ('return received', received_at),
    ('inspection started', inspection_started_at), ('inspection decided', inspection_decided_at),
    ('closing announced', closing_announced_at)
  ) as instants (name, at)
  where vendor_id = ${vendorId}
  union all
  select 'return history', at from return_status_changes
  where return_id in (select id from return_requests where vendor_id = ${vendorId})
  union all
  select 'evidence', uploaded_at from return_evidence
  where return_id in (select id from return_requests where vendor_id = ${vendorId})
  union all
  select name, at from webhook_events cross join lateral (values
    ('event', occurred_at), ('event body', (body::jsonb ->> 'occurredAt')::timestamptz)
  ) as instants (name, at)
  where vendor_id = ${vendorId}`;
