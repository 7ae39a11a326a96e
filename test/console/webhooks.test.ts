import { expect } from 'vitest';
import { attempt, delivered, hookUrl, newWebhookFixture } from '../api/webhooks/webhook-fixture.ts';
import { unknownId } from '../support/api/api.ts';
import { consoleTest, shows } from './console-fixture.ts';

// Subscriptions and deliveries of vendors in the console, for Operations. `attacks.test.ts` shows
// that texts of vendors stay text.

const test = consoleTest
  .extend('fixture', ({ gateway }) => newWebhookFixture(gateway))
  .extend('id', ({ fixture }) => fixture.subscribe())
  /** The query of the subscription, and its dead letter. */
  .extend('query', ({ fixture, id }) => `vendorId=${fixture.vendor.vendorId}&subscriptionId=${id}`)
  .extend('deadLetter', ({ fixture, id }) => fixture.delivered(id, 'deadLettered'))
  .extend('open', ({ operations }) => operations.read);

const list = '/console/webhooks/deliveries';
const page = '/console/webhooks';

test('shows a failing subscription and its dead letters', async ({ open, fixture, id }) => {
  const { vendorId } = fixture.vendor;
  await fixture.delivered(id, 'deadLettered');
  const body = await open(`${page}?vendorId=${vendorId}`);
  expect(body).toContain('http_status 503');
  expect(body).toContain('1 not recovered');
  expect(body).toContain(`${list}?vendorId=${vendorId}&amp;subscriptionId=${id}`);
  const inactive = await open(`${page}?vendorId=${vendorId}&state=inactive`);
  expect(inactive).toContain('No subscription has this filter.');
});

test('lists deleted subscriptions only by their filter', async ({ open, fixture, id }) => {
  await fixture.remove(id);
  const ofVendor = `${page}?vendorId=${fixture.vendor.vendorId}`;
  expect(await open(ofVendor)).toContain('No subscription has this filter.');
  expect(await open(`${ofVendor}&state=deleted`)).toContain('Deleted by the vendor.');
});

test('shows what an attempt sent and received, and links to no URL of a vendor', async ({
  gateway: { sql },
  open,
  query,
  deadLetter: { deliveryId, attemptId },
}) => {
  await sql`
    insert into webhook_answers (attempt_id, request_headers, headers, body, body_bytes)
    values (${attemptId}, '{"x-key": "[hidden]"}', '{"retry-after": "60"}', 'no room', 40)`;
  await sql`update webhook_attempts set duration_ms = 27 where id = ${attemptId}`;
  const one = await open(`${list}/${deliveryId}`);
  expect(one).toMatch(/\{\n {2}&quot;eventId&quot;: /);
  for (const shown of ['no room', 'retry-after: 60', 'x-key: [hidden]', 'webhook-id: evt_'])
    expect(one).toContain(shown);
  expect(one).toContain('27 milliseconds');
  for (const url of [`${list}/${deliveryId}`, `${list}?${query}`, `${page}?${query}`])
    expect(await open(url), url).not.toContain(`href="${new URL(hookUrl).origin}`);
});

test('redelivers one delivery, and says so', async ({ operations, open, deadLetter }) => {
  const url = `${list}/${deadLetter.deliveryId}/redeliver`;
  const response = await operations.submit(url);
  expect(response.statusCode).toBe(303);
  const body = await open(String(response.headers['location']));
  expect(body).toContain('The event is delivered again.');
  expect(body).toContain('recovered');
  expect(body).not.toContain('/redeliver"');
  // A second click finds what it asks for.
  const { statusCode, headers } = await operations.submit(url);
  expect({ statusCode, ...headers }).toMatchObject({
    statusCode: 303,
    location: response.headers['location'],
  });
});

test('recovers the dead letters since an instant, and shows how many', async ({
  gateway: { sql },
  operations,
  open,
  fixture: { vendor },
  id,
  query,
  deadLetter: early,
}) => {
  const { vendorId } = vendor;
  await sql`
    update webhook_deliveries set dead_lettered_at = '2026-01-01T00:00:00Z'
    where id = ${early.deliveryId}`;
  const { deliveryId: late } = await delivered(sql, vendorId, id, 'deadLettered');
  expect(await open(`${list}?${query}`)).toContain('2 not recovered');
  const form = { vendorId, subscriptionId: id, since: '2026-01-01T00:01' };
  const response = await operations.submit(`${page}/recover`, form);
  expect(response.headers['location']).toBe(`${list}?${query}&done=1`);
  const body = await open(String(response.headers['location']));
  expect(body).toContain('Dead letters that are delivered again: 1.');
  expect(body).toContain('1 not recovered');
  expect(body.match(/<span class="chip ">recovered<\/span>/g)).toHaveLength(1);
  await attempt(sql, late, 'succeeded');
  expect(await open(`${list}?${query}&state=deadLettered`)).not.toContain(late);
});

test('refuses an invalid instant, and recovers nothing', async ({
  operations,
  fixture: { vendor },
  id,
  deadLetter: { deliveryId },
}) => {
  const form = { vendorId: vendor.vendorId, subscriptionId: id, since: 'yesterday' };
  const response = await operations.submit(`${page}/recover`, form);
  expect(response).toMatchObject(shows(400, /Since [^<]+<\/bdi>/));
  expect(response.body).toContain('1 not recovered');
  expect(response.body).toContain(deliveryId);
});

test('recovers no inactive subscription', async ({ operations, open, fixture, id, query }) => {
  await fixture.delivered(id, 'deadLettered');
  await fixture.setActive(id, false);
  const body = await open(`${list}?${query}`);
  expect(body).toContain('Only the vendor can activate it.');
  expect(body).not.toContain(`${page}/recover`);
  const form = { vendorId: fixture.vendor.vendorId, subscriptionId: id, since: '2026-01-01T00:00' };
  const response = await operations.submit(`${page}/recover`, form);
  expect(response).toMatchObject(shows(422, 'SUBSCRIPTION_INACTIVE'));
});

test('returns 404 for an unknown delivery', async ({ operations }) => {
  expect((await operations.open(`${list}/${unknownId()}`)).statusCode).toBe(404);
});
