import type { FulfilmentGroup, ShipTo } from '../../domain/orders/fulfilment-group.ts';
import type { Queryable } from '../core/client.ts';

export type GroupRow = Omit<FulfilmentGroup, 'shipTo'> & {
  readonly shipRecipient: string;
  readonly shipLine1: string;
  readonly shipLine2: string | null;
  readonly shipCity: string;
  readonly shipRegion: string | null;
  readonly shipPostalCode: string | null;
  readonly shipCountry: string;
  readonly shipPhone: string;
};

/** Every column of {@link GroupRow}, from {@link groupTables}. */
export const groupColumns = (sql: Queryable) => sql`
  groups.id, groups.order_id, groups.vendor_id, groups.status, groups.vendor_order_id, groups.tracking_ref,
  groups.carrier, groups.carrier_name_other, groups.packed_at, groups.shipped_at, groups.delivered_at,
  orders.ship_recipient, orders.ship_line1, orders.ship_line2, orders.ship_city, orders.ship_region,
  orders.ship_postal_code, orders.ship_country, orders.ship_phone, lines.lines`;

/** Groups with their order and their lines; a line has its variant's sku, whether that is active or not. */
export const groupTables = (sql: Queryable) => sql`
  fulfilment_groups as groups
  join orders on orders.id = groups.order_id
  cross join lateral (
    select coalesce(jsonb_agg(
      jsonb_build_object(
        'lineId', order_lines.id, 'variantId', variants.id, 'sku', variants.sku, 'quantity', order_lines.quantity
      ) order by order_lines.position
    ), '[]') as lines
    from order_lines join variants on variants.id = order_lines.variant_id
    where order_lines.group_id = groups.id
  ) as lines`;

export function toGroup(row: GroupRow): FulfilmentGroup {
  const {
    shipRecipient,
    shipLine1,
    shipLine2,
    shipCity,
    shipRegion,
    shipPostalCode,
    shipCountry,
    shipPhone,
    ...rest
  } = row;
  const shipTo: ShipTo = {
    recipient: shipRecipient,
    line1: shipLine1,
    line2: shipLine2,
    city: shipCity,
    region: shipRegion,
    postalCode: shipPostalCode,
    country: shipCountry,
    phone: shipPhone,
  };
  return { ...rest, shipTo };
}
