import { expect } from 'vitest';
import {
  listDueReturns,
  listExpiringCredentials,
  listFailingSubscriptions,
  listWaitingRetries,
  type UpcomingQuery,
} from '../../../db/upcoming/upcoming-changes.ts';
import type { Sql } from '../../../db/core/client.ts';
import { databaseTest } from '../../support/database/database-test.ts';
import { entriesReadBy } from '../../support/database/entries-read.ts';
import { addSubscription, addVendor, pool } from '../support.ts';

/**
 * A query of upcoming changes reads little more than it lists, however many rows the vendor has.
 */

const rowCount = 20_000;
const failureLimit = { failingMs: 1000, deadLetters: 2 };

const test = databaseTest.extend('vendorId', { scope: 'file' }, async ({ sql }) => {
  const [vendorId, other] = [await addVendor(sql), await addVendor(sql)];
  for (const id of [vendorId, other]) await fill(sql, id);
  await sql`vacuum (analyze)`;
  return vendorId;
});

async function fill(sql: Sql, vendorId: string): Promise<void> {
  const subscriptionId = await addSubscription(sql, vendorId);
  await sql`
    update webhook_subscriptions set failing_since = now() - interval '1 hour'
    where id = ${subscriptionId}`;
  await sql`
    with event as (
      insert into webhook_events (id, vendor_id, event_type, body, occurred_at)
      select 'evt_' || gen_random_uuid(), ${vendorId}, 'vendor.order.assigned', '{}', now()
      from generate_series(1, ${rowCount}) returning id
    )
    insert into webhook_deliveries (id, event_id, subscription_id, vendor_id, event_type, state,
      attempts, next_attempt_at)
    select gen_random_uuid(), id, ${subscriptionId}, ${vendorId}, 'vendor.order.assigned',
      case when random() < 0.8 then 'succeeded' else 'waiting' end, 1,
        now() + random() * interval '1 day'
    from event`;
  await sql`
    with placed as (
      insert into orders (id, ship_recipient, ship_line1, ship_city, ship_country, ship_phone,
        created_at)
      values (gen_random_uuid(), 'R', 'L', 'C', 'SA', '1', now()) returning id
    )
    insert into return_requests (id, order_id, destination, vendor_id, status, requested_at,
      received_at, inspection_deadline, inspection_start_ms, inspection_window_ms, changed_at)
    select gen_random_uuid(), placed.id, 'Supplier', ${vendorId},
      (array['Closed', 'Received', 'UnderInspection', 'Closed'])[1 + i % 4], now(), now(),
      now() + i * interval '1 second', 1000 * i, 1000, now()
    from placed, generate_series(1, ${rowCount}) as i`;
}

type Read = (sql: Sql, query: UpcomingQuery) => Promise<readonly unknown[]>;

test.for<readonly [string, string, Read]>([
  [
    'starts of inspections',
    'return_requests',
    (sql, query) => listDueReturns(sql, 'startInspection', query),
  ],
  ['ends of windows', 'return_requests', (sql, query) => listDueReturns(sql, 'endWindow', query)],
  ['retries', 'webhook_deliveries', listWaitingRetries],
  [
    'failing subscriptions',
    'webhook_deliveries',
    (sql, query) => listFailingSubscriptions(sql, query, failureLimit),
  ],
  ['expiring credentials', 'credentials', listExpiringCredentials],
])('reads few rows more than it lists: %s', async ([, table, read], { database, vendorId }) => {
  const connection = pool(database.url, 1);
  // Of a vendor, and of all vendors.
  for (const owner of [vendorId, null])
    for (const before of [null, '2999-01-01T00:00:00Z']) {
      const query = { vendorId: owner, before, limit: 501 };
      const rows = await entriesReadBy(connection, table, (sql) => read(sql, query));
      expect(rows).toBeLessThan(1200);
    }
});
