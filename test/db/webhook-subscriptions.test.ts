import { afterAll, beforeAll, expect, test } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { connect, type Sql } from '../../db/client.ts';
import {
  activeSubscriptionsMax,
  findSubscription,
  insertSubscription,
  listSubscriptions,
} from '../../db/webhook-subscriptions.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { addSubscription, addVendor } from './support.ts';

let database: TestDatabase;
let sql: Sql;

beforeAll(async () => {
  database = await createTestDatabase();
  sql = connect(database.url, { max: 10, name: 'test' });
});
afterAll(async () => {
  await sql.end();
  await database.drop();
});

const insert = (vendorId: string) =>
  sql.begin((transaction) =>
    insertSubscription(transaction, {
      id: uuidv7(),
      vendorId,
      url: 'https://vendor.example.org/hook',
      eventTypes: ['vendor.order.assigned'],
      secretSealed: Buffer.from('sealed'),
    }),
  );

test('of ten creations at once exactly five succeed', async () => {
  const vendorId = await addVendor(sql);
  const made = await Promise.all(Array.from({ length: 10 }, () => insert(vendorId)));
  expect(made.filter((subscription) => subscription !== null)).toHaveLength(activeSubscriptionsMax);
  const { items, totalCount } = await listSubscriptions(sql, vendorId, { page: 1, pageSize: 100 });
  expect([items.length, totalCount]).toEqual([5, 5]);
});

test('inactive subscriptions do not count, and another vendor has five of its own', async () => {
  const vendorId = await addVendor(sql);
  for (let index = 0; index < 5; index += 1) await addSubscription(sql, vendorId);
  expect(await insert(vendorId)).toBeNull();
  expect(await insert(await addVendor(sql))).not.toBeNull();
  await sql`
    update webhook_subscriptions set is_active = false
    where id = (select id from webhook_subscriptions where vendor_id = ${vendorId} limit 1)`;
  expect(await insert(vendorId)).not.toBeNull();
  expect(await insert(vendorId)).toBeNull();
});

test("another vendor's subscription is not found, and its secret is not read", async () => {
  const vendorId = await addVendor(sql);
  const id = await addSubscription(sql, vendorId);
  expect(await findSubscription(sql, await addVendor(sql), id)).toBeNull();
  const found = await findSubscription(sql, vendorId, id);
  expect(found).not.toHaveProperty('secretSealed');
  expect(found).toMatchObject({
    id,
    vendorId,
    isActive: true,
    lastDeliveryAt: null,
    lastDeliveryStatus: null,
  });
});
