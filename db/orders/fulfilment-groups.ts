import type { FulfilmentGroup, OrderLine } from '../../domain/orders/fulfilment-group.ts';
import type { Queryable } from '../core/client.ts';
import { groupColumns, groupTables, toGroup, type GroupRow } from './group-row.ts';

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
