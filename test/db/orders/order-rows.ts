import { v7 as uuidv7 } from 'uuid';
import type { Queryable, Sql } from '../../../db/core/client.ts';
import { lockGroup, storeGroup, touchOrder } from '../../../db/orders/fulfilment-groups.ts';
import { insertOrders, type NewOrder } from '../../../db/orders/insert-orders.ts';
import type { FulfilmentGroup } from '../../../domain/orders/fulfilment-group.ts';
import { databaseTest } from '../../support/database/database-test.ts';
import { seededShipTo } from '../../support/returns/seed-returns.ts';
import { seedVariant } from '../../support/seeds/seed.ts';

/** Gives a file the variant of its orders. */
export const orderTest = databaseTest.extend('variantId', { scope: 'file' }, ({ sql }) =>
  seedVariant(sql),
);

/**
 * An order with a group of one line for each of these vendors; null is one that waits for a source.
 */
export const orderOf = (variantId: string, vendorIds: readonly (string | null)[]): NewOrder => ({
  id: uuidv7(),
  createdAt: new Date(),
  shipTo: seededShipTo,
  groups: vendorIds.map((vendorId) => ({
    id: uuidv7(),
    vendorId,
    createdAt: new Date(),
    status: vendorId === null ? 'PendingSourcing' : 'Pending',
    carrier: 'CarrierA',
    carrierNameOther: null,
    lines: [{ lineId: uuidv7(), variantId, sku: '', quantity: 1 }],
  })),
});

/**
 * Takes an order in, as a transaction of its own; `last` comes between its change time and the
 * commit.
 */
export async function takeIn(
  sql: Sql,
  order: NewOrder,
  last: (transaction: Queryable) => Promise<unknown> = () => Promise.resolve(),
): Promise<NewOrder> {
  await sql.begin(async (transaction) => {
    await insertOrders(transaction, [{ order, events: [], audit: null }]);
    await last(transaction);
  });
  return order;
}

/** Changes a group as a command does; `last` comes between the change time and the commit. */
export const change = (
  sql: Sql,
  groupId: string,
  decide: (group: FulfilmentGroup, now: Date) => FulfilmentGroup,
  last: (transaction: Queryable) => Promise<unknown> = () => Promise.resolve(),
): Promise<unknown> =>
  sql.begin(async (transaction) => {
    const locked = await lockGroup(transaction, groupId);
    if (locked === null) throw new Error(`no group ${groupId}`);
    const after = decide(locked.group, locked.now);
    await touchOrder(transaction, locked.group.orderId, after.vendorId);
    await storeGroup(transaction, after);
    await last(transaction);
  });

/** When groups' orders changed, with microseconds, in the groups' order. */
export async function changeTimes(
  sql: Sql,
  groupIds: readonly string[],
): Promise<readonly string[]> {
  const rows = await sql<{ at: string }[]>`
    select to_char(order_changed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at
    from unnest(${[...groupIds]}::uuid[]) with ordinality as given (id, position)
    join fulfilment_groups on fulfilment_groups.id = given.id order by given.position`;
  return rows.map(({ at }) => at);
}

/** The first of what must not be empty. */
export const firstOf = <T>(values: readonly T[]): T => {
  const [first] = values;
  if (first === undefined) throw new Error('there is none');
  return first;
};
