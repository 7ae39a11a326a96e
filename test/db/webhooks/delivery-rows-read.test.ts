import { expect } from 'vitest';
import type { Sql } from '../../../db/core/client.ts';
import { compactCounters } from '../../../db/lists/compact-counters.ts';
import { listAttempts } from '../../../db/webhooks/attempts/attempt-list.ts';
import { listDeliveries, type DeliveryFilter } from '../../../db/webhooks/webhook-deliveries.ts';
import { databaseTest } from '../../support/database/database-test.ts';
import { entriesReadBy } from '../../support/database/entries-read.ts';
import { seedManyDeliveries } from '../../support/webhooks/old-deliveries.ts';
import { anyDelivery } from '../../support/webhooks/any-delivery.ts';
import { expectPages, idsOf } from '../lists/expect-pages.ts';
import { addSubscription, addVendor, pool } from '../support.ts';
import * as rows from './delivery-rows.ts';

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

const test = databaseTest
  .extend('vendors', { scope: 'file' }, async ({ sql }) => {
    const [big, small] = [await addVendor(sql), await addVendor(sql)];
    await addDeliveries(sql, small, { count: few, state: 'deadLettered', days: 300 });
    await addDeliveries(sql, small, { count: few, state: 'succeeded', days: 200 });
    await addDeliveries(sql, small, { count: few, state: 'waiting', days: 100 });
    await addDeliveries(sql, big, { count: many, state: 'succeeded', days: 10 });
    await compactCounters(sql);
    await sql`vacuum (analyze) webhook_deliveries, webhook_events, delivery_counts`;
    return { big, small };
  })
  /** Attempts a second apart, the last one now; every tenth pair shares its instant. */
  .extend('subscriptionId', { scope: 'file' }, async ({ sql }) => {
    const subscriber = await rows.newSubscriber(sql);
    const { subscriptionId } = subscriber;
    await sql`
      insert into webhook_attempts (id, delivery_id, subscription_id, attempt_number, event_type,
        event_id, succeeded, next_attempt_at, created_at)
      select uuidv7(), ${await rows.addDelivery(sql, subscriber)}, ${subscriptionId}, i,
        ${rows.eventType}, 'evt', true, now(), now() + (i - i % 10 / 9 - 5000) * interval '1 second'
      from generate_series(1, 5000) as i`;
    await sql`vacuum (analyze) webhook_attempts`;
    return subscriptionId;
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
  ['the waiting ones of a vendor', { vendor: 'small', state: 'waiting' }],
  ['the waiting ones of another vendor', { vendor: 'big', state: 'waiting' }],
  ['a type', { eventType: 'vendor.offer.review-decision' }],
  ['a type of no delivery', { eventType: 'vendor.order.assigned' }],
  ['a type of no delivery, dead', { eventType: 'vendor.order.assigned', state: 'deadLettered' }],
];

const firstPage = { page: 1, pageSize: 20 };

test.for(filters)(
  'lists %s in order, without a read of another vendor’s many deliveries',
  async ([, { vendor, ...rest }], { database, sql, vendors }) => {
    const vendorId = vendor === undefined ? null : vendors[vendor];
    const filter: DeliveryFilter = { ...anyDelivery, ...rest, vendorId };
    const order = await idsOf(sql`
      select id from webhook_deliveries
      where (${filter.state}::text is null or state = ${filter.state})
        and (${vendorId}::uuid is null or vendor_id = ${vendorId})
        and (${filter.eventType}::text is null or event_type = ${filter.eventType})
      order by id desc`);
    await expectPages(order, (request) => listDeliveries(sql, filter, request));
    const read = await entriesReadBy(pool(database.url, 1), 'webhook_deliveries', (reader) =>
      listDeliveries(reader, filter, firstPage),
    );
    // Its deliveries, those that wait to count them, and others of a vendor with few, by several
    // indexes; never the rows of the vendor with many.
    expect(read).toBeLessThanOrEqual(many / 10);
  },
);

test('returns the whole list of attempts page by page, and reads few', async ({
  database,
  sql,
  subscriptionId,
}) => {
  const order = await idsOf(sql`
    select id from webhook_attempts where subscription_id = ${subscriptionId}
    order by created_at desc, id desc`);
  await expectPages(order, (request) => listAttempts(sql, subscriptionId, request));
  const connection = pool(database.url, 1);
  for (const [page, max] of [
    [1, 40],
    [1_000_000, 0],
  ] as const) {
    const read = await entriesReadBy(connection, 'webhook_attempts', (reader) =>
      listAttempts(reader, subscriptionId, { ...firstPage, page }),
    );
    expect(read).toBeLessThanOrEqual(max);
  }
});
