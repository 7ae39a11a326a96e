import type { FulfilmentGroup, OrderLine } from '../../domain/orders/fulfilment-group.ts';
import { releasingReturnStatuses } from '../../domain/returns/return-status.ts';
import type { Queryable } from '../core/client.ts';
import { businessNowOf } from '../core/clock.ts';
import { firstOf } from '../core/rows.ts';
import { equalTo } from '../lists/page.ts';
import { groupColumns, groupTables, plainGroupColumns } from './group-row.ts';

/**
 * Gives an order's groups a new change time; `newVendorId` is a vendor that the change adds. Take
 * no locks after this call: it excludes the vendors' other writers until the commit.
 */
export async function touchOrder(
  sql: Queryable,
  orderId: string,
  newVendorId: string | null = null,
): Promise<void> {
  await sql`select touch_order(${orderId}, ${newVendorId})`;
}

/** A vendor's own group; null for an unknown one and another vendor's. */
export const findGroup = (sql: Queryable, id: string, vendorId: string) =>
  firstOf(sql<FulfilmentGroup[]>`
    select ${groupColumns(sql)} from ${groupTables(sql)}
    where groups.id = ${id} and groups.vendor_id = ${vendorId}`);

/** A group whose order is locked, and the instant by its vendor's business clock. */
export type LockedGroup = { readonly group: FulfilmentGroup; readonly now: Date };

/**
 * Locks a group's order until the transaction ends, and reads the group; null for an unknown group,
 * and with `vendorId` for another vendor's. Two statements, because a statement that waits for a
 * lock sees every other row as it was before the wait.
 */
export async function lockGroup(
  sql: Queryable,
  id: string,
  { vendorId = null }: { readonly vendorId?: string | null } = {},
): Promise<LockedGroup | null> {
  const isTheirs = equalTo(sql, { 'groups.vendor_id': vendorId });
  await sql`
    select from orders
    where id = (select order_id from fulfilment_groups as groups
      where groups.id = ${id} ${isTheirs})
    for no key update`;
  const [row] = await sql<(FulfilmentGroup & { readonly now: Date })[]>`
    select ${groupColumns(sql)},
      ${businessNowOf(sql, sql`groups.vendor_id`)} as now
    from ${groupTables(sql)} where groups.id = ${id} ${isTheirs}`;
  if (row === undefined) return null;
  const { now, ...group } = row;
  return { group, now };
}

const variableKeys = plainGroupColumns.keys.filter((key) => key !== 'id' && key !== 'orderId');

/** Stores a changed group whose order is locked. */
export async function storeGroup(sql: Queryable, group: FulfilmentGroup): Promise<void> {
  await sql`
    update fulfilment_groups set ${sql(group, ...variableKeys)} where id = ${group.id}`;
}

/** A line of an order with its group and its vendor, for a return. */
export type OrderedLine = OrderLine & {
  readonly groupId: string;
  readonly vendorId: string | null;
  /** The quantity of all open and accepted returns of the line. */
  readonly returnedQuantity: number;
};

/**
 * Locks an order until the transaction ends, and reads every line of it; null when there is no such
 * order. With the lock, two returns cannot both take the last piece of a line.
 */
export async function lockOrderedLines(
  sql: Queryable,
  orderId: string,
): Promise<readonly OrderedLine[] | null> {
  await sql`select from orders where id = ${orderId} for no key update`;
  const rows = await sql<OrderedLine[]>`
    select order_lines.id as line_id, order_lines.variant_id, variants.sku, order_lines.quantity,
      group_id, groups.vendor_id, coalesce((
        select sum(return_lines.quantity)::integer
        from return_lines join return_requests on return_requests.id = return_lines.return_id
        where return_lines.order_line_id = order_lines.id
          and return_requests.status <> all(${releasingReturnStatuses})
      ), 0) as returned_quantity
    from fulfilment_groups as groups
    join order_lines on order_lines.group_id = groups.id
    join variants on variants.id = order_lines.variant_id
    where groups.order_id = ${orderId}`;
  return rows.length === 0 ? null : rows;
}
