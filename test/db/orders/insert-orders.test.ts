import { describe, expect } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { type Sql } from '../../../db/core/client.ts';
import { newEvent, type NewEvent } from '../../../db/webhooks/webhook-events.ts';
import { insertOrders, type NewOrder, type WithOrder } from '../../../db/orders/insert-orders.ts';
import { seedOperator, seedVariant } from '../../support/seeds/seed.ts';
import { changeTimes, firstOf, orderOf, queueOf, takeIn } from './order-rows.ts';
import { addSubscription, addVendor, countOf, deferred, pool } from '../support.ts';
import { databaseTest } from '../../support/database/database-test.ts';
import { untilAnyLockWait } from '../../support/database/locks.ts';
// An order is stored by one statement, which is a transaction of its own.

const test = databaseTest
  .extend('variantId', { scope: 'file' }, ({ sql }) => seedVariant(sql))
  .extend('operatorId', { scope: 'file' }, async ({ sql }) => (await seedOperator(sql)).id);

const eventOf = (vendorId: string): NewEvent =>
  newEvent({ eventType: 'vendor.order.assigned', vendorId, occurredAt: new Date(), data: {} });
const auditBy = (operator: string): NonNullable<WithOrder['audit']> => ({
  operatorId: operator,
  action: 'order.create',
  requestId: 'request',
  after: { groups: [] },
});

async function newSubscriber(sql: Sql) {
  const vendorId = await addVendor(sql);
  return {
    vendorId,
    subscriptionId: await addSubscription(sql, vendorId, ['vendor.order.assigned']),
  };
}

/** An order of one group of a vendor with a subscription, and all that goes with it. */
async function wholeOrder(
  sql: Sql,
  variantId: string,
): Promise<{ readonly order: NewOrder; readonly event: NewEvent }> {
  const { vendorId } = await newSubscriber(sql);
  return { order: orderOf(variantId, [vendorId]), event: eventOf(vendorId) };
}

const tables = ['orders', 'audit_log', 'webhook_events', 'webhook_deliveries', 'outbox'].concat(
  'fulfilment_groups',
  'order_lines',
  'list_counts',
);
const stored = async (sql: Sql) =>
  Object.fromEntries(
    await Promise.all(tables.map(async (table) => [table, await countOf(sql, table)] as const)),
  );

const withUnknownVariant = (order: NewOrder): NewOrder => ({
  ...order,
  groups: order.groups.map((group) => ({
    ...group,
    lines: group.lines.map((line) => ({ ...line, variantId: uuidv7() })),
  })),
});

describe('an order with its audit entry and events', () => {
  test('is stored in all its parts', async ({ sql, variantId, operatorId }) => {
    const { order, event } = await wholeOrder(sql, variantId);
    const before = await stored(sql);
    await insertOrders(sql, [{ order: order, events: [event], audit: auditBy(operatorId) }]);
    const added = Object.entries(await stored(sql)).map(([table, count]) => [
      table,
      count - (before[table] ?? 0),
    ]);
    expect(Object.fromEntries(added)).toEqual({
      ...Object.fromEntries(tables.map((table) => [table, 1])),
      // The group for ever, its day and its hour; the order.
      list_counts: 4,
    });
    const [entry] = await sql`
      select operator_id, action, subject_type, request_id, before, after from audit_log
      where subject_id = ${order.id}`;
    expect(entry).toEqual({
      operatorId,
      action: 'order.create',
      subjectType: 'order',
      requestId: 'request',
      before: null,
      after: { groups: [] },
    });
  });

  test.for([
    ['a line of an unknown variant, which is written last', 'order_lines_variant_id_fkey'],
    ['an event that is there already', 'webhook_deliveries_event_id_subscription_id_key'],
    ['an audit entry of an unknown operator', 'audit_log_operator_id_fkey'],
    ['a group of an unknown vendor', 'a vendor that is not active'],
  ] as const)(
    'leaves nothing when a part fails: %s',
    async ([part, constraint], { sql, variantId, operatorId }) => {
      const { order, event } = await wholeOrder(sql, variantId);
      const audit = auditBy(part.startsWith('an audit') ? uuidv7() : operatorId);
      if (part.startsWith('an event')) {
        await insertOrders(sql, [{ order: orderOf(variantId, []), events: [event], audit: null }]);
      }
      const before = await stored(sql);
      const given = part.startsWith('a line')
        ? withUnknownVariant(order)
        : part.startsWith('a group')
          ? { ...order, groups: order.groups.map((group) => ({ ...group, vendorId: uuidv7() })) }
          : order;
      await expect(insertOrders(sql, [{ order: given, events: [event], audit }])).rejects.toThrow(
        constraint,
      );
      expect(await stored(sql)).toEqual(before);
    },
  );
});

describe('the change time of an order that is stored by its own statement', () => {
  test('is later than the one it had to wait for', async ({ sql, variantId, operatorId }) => {
    const { vendorId } = await newSubscriber(sql);
    const held = deferred<null>();
    const stamped = deferred<null>();
    const first = orderOf(variantId, [vendorId]);
    const taken = takeIn(sql, first, async () => {
      stamped.resolve(null);
      await held.promise;
    });
    await stamped.promise;
    const second = orderOf(variantId, [vendorId, vendorId]);
    const waiting = insertOrders(sql, [
      { order: second, events: [eventOf(vendorId)], audit: auditBy(operatorId) },
    ]);
    await queueOf(sql, 1);
    held.resolve(null);
    await Promise.all([taken, waiting]);
    const times = await changeTimes(
      sql,
      [first, second].flatMap(({ groups }) => groups.map(({ id }) => id)),
    );
    expect(times).toEqual([...new Set(times)].toSorted());
    expect(times).toHaveLength(3);
  });

  test.for(['operators', 'webhook_subscriptions'])(
    'is asked for last, also after a wait for a row of %s: the vendor’s other orders go on',
    async (table, { database, sql, variantId, operatorId }) => {
      const { vendorId, subscriptionId } = await newSubscriber(sql);
      const other = pool(database.url);
      const locked = deferred<null>();
      const held = deferred<null>();
      const holder = sql.begin(async (transaction) => {
        const id = table === 'operators' ? operatorId : subscriptionId;
        await transaction`select from ${transaction(table)} where id = ${id} for update`;
        locked.resolve(null);
        await held.promise;
      });
      await locked.promise;
      const slow = orderOf(variantId, [vendorId]);
      const waiting = insertOrders(sql, [
        { order: slow, events: [eventOf(vendorId)], audit: auditBy(operatorId) },
      ]);
      await untilAnyLockWait(sql);
      const quick = orderOf(variantId, [vendorId]);
      await insertOrders(other, [{ order: quick, events: [], audit: null }]);
      held.resolve(null);
      await Promise.all([holder, waiting]);
      const [before = '', after = ''] = await changeTimes(sql, [
        firstOf(quick.groups).id,
        firstOf(slow.groups).id,
      ]);
      expect(before < after).toBe(true);
    },
  );
});
