import { expect } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { findOrderFacts } from '../../../db/orders/order-facts.ts';
import { InactiveVendor, insertOrders } from '../../../db/orders/insert-orders.ts';
import { orderOf } from './order-rows.ts';
import { addVendor } from '../support.ts';
import { seedVariant } from '../../support/seeds/seed.ts';
import { databaseTest } from '../../support/database/database-test.ts';

const test = databaseTest
  .extend('variantId', { scope: 'file' }, ({ sql }) => seedVariant(sql))
  .extend('vendorId', { scope: 'file' }, ({ sql }) => addVendor(sql));

test('finds what is known', async ({ sql, variantId, vendorId }) => {
  const asleep = await addVendor(sql);
  await sql`update vendors set is_active = false where id = ${asleep}`;
  const { skus, vendors, now } = await findOrderFacts(sql, {
    variantIds: [variantId, uuidv7()],
    vendorIds: [vendorId, asleep, uuidv7()],
  });
  expect(skus).toEqual(new Map([[variantId, `SKU-${variantId}`]]));
  expect(vendors).toEqual(
    new Map([
      [vendorId, now],
      [asleep, null],
    ]),
  );
});

test('refuses a vendor that became inactive', async ({ sql, variantId }) => {
  const vendorId = await addVendor(sql);
  const order = { order: orderOf(variantId, [vendorId]), events: [], audit: null };
  await sql`update vendors set is_active = false where id = ${vendorId}`;
  await expect(insertOrders(sql, [order])).rejects.toThrow(InactiveVendor);
  expect(await sql`select from orders where id = ${order.order.id}`).toHaveLength(0);
  await sql`update vendors set is_active = true where id = ${vendorId}`;
  await insertOrders(sql, [order]);
  expect(await sql`select from orders where id = ${order.order.id}`).toHaveLength(1);
});
