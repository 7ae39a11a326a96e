import { expect } from 'vitest';
import { attempt, delivered, newWebhookFixture } from '../api/webhooks/webhook-fixture.ts';
import { newOperator } from '../support/api/actors.ts';
import { unknownId } from '../support/api/api.ts';
import { gatewayTest } from '../support/gateway/gateway-test.ts';
import { signIn, submit } from './console-fixture.ts';

// Subscriptions and deliveries of vendors in the console, for Operations.

const test = gatewayTest
  .extend('browser', { scope: 'file' }, async ({ gateway }) =>
    signIn(gateway, await newOperator(gateway, ['Operations'])),
  )
  .extend(
    'open',
    ({ gateway, browser }) =>
      (url: string) =>
        gateway.app.inject({ url, headers: browser }),
  )
  .extend('fixture', ({ gateway }) => newWebhookFixture(gateway))
  .extend('id', ({ fixture }) => fixture.subscribe());

const list = '/console/webhooks/deliveries';
const script = '<script>alert(1)</script>';
const escapedScript = '&lt;script&gt;alert(1)&lt;/script&gt;';

test('shows a failing subscription and its dead letters', async ({ open, fixture, id }) => {
  await fixture.delivered(id, 'deadLettered');
  const { vendorId } = fixture.vendor;
  const page = await open(`/console/webhooks?vendorId=${vendorId}`);
  expect(page.statusCode).toBe(200);
  expect(page.body).toContain('http_status 503');
  expect(page.body).toContain('1 not recovered');
  expect(page.body).toContain(`${list}?vendorId=${vendorId}&amp;subscriptionId=${id}`);
  const active = await open(`/console/webhooks?vendorId=${vendorId}&state=inactive`);
  expect(active.body).toContain('No subscription has this filter.');
});

test('lists deleted subscriptions only by their filter', async ({ open, fixture, id }) => {
  await fixture.remove(id);
  const ofVendor = `/console/webhooks?vendorId=${fixture.vendor.vendorId}`;
  expect((await open(ofVendor)).body).toContain('No subscription has this filter.');
  const deleted = await open(`${ofVendor}&state=deleted`);
  expect(deleted.body).toContain('Deleted by the vendor.');
});

test('texts of a vendor and of its receiver stay text', async ({ gateway, open, fixture, id }) => {
  const { sql } = gateway;
  const { vendorId } = fixture.vendor;
  const { deliveryId, attemptId } = await fixture.delivered(id, 'deadLettered');
  await sql`update webhook_subscriptions set url = ${`https://x.example/${script}`} where id = ${id}`;
  await sql`update vendors set name = ${`Vendor ${script}`} where id = ${vendorId}`;
  await sql`
    insert into webhook_answers (attempt_id, request_headers, headers, body, body_bytes)
    values (${attemptId}, '{"x-key": "[hidden]"}', ${sql.json({ 'retry-after': script })},
      ${`error: ${script}`}, 40)`;
  const one = await open(`${list}/${deliveryId}`);
  expect(one.body).toContain(`error: ${escapedScript}`);
  expect(one.body).toContain(`retry-after: ${escapedScript}`);
  expect(one.body).toContain('x-key: [hidden]');
  expect(one.body).toContain('webhook-id: evt_');
  const query = `vendorId=${vendorId}&subscriptionId=${id}`;
  for (const url of [`${list}/${deliveryId}`, `${list}?${query}`, `/console/webhooks?${query}`]) {
    const { body } = await open(url);
    expect(body, url).toContain(escapedScript);
    expect(body, url).not.toContain(script);
    expect(body, url).not.toContain('href="https://x.example');
  }
});

test('redelivers one delivery, and says so', async ({ gateway, browser, open, fixture, id }) => {
  const { deliveryId } = await fixture.delivered(id, 'deadLettered');
  const answer = await submit(gateway, `${list}/${deliveryId}/redeliver`, {}, browser);
  expect(answer.statusCode).toBe(303);
  const page = await open(String(answer.headers['location']));
  expect(page.body).toContain('The event is delivered again.');
  expect(page.body).toContain('recovered');
  expect(page.body).not.toContain('/redeliver"');
  const again = await submit(gateway, `${list}/${deliveryId}/redeliver`, {}, browser);
  expect(again.statusCode).toBe(422);
  expect(again.body).toMatch(/NOT_REDELIVERABLE WAITING/);
});

test('recovers the dead letters since an instant, and shows how many', async ({
  gateway: { sql, app },
  browser,
  open,
  fixture,
  id,
}) => {
  const { vendorId } = fixture.vendor;
  const { deliveryId: early } = await delivered(sql, vendorId, id, 'deadLettered');
  await sql`
    update webhook_deliveries set dead_lettered_at = '2026-01-01T00:00:00Z' where id = ${early}`;
  const { deliveryId: late } = await delivered(sql, vendorId, id, 'deadLettered');
  const query = `vendorId=${vendorId}&subscriptionId=${id}`;
  expect((await open(`${list}?${query}`)).body).toContain('2 not recovered');
  const form = { vendorId, subscriptionId: id, since: '2026-01-01T00:01' };
  const answer = await submit({ app }, '/console/webhooks/recover', form, browser);
  expect(answer.headers['location']).toBe(`${list}?${query}&done=1`);
  const { body } = await open(String(answer.headers['location']));
  expect(body).toContain('Dead letters that are delivered again: 1.');
  expect(body).toContain('1 not recovered');
  expect(body.match(/<span class="chip ">recovered<\/span>/g)).toHaveLength(1);
  await attempt(sql, late, 'succeeded');
  expect((await open(`${list}?${query}&state=deadLettered`)).body).not.toContain(late);
});

test('an instant that is none is refused, and recovers nothing', async ({
  gateway,
  browser,
  fixture,
  id,
}) => {
  const { deliveryId } = await fixture.delivered(id, 'deadLettered');
  const form = { vendorId: fixture.vendor.vendorId, subscriptionId: id, since: 'yesterday' };
  const answer = await submit(gateway, '/console/webhooks/recover', form, browser);
  expect(answer.statusCode).toBe(400);
  expect(answer.body).toMatch(/Since [^<]+<\/bdi>/);
  expect(answer.body).toContain('1 not recovered');
  expect(answer.body).toContain(deliveryId);
});

test('an inactive subscription cannot be recovered', async ({
  gateway,
  browser,
  open,
  fixture,
  id,
}) => {
  await fixture.delivered(id, 'deadLettered');
  await fixture.setActive(id, false);
  const { vendorId } = fixture.vendor;
  const page = await open(`${list}?vendorId=${vendorId}&subscriptionId=${id}`);
  expect(page.body).toContain('Only the vendor can activate it.');
  expect(page.body).not.toContain('/console/webhooks/recover');
  const form = { vendorId, subscriptionId: id, since: '2026-01-01T00:00' };
  const answer = await submit(gateway, '/console/webhooks/recover', form, browser);
  expect(answer.statusCode).toBe(422);
  expect(answer.body).toContain('SUBSCRIPTION_INACTIVE');
});

test('a Reviewer sees no webhooks', async ({ gateway, fixture, id }) => {
  const reviewer = await signIn(gateway, await newOperator(gateway, ['Reviewer']));
  const { deliveryId } = await fixture.delivered(id, 'deadLettered');
  for (const url of ['/console/webhooks', list, `${list}/${deliveryId}`]) {
    const page = await gateway.app.inject({ url, headers: reviewer });
    expect(page.statusCode, url).toBe(403);
  }
  const home = await gateway.app.inject({ url: '/console', headers: reviewer });
  expect(home.body).not.toContain('/console/webhooks');
  const answer = await submit(gateway, `${list}/${deliveryId}/redeliver`, {}, reviewer);
  expect(answer.statusCode).toBe(403);
});

test('an unknown delivery is 404', async ({ open }) => {
  expect((await open(`${list}/${unknownId()}`)).statusCode).toBe(404);
});
