import type { FulfilmentGroup, ShipTo } from '../../domain/orders/fulfilment-group.ts';
import type { AuditEntry } from '../accounts/audit.ts';
import type { Queryable } from '../core/client.ts';
import { toDatabaseNames } from '../core/columns.ts';
import type { NewEvent } from '../webhooks/webhook-events.ts';

/** An order and its groups, each with the lines that it ships. */
export type NewOrder = {
  readonly id: string;
  readonly createdAt: Date;
  readonly shipTo: ShipTo;
  readonly groups: readonly (Pick<
    FulfilmentGroup,
    'id' | 'vendorId' | 'status' | 'carrier' | 'carrierNameOther' | 'lines'
  > & { /** By the vendor's clock. */ readonly createdAt: Date })[];
};

/** What is stored with an order: its events, and the audit entry of the operator. */
export type WithOrder = {
  readonly events: readonly NewEvent[];
  /** Null without an operator. */
  readonly audit:
    (Pick<AuditEntry, 'action' | 'requestId' | 'after'> & { readonly operatorId: string }) | null;
};

export type OrderToStore = WithOrder & { readonly order: NewOrder };

const orderRow = ({ order: { id, createdAt, shipTo } }: OrderToStore) => ({
  id,
  created_at: createdAt.toISOString(),
  ...shipTo,
});

/** `position` orders the change times of all groups that are stored together. */
const groupRows = (orders: readonly OrderToStore[]) =>
  orders
    .flatMap(({ order }) => order.groups.map((group) => ({ order, group })))
    .map(({ order, group }, position) => ({
      id: group.id,
      order_id: order.id,
      vendor_id: group.vendorId,
      status: group.status,
      carrier: group.carrier,
      carrier_name_other: group.carrierNameOther,
      created_at: group.createdAt.toISOString(),
      position,
    }));

const lineRows = ({ order }: OrderToStore) =>
  order.groups.flatMap((group) =>
    group.lines.map(({ lineId, variantId, quantity }, position) => ({
      id: lineId,
      group_id: group.id,
      position,
      variant_id: variantId,
      quantity,
    })),
  );

/** An order names a vendor that is not active. No order of the statement is stored. */
export class InactiveVendor extends Error {
  override readonly name = 'InactiveVendor';
}

/**
 * Stores orders with their groups, lines, audit entries and events: all of them or none, by one
 * statement, which is a transaction by itself or the caller's last statement. Rejects with
 * {@link InactiveVendor}. The subselect hides the array's length from the planner, as in
 * `findOrderFacts`.
 */
export async function insertOrders(sql: Queryable, orders: readonly OrderToStore[]): Promise<void> {
  const audit = orders.flatMap((each) =>
    each.audit === null ? [] : [{ ...each.audit, subjectId: each.order.id }],
  );
  const groups = groupRows(orders);
  const vendorIds = [...new Set(groups.flatMap(({ vendor_id: id }) => (id === null ? [] : [id])))];
  const stored = await sql`
    select insert_orders(${sql.json(orders.map(orderRow))}, ${sql.json(audit)},
      ${sql.json(orders.flatMap(({ events }) => events).map(toDatabaseNames))},
      ${sql.json(groups)}, ${sql.json(orders.flatMap(lineRows))})
    from (
      select count(*)::integer as number from vendors
      where id = any((select ${vendorIds}::uuid[])::uuid[]) and is_active
    ) as active where number = ${vendorIds.length}`;
  if (stored.length === 0) throw new InactiveVendor('an order names a vendor that is not active');
}
