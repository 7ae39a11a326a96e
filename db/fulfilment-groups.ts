import type { FulfilmentGroup, OrderLine, ShipTo } from '../domain/fulfilment-group.ts';
import type { Queryable } from './client.ts';
import { groupColumns, groupTables, toGroup, type GroupRow } from './group-row.ts';

/** An order as it comes in: its groups, each with what it ships. */
export type NewOrder = {
  readonly id: string;
  readonly createdAt: Date;
  readonly shipTo: ShipTo;
  readonly groups: readonly Pick<
    FulfilmentGroup,
    'id' | 'vendorId' | 'status' | 'carrier' | 'carrierNameOther' | 'lines'
  >[];
};

/** Stores an order, its groups with their change time, and their lines. The last statements of its transaction. */
export async function insertOrder(sql: Queryable, order: NewOrder): Promise<void> {
  const { id, createdAt, shipTo, groups } = order;
  const rows = groups.map(({ id, vendorId, status, carrier, carrierNameOther }) => ({
    id,
    vendor_id: vendorId,
    status,
    carrier,
    carrier_name_other: carrierNameOther,
  }));
  const lines = groups.flatMap((group) =>
    group.lines.map(({ lineId, variantId, quantity }, position) => ({
      id: lineId,
      group_id: group.id,
      position,
      variant_id: variantId,
      quantity,
    })),
  );
  await sql`
    insert into orders (id, ship_recipient, ship_line1, ship_line2, ship_city, ship_region, ship_postal_code,
      ship_country, ship_phone, created_at)
    values (${id}, ${shipTo.recipient}, ${shipTo.line1}, ${shipTo.line2}, ${shipTo.city}, ${shipTo.region},
      ${shipTo.postalCode}, ${shipTo.country}, ${shipTo.phone}, ${createdAt})`;
  const vendorIds = groups.flatMap(({ vendorId }) => vendorId ?? []);
  await sql`
    with given as (
      select record.*, row_number() over (order by record.id) - 1 as place
      from jsonb_to_recordset(${sql.json(rows)})
        as record(id uuid, vendor_id uuid, status text, carrier text, carrier_name_other text)
    ), clock as materialized (select next_change_time(${vendorIds}::uuid[]) as changed_at)
    insert into fulfilment_groups (id, order_id, vendor_id, status, carrier, carrier_name_other, order_created_at,
      order_changed_at)
    select given.id, ${id}, vendor_id, status, carrier, carrier_name_other, ${createdAt},
      clock.changed_at + place * interval '1 microsecond'
    from given, clock`;
  await sql`
    insert into order_lines (id, group_id, position, variant_id, quantity)
    select id, group_id, position, variant_id, quantity
    from jsonb_to_recordset(${sql.json(lines)})
      as given(id uuid, group_id uuid, position integer, variant_id uuid, quantity integer)`;
}

/**
 * Gives an order's groups a new change time; `newVendorId` is a vendor that the change brings in. After it a transaction may
 * only write the change itself: see the function's own comment.
 */
export async function touchOrder(
  sql: Queryable,
  orderId: string,
  newVendorId: string | null = null,
): Promise<void> {
  await sql`select touch_order(${orderId}, ${newVendorId})`;
}

/** A group whose order is locked, and the database's time. */
export type LockedGroup = { readonly group: FulfilmentGroup; readonly now: Date };

/**
 * A group, with its order locked until the transaction ends; null for an unknown one, and with `vendorId` for one of another
 * vendor. Locked in a statement of its own: one that waits for a lock sees everything else as it was before.
 */
export async function lockGroup(
  sql: Queryable,
  id: string,
  { vendorId = null }: { readonly vendorId?: string | null } = {},
): Promise<LockedGroup | null> {
  const isTheirs = (alias: string) =>
    vendorId === null ? sql`` : sql`and ${sql.unsafe(alias)}.vendor_id = ${vendorId}`;
  await sql`
    select from orders
    where id = (select order_id from fulfilment_groups where fulfilment_groups.id = ${id} ${isTheirs('fulfilment_groups')})
    for no key update`;
  const [row] = await sql<(GroupRow & { readonly now: Date })[]>`
    select ${groupColumns(sql)}, clock_timestamp() as now
    from ${groupTables(sql)} where groups.id = ${id} ${isTheirs('groups')}`;
  if (row === undefined) return null;
  const { now, ...rest } = row;
  return { group: toGroup(rest), now };
}

/** Stores a changed group whose order is locked. */
export async function storeGroup(sql: Queryable, group: FulfilmentGroup): Promise<void> {
  const { id, vendorId, status, vendorOrderId, trackingRef, carrier, carrierNameOther } = group;
  const { packedAt, shippedAt, deliveredAt } = group;
  await sql`
    update fulfilment_groups set vendor_id = ${vendorId}, status = ${status}, vendor_order_id = ${vendorOrderId},
      tracking_ref = ${trackingRef}, carrier = ${carrier}, carrier_name_other = ${carrierNameOther},
      packed_at = ${packedAt}, shipped_at = ${shippedAt}, delivered_at = ${deliveredAt}
    where id = ${id}`;
}

/** What an order's line is part of, for a return of it. */
export type OrderedLine = OrderLine & { readonly vendorId: string | null };

/** Every line of an order; null when there is no such order. */
export async function findOrderedLines(
  sql: Queryable,
  orderId: string,
): Promise<readonly OrderedLine[] | null> {
  const rows = await sql<OrderedLine[]>`
    select order_lines.id as line_id, order_lines.variant_id, variants.sku, order_lines.quantity, groups.vendor_id
    from fulfilment_groups as groups
    join order_lines on order_lines.group_id = groups.id
    join variants on variants.id = order_lines.variant_id
    where groups.order_id = ${orderId}`;
  return rows.length === 0 ? null : rows;
}
