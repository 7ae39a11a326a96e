import { expect } from 'vitest';
import type { Sql } from '../../../db/core/client.ts';
import { compactCounters } from '../../../db/lists/compact-counters.ts';
import { listDeliveries, type DeliveryFilter } from '../../../db/webhooks/webhook-deliveries.ts';
import { databaseTest } from '../../support/database/database-test.ts';
import { entriesReadBy } from '../../support/database/entries-read.ts';
import { seedManyDeliveries } from '../../support/webhooks/old-deliveries.ts';
import { anyDelivery } from '../../support/webhooks/any-delivery.ts';
import { addSubscription, addVendor, pool } from '../support.ts';

const many = 20_000;
const few = 60;

async function addDeliveries(
  sql: Sql,
  vendorId: string,
  given: Parameters<typeof seedManyDeliveries>[2],
): Promise<void> {
  const subscriptionId = await addSubscription(sql, vendorId);
  await seedManyDeliveries(sql, { vendorId, subscriptionId }, given);
}

const test = databaseTest.extend('vendors', { scope: 'file' }, async ({ sql }) => {
  const [big, small] = [await addVendor(sql), await addVendor(sql)];
  await addDeliveries(sql, small, { count: few, state: 'deadLettered', days: 300 });
  await addDeliveries(sql, small, { count: few, state: 'succeeded', days: 200 });
  await addDeliveries(sql, small, { count: few, state: 'waiting', days: 100 });
  await addDeliveries(sql, big, { count: many, state: 'succeeded', days: 10 });
  await compactCounters(sql);
  await sql`vacuum (analyze) webhook_deliveries, webhook_events, delivery_counts`;
  return { big, small };
});

type Asked = Omit<Partial<DeliveryFilter>, 'vendorId'> & { readonly vendor?: 'big' | 'small' };

const filters: readonly (readonly [string, Asked])[] = [
  ['all', {}],
  ['succeeded', { state: 'succeeded' }],
  ['dead letters', { state: 'deadLettered' }],
  ['those that wait', { state: 'waiting' }],
  ['a vendor with few', { vendor: 'small' }],
  ['a vendor with many', { vendor: 'big' }],
  ['succeeded, of a vendor with few', { vendor: 'small', state: 'succeeded' }],
  ['dead letters of a vendor', { vendor: 'small', state: 'deadLettered' }],
  ['dead letters of a vendor without any', { vendor: 'big', state: 'deadLettered' }],
  ['those of a vendor that wait', { vendor: 'small', state: 'waiting' }],
  ['those of another vendor that wait', { vendor: 'big', state: 'waiting' }],
  ['a type', { eventType: 'vendor.offer.review-decision' }],
  ['a type of no delivery', { eventType: 'vendor.order.assigned' }],
  ['a type of no delivery, dead', { eventType: 'vendor.order.assigned', state: 'deadLettered' }],
];

test.for(filters)(
  "the list of %s is in order, and passes no other vendor's many",
  async ([, { vendor, ...rest }], { database, sql, vendors }) => {
    const vendorId = vendor === undefined ? null : vendors[vendor];
    const filter: DeliveryFilter = { ...anyDelivery, ...rest, vendorId };
    const connection = pool(database.url, 1);
    const order = await sql<{ id: string }[]>`
      select id from webhook_deliveries
      where (${filter.state}::text is null or state = ${filter.state})
        and (${vendorId}::uuid is null or vendor_id = ${vendorId})
        and (${filter.eventType}::text is null or event_type = ${filter.eventType})
      order by id desc`;
    for (const page of [1, 2, 3, 4, 60, Math.ceil(order.length / 40), 2000]) {
      if (page < 1) continue;
      const { items, totalCount } = await listDeliveries(connection, filter, {
        page,
        pageSize: 20,
      });
      const ids = order.slice((page - 1) * 20, page * 20).map(({ id }) => id);
      expect([totalCount, items.map(({ id }) => id)]).toEqual([order.length, ids]);
    }
    const read = await entriesReadBy(connection, 'webhook_deliveries', (reader) =>
      listDeliveries(reader, filter, { page: 1, pageSize: 20 }),
    );
    // Its deliveries, those that wait to count them, and others of a vendor with few, by several
    // indexes; never those of the vendor with many.
    expect(read).toBeLessThanOrEqual(many / 10);
  },
);
