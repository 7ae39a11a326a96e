import { expect } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { type Sql } from '../../../db/core/client.ts';
import { newEvent, type NewEvent } from '../../../db/webhooks/webhook-events.ts';
import { insertOrders, type WithOrder } from '../../../db/orders/insert-orders.ts';
import { seedOperator } from '../../support/seeds/seed.ts';
import { changeTimes, firstOf, orderOf, orderTest } from './order-rows.ts';
import { countOf, pool } from '../support.ts';
import { addDeliveries, eventType, newSubscriber } from '../webhooks/delivery-rows.ts';
import { held, holdLock, untilAnyLockWait, untilLockWaits } from '../../support/database/locks.ts';
// An order is stored by one statement, which is a transaction of its own.

const test = orderTest.extend(
  'operatorId',
  { scope: 'file' },
  async ({ sql }) => (await seedOperator(sql)).id,
);

const eventOf = (vendorId: string): NewEvent =>
  newEvent({ eventType, vendorId, occurredAt: new Date(), data: {} });
const auditBy = (operator: string): NonNullable<WithOrder['audit']> => ({
  operatorId: operator,
  action: 'order.create',
  requestId: 'request',
  after: { groups: [] },
});

const ofOrders = ['orders', 'fulfilment_groups', 'order_lines', 'list_counts', 'audit_log'];
const tables = [...ofOrders, 'webhook_events', 'webhook_deliveries', 'delivery_queue'];
const stored = async (sql: Sql) =>
  Object.fromEntries(
    await Promise.all(tables.map(async (table) => [table, await countOf(sql, table)] as const)),
  );

test('stores an order with its audit entry and events', async ({ sql, variantId, operatorId }) => {
  const { vendorId } = await newSubscriber(sql);
  const order = orderOf(variantId, [vendorId]);
  const before = await stored(sql);
  await insertOrders(sql, [{ order, events: [eventOf(vendorId)], audit: auditBy(operatorId) }]);
  const after = Object.fromEntries(tables.map((table) => [table, (before[table] ?? 0) + 1]));
  expect(await stored(sql)).toEqual(after);
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
  ['a group of an unknown vendor', 'a vendor that is not active'],
] as const)(
  'leaves nothing when a part fails: %s',
  async ([part, constraint], { sql, variantId, operatorId }) => {
    const { vendorId } = await newSubscriber(sql);
    const events = [eventOf(vendorId)];
    if (part.startsWith('an event'))
      await insertOrders(sql, [{ order: orderOf(variantId, []), events, audit: null }]);
    const before = await stored(sql);
    const order = orderOf(part.startsWith('a line') ? uuidv7() : variantId, [
      part.startsWith('a group') ? uuidv7() : vendorId,
    ]);
    await expect(
      insertOrders(sql, [{ order, events, audit: auditBy(operatorId) }]),
    ).rejects.toThrow(constraint);
    expect(await stored(sql)).toEqual(before);
  },
);

test('gives a later time than the order it waited for', async ({ sql, variantId, operatorId }) => {
  const { vendorId } = await newSubscriber(sql);
  const first = orderOf(variantId, [vendorId]);
  const second = orderOf(variantId, [vendorId, vendorId]);
  const release = await held(sql, (transaction) =>
    insertOrders(transaction, [{ order: first, events: [], audit: null }]),
  );
  const whole = { order: second, events: [eventOf(vendorId)], audit: auditBy(operatorId) };
  const waiting = insertOrders(sql, [whole]);
  await untilLockWaits(sql, 1);
  await release();
  await waiting;
  const ids = [first, second].flatMap(({ groups }) => groups.map(({ id }) => id));
  const times = await changeTimes(sql, ids);
  expect(times).toEqual([...new Set(times)].toSorted());
  expect(times).toHaveLength(3);
});

test('takes the change time last, and delays no other order while it waits for a row', async ({
  database,
  sql,
  variantId,
  operatorId,
}) => {
  const subscriber = await newSubscriber(sql);
  const { vendorId } = subscriber;
  await addDeliveries(sql, subscriber);
  // Its events wait.
  const release = await holdLock(
    sql,
    sql`select from event_sequences where vendor_id = ${vendorId} for update`,
  );
  const [slow, quick] = [orderOf(variantId, [vendorId]), orderOf(variantId, [vendorId])];
  const waiting = insertOrders(sql, [
    { order: slow, events: [eventOf(vendorId)], audit: auditBy(operatorId) },
  ]);
  await untilAnyLockWait(sql);
  await insertOrders(pool(database.url), [{ order: quick, events: [], audit: null }]);
  await release();
  await waiting;
  const ids = [quick, slow].map(({ groups }) => firstOf(groups).id);
  const [before = '', after = ''] = await changeTimes(sql, ids);
  expect(before < after).toBe(true);
});
