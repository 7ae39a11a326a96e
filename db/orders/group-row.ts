import type { FulfilmentGroup, ShippingAddress } from '../../domain/orders/fulfilment-group.ts';
import type { Queryable } from '../core/client.ts';
import { columnsOf } from '../core/columns.ts';

export const plainGroupColumns = columnsOf<Omit<FulfilmentGroup, keyof ShippingAddress | 'lines'>>(
  'fulfilment_groups',
  {
    id: 'uuid',
    orderId: 'uuid',
    vendorId: 'uuid?',
    status: 'text',
    vendorOrderId: 'text?',
    trackingRef: 'text?',
    carrier: 'text',
    carrierNameOther: 'text?',
    packedAt: 'timestamptz?',
    shippedAt: 'timestamptz?',
    deliveredAt: 'timestamptz?',
  },
);

/** A {@link FulfilmentGroup}, from {@link groupTables}. */
export const groupColumns = (sql: Queryable) => sql`
  ${plainGroupColumns.list(sql, 'groups')}, lines.lines,
  orders.ship_recipient, orders.ship_line1, orders.ship_line2, orders.ship_city,
  orders.ship_region, orders.ship_postal_code, orders.ship_country, orders.ship_phone`;

/** The lines of `groups`; a line has its variant's sku, active or not. */
const linesOfGroup = (sql: Queryable) => sql`
  select coalesce(jsonb_agg(
    jsonb_build_object(
      'lineId', order_lines.id, 'variantId', variants.id, 'sku', variants.sku,
      'quantity', order_lines.quantity
    ) order by order_lines.position
  ), '[]') as lines
  from order_lines join variants on variants.id = order_lines.variant_id
  where order_lines.group_id = groups.id`;

/** Groups with their order and their lines. */
export const groupTables = (sql: Queryable) => sql`
  fulfilment_groups as groups
  join orders on orders.id = groups.order_id
  cross join lateral (${linesOfGroup(sql)}) as lines`;

/** Orders with their groups, in the order of their creation, without the address. */
export const orderTables = (sql: Queryable) => sql`
  orders cross join lateral (
    select jsonb_agg(
      jsonb_build_object(
        'id', groups.id, 'vendorId', groups.vendor_id, 'status', groups.status,
        'lines', lines.lines
      ) order by groups.id
    ) as groups
    from fulfilment_groups as groups cross join lateral (${linesOfGroup(sql)}) as lines
    where groups.order_id = orders.id
  ) as groups`;
