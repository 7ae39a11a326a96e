import { expect } from 'vitest';
import { newReturnFixture } from '../api/returns/return-fixture.ts';
import { newWebhookFixture } from '../api/webhooks/webhook-fixture.ts';
import { itemsOf } from '../support/api/api.ts';
import { consoleTest as test } from './console-fixture.ts';

// A page shows a whole list, or says that it does not.

test('lets an operator choose the oldest of more than a hundred vendors, by a search', async ({
  gateway,
  operations,
}) => {
  await gateway.sql`
    insert into vendors (id, name, pricing_model, rate_basis_points, created_at)
    select uuidv7(), 'Filler ' || n, 'CostPlusMargin', 2000, now() from generate_series(1, 105) n
    union all
    select uuidv7(), 'شركة العود الأزرق', 'CostPlusMargin', 2000, now() - interval '9 years'
    union all
    select uuidv7(), 'Café Ømer', 'CostPlusMargin', 2000, now() - interval '9 years'`;
  const page = await operations.read('/console/orders');
  expect(page).toMatch(/The first 100 of \d+\./);
  for (const [typed, name] of [
    ['cafe omer', 'Café Ømer'],
    ['عود ازرق', 'شركة العود الأزرق'],
    ['العود', 'شركة العود الأزرق'],
  ] as const) {
    const query = new URLSearchParams({ vendorName: typed });
    expect(await operations.read(`/console/orders?${String(query)}`)).toContain(
      `>${name}</option>`,
    );
  }
});

test('lists vendors by name on request', async ({ gateway, operate }) => {
  await gateway.sql`
    insert into vendors (id, name, pricing_model, rate_basis_points)
    select uuidv7(), name, 'CostPlusMargin', 2000 from unnest(array['zz É2', 'zz e1', 'ZZ e3']) name`;
  const listed = await operate('GET', '/vendors?q=zz&order=name');
  expect(itemsOf(listed).map(({ name }) => name)).toEqual(['zz e1', 'zz É2', 'ZZ e3']);
});

test('plots and counts every end of an inspection window', async ({ gateway, operations }) => {
  const { returnIn } = await newReturnFixture(gateway);
  const id = await returnIn('UnderInspection');
  await gateway.sql`
    insert into return_requests (id, order_id, destination, vendor_id, status, requested_at,
      received_at, inspection_started_at, inspection_deadline, inspection_start_ms,
      inspection_window_ms, changed_at)
    select uuidv7(), order_id, destination, vendor_id, status, requested_at, received_at,
      inspection_started_at, now() + interval '1 hour', inspection_start_ms, inspection_window_ms,
      clock_timestamp()
    from return_requests, generate_series(1, 600) where id = ${id}`;
  const page = await operations.read('/console');
  expect(page).toMatch(/Ends of inspection windows by day, UTC<\/h2>[^]*?<b>601<\/b> in all/);
  expect(page).toMatch(/Decide within[^<]*<\/span>\s*<span class="figure">600</);
});

test('finds one subscription among more than a page of them', async ({ gateway, operations }) => {
  const { subscribe, vendor } = await newWebhookFixture(gateway);
  const subscriptionId = await subscribe();
  await gateway.sql`
    insert into webhook_subscriptions
    select (jsonb_populate_record(each, jsonb_build_object('id', uuidv7(),
      'created_at', now() + n * interval '1 second', 'is_active', false))).*
    from webhook_subscriptions as each, generate_series(1, 120) as n
    where each.id = ${subscriptionId}`;
  const query = new URLSearchParams({ vendorId: vendor.vendorId, subscriptionId });
  const page = await operations.read(`/console/webhooks/deliveries?${String(query)}`);
  expect(page).toContain('action="/console/webhooks/recover"');
});

test('finds the subscription of a link without a vendor by its deliveries, among many vendors', async ({
  gateway,
  operations,
}) => {
  const { subscribe, delivered } = await newWebhookFixture(gateway);
  const subscriptionId = await subscribe();
  await delivered(subscriptionId, 'deadLettered');
  const { vendor } = await newWebhookFixture(gateway);
  // More than the page reads of a whole list.
  await gateway.sql`
    insert into webhook_subscriptions
    select (jsonb_populate_record(each, jsonb_build_object('id', uuidv7(),
      'vendor_id', ${vendor.vendorId}::uuid, 'created_at', now() + n * interval '1 second',
      'is_active', false))).*
    from webhook_subscriptions as each, generate_series(1, 1001) as n
    where each.id = ${subscriptionId}`;
  const page = await operations.read(
    `/console/webhooks/deliveries?subscriptionId=${subscriptionId}`,
  );
  expect(page).toContain('action="/console/webhooks/recover"');
});
