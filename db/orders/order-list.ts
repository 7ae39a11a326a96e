import type { Fragment } from 'postgres';
import type { FulfilmentGroup } from '../../domain/orders/fulfilment-group.ts';
import type { GroupStatus } from '../../domain/orders/fulfilment-status.ts';
import { searchedOrdersMax } from '../../domain/orders/order-id.ts';
import { spellingsOf } from '../../domain/texts/typed-text.ts';
import type { Queryable } from '../core/client.ts';
import { readIdPage, type ItemSource } from '../lists/id-page.ts';
import { countListed } from '../lists/list-counts.ts';
import { between, equalTo, type Page, type PageRequest } from '../lists/page.ts';
import { descending } from '../lists/sort-order.ts';
import { groupColumns, groupTables, orderTables } from './group-row.ts';

/** An order as operators list it, without the address. */
export type ListedOrder = {
  readonly id: string;
  readonly createdAt: Date;
  readonly groups: readonly Pick<FulfilmentGroup, 'id' | 'vendorId' | 'status' | 'lines'>[];
};

/**
 * Only orders that have a group with vendor and status; instants are RFC 3339 text, both inclusive.
 * `reference`: only orders with a group that has this tracking reference or vendor's reference.
 */
export type OrderFilter = {
  readonly vendorId: string | null;
  readonly status: GroupStatus | null;
  readonly from: string | null;
  readonly to: string | null;
  readonly reference?: string | null;
  /**
   * Words of the recipient's name; only the newest {@link searchedOrdersMax} orders are looked at.
   */
  readonly recipient?: string | null;
};

const sourceOf = (sql: Queryable): ItemSource => ({
  columns: sql`orders.id, orders.created_at, groups.groups`,
  tables: orderTables(sql),
  alias: sql`orders`,
});

/**
 * The orders of every vendor, newest first. By vendor or status an index of the groups has the
 * order: the first such group of an order stands for it.
 */
export const listOrders = (
  sql: Queryable,
  { vendorId, status, from, to, reference = null, recipient = null }: OrderFilter,
  request: PageRequest,
): Promise<Page<ListedOrder>> =>
  readIdPage<ListedOrder>(sql, request, (parts) => {
    const isCounted =
      vendorId !== null && [status, from, to, reference, recipient].every((each) => each === null);
    const within = (id: string, orders: Fragment) => parts`and ${parts.unsafe(id)} in (${orders})`;
    const isNamed = (id: string) => parts`
      ${reference === null ? parts`` : within(id, ordersOf(parts, reference))}
      ${recipient === null ? parts`` : within(id, ordersTo(parts, recipient, { from, to }))}`;
    const isOfGroups = vendorId !== null || status !== null;
    const has = (alias: string) =>
      equalTo(parts, { [`${alias}.vendor_id`]: vendorId, [`${alias}.status`]: status });
    const rows = isOfGroups
      ? parts`fulfilment_groups as listed where true ${has('listed')}
          ${between(parts, 'listed.order_created_at', from, to)} ${isNamed('listed.order_id')}
          and not exists (
            select from fulfilment_groups as earlier
            where earlier.order_id = listed.order_id and earlier.id < listed.id ${has('earlier')}
          )`
      : parts`orders as listed where true ${between(parts, 'listed.created_at', from, to)}
          ${isNamed('listed.id')}`;
    return [
      sourceOf(parts),
      {
        rows,
        id: isOfGroups ? parts`listed.order_id` : parts`listed.id`,
        order: descending(
          isOfGroups ? 'listed.order_created_at' : 'listed.created_at',
          'listed.id',
        ),
        ...(isCounted && {
          total: countListed(parts, { list: 'orders', vendorId, status: null }),
        }),
      },
    ];
  });

/** The reference as it is, or without what cannot be seen. Letter case makes no difference. */
function ordersOf(sql: Queryable, reference: string): Fragment {
  const asked = sql`
    any(array(select lower(spelling) from unnest(${[...spellingsOf(reference)]}::text[]) as spelling))`;
  return sql`
    select order_id from fulfilment_groups
    where lower(tracking_ref) = ${asked} and tracking_ref is not null
    union all
    select order_id from fulfilment_groups
    where lower(vendor_order_id) = ${asked} and vendor_order_id is not null`;
}

/** The newest orders whose recipient has these words, as a person types them. */
const ordersTo = (
  sql: Queryable,
  recipient: string,
  { from, to }: Pick<OrderFilter, 'from' | 'to'>,
): Fragment => sql`
  select id from (
    select id, ship_recipient from orders where true ${between(sql, 'created_at', from, to)}
    order by created_at desc, id desc limit ${searchedOrdersMax}
  ) as newest
  where (select fold_name(${recipient})) <> ''
    and position((select fold_name(${recipient})) in fold_name(ship_recipient)) > 0`;

/** When an order was created, and its groups with all they have; null for an unknown one. */
export async function findOrder(
  sql: Queryable,
  id: string,
): Promise<{ readonly createdAt: Date; readonly groups: readonly FulfilmentGroup[] } | null> {
  const rows = await sql<(FulfilmentGroup & { readonly createdAt: Date })[]>`
    select orders.created_at, ${groupColumns(sql)} from ${groupTables(sql)}
    where groups.order_id = ${id} order by groups.id`;
  const [first] = rows;
  return first === undefined ? null : { createdAt: first.createdAt, groups: rows };
}
