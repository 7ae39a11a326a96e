import { expect, vi } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import {
  findOrderFacts,
  rememberOrderFacts,
  shareOrderFacts,
  type OrderNames,
} from '../../../db/orders/order-facts.ts';
import { InactiveVendor, insertOrders } from '../../../db/orders/insert-orders.ts';
import { addVariant, orderOf } from './order-rows.ts';
import { addVendor, pool } from '../support.ts';
import { databaseTest } from '../../support/database/database-test.ts';

const test = databaseTest
  .extend('variantId', { scope: 'file' }, ({ sql }) => addVariant(sql))
  .extend('vendorId', { scope: 'file' }, ({ sql }) => addVendor(sql));

test('variants by sku, vendors by activity, and nothing of what is unknown', async ({
  sql,
  variantId,
  vendorId,
}) => {
  const asleep = await addVendor(sql);
  await sql`update vendors set is_active = false where id = ${asleep}`;
  const { skus, vendors } = await findOrderFacts(sql, {
    variantIds: [variantId, uuidv7()],
    vendorIds: [vendorId, asleep, uuidv7()],
  });
  expect(skus).toEqual(new Map([[variantId, `SKU-${variantId}`]]));
  expect(vendors).toEqual(
    new Map([
      [vendorId, true],
      [asleep, false],
    ]),
  );
});

test('both statements of an order keep their plan after the first five executions', async ({
  database,
  variantId,
  vendorId,
}) => {
  const one = pool(database.url, 1);
  for (let turn = 0; turn < 20; turn += 1) {
    await findOrderFacts(one, { variantIds: [variantId], vendorIds: [vendorId] });
    await insertOrders(one, [{ order: orderOf(variantId, [vendorId]), events: [], audit: null }]);
  }
  const plans = await one<{ genericPlans: string; customPlans: string }[]>`
    select generic_plans, custom_plans from pg_prepared_statements
    where statement like '%from variants%' or statement like '%select insert_orders%'`;
  const kept = plans.filter(
    (plan) => Number(plan.genericPlans) >= 15 && Number(plan.customPlans) <= 5,
  );
  expect(kept).toHaveLength(2);
});

test('orders of one turn share a reading, each with its part; a later one has its own', async ({
  sql,
  variantId,
  vendorId,
}) => {
  const factsOf = shareOrderFacts(sql);
  const other = await addVariant(sql);
  const [one, two] = await Promise.all([
    factsOf({ variantIds: [variantId], vendorIds: [vendorId] }),
    factsOf({ variantIds: [other, variantId], vendorIds: [] }),
  ]);
  expect(one).toBe(two);
  expect(one.skus.size).toBe(2);
  expect(one.vendors.get(vendorId)).toBe(true);
  await sql`update vendors set is_active = false where id = ${vendorId}`;
  const later = await factsOf({ variantIds: [], vendorIds: [vendorId] });
  expect(later.vendors.get(vendorId)).toBe(false);
  await sql`update vendors set is_active = true where id = ${vendorId}`;
});

test('a failed read fails for all callers that share it, and for no later caller', async ({
  sql,
  variantId,
}) => {
  const factsOf = shareOrderFacts(sql);
  const good = { variantIds: [variantId], vendorIds: [] };
  const settled = await Promise.allSettled([
    factsOf(good),
    factsOf({ variantIds: ['none'], vendorIds: [] }),
  ]);
  expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect((await factsOf(good)).skus.size).toBe(1);
});

test('remembered facts are not read again, and an inactive vendor is not remembered', async ({
  sql,
  variantId,
}) => {
  const [awake, asleep] = [await addVendor(sql), await addVendor(sql)];
  await sql`update vendors set is_active = false where id = ${asleep}`;
  let reads = 0;
  const { factsOf, forget } = rememberOrderFacts((names: OrderNames) => {
    reads += 1;
    return findOrderFacts(sql, names);
  });
  const names = { variantIds: [variantId], vendorIds: [awake, asleep] };
  expect((await factsOf(names)).vendors.get(asleep)).toBe(false);
  await sql`update vendors set is_active = true where id = ${asleep}`;
  expect((await factsOf(names)).vendors.get(asleep)).toBe(true);
  expect(reads).toBe(2);
  const first = await factsOf(names);
  expect(first.skus.get(variantId)).toBe(`SKU-${variantId}`);
  // `now` advances although nothing is read.
  await vi.waitFor(async () => {
    expect((await factsOf(names)).now.getTime()).toBeGreaterThan(first.now.getTime());
  });
  expect(reads).toBe(2);
  forget();
  await factsOf(names);
  expect(reads).toBe(3);
});

test('facts that a caller has stay as they are when others are read again', async ({
  sql,
  variantId,
  vendorId,
}) => {
  const { factsOf, forget } = rememberOrderFacts((names) => findOrderFacts(sql, names));
  const names = { variantIds: [variantId], vendorIds: [vendorId] };
  await factsOf(names);
  const remembered = factsOf(names);
  // The order of another caller names a vendor that has become inactive.
  forget();
  const { skus, vendors } = await remembered;
  expect(skus.get(variantId)).toBe(`SKU-${variantId}`);
  expect(vendors.get(vendorId)).toBe(true);
});

test('a vendor that became inactive after it was read gets no order', async ({
  sql,
  variantId,
}) => {
  const vendorId = await addVendor(sql);
  const order = { order: orderOf(variantId, [vendorId]), events: [], audit: null };
  await sql`update vendors set is_active = false where id = ${vendorId}`;
  await expect(insertOrders(sql, [order])).rejects.toThrow(InactiveVendor);
  expect(await sql`select from orders where id = ${order.order.id}`).toHaveLength(0);
  await sql`update vendors set is_active = true where id = ${vendorId}`;
  await insertOrders(sql, [order]);
  expect(await sql`select from orders where id = ${order.order.id}`).toHaveLength(1);
});
