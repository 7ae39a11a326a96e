import { expect, vi } from 'vitest';
import type { Dependencies } from '../../../../api/dependencies.ts';
import type { TestFires } from '../../../../api/webhooks/test-fires.ts';
import { TemporalUnavailable } from '../../../../temporal/temporal-failures.ts';
import { call as callGateway, fieldErrorsOf, textOf } from '../../support/api.ts';
import { begin, hookUrl, newWebhookFixture, record, subscriptionIdOf } from '../webhook-fixture.ts';
import { gatewayTest } from '../../../support/gateway/gateway-test.ts';

// A sample at the creation of a subscription (D98).

/** A replacement of the relay, which the tests set. */
let send: TestFires['waitFor'];
const testFires: TestFires = { timeoutMs: 10_000, waitFor: (deliveryId) => send(deliveryId) };
const overrides: Partial<Dependencies> = { testFires, manualDeliveriesPerMinute: 2 };
const test = gatewayTest.extend('overrides', { scope: 'file' }, () => overrides);

const eventTypes = ['vendor.offer.review-decision', 'vendor.order.assigned'];

test('with ping, create sends a sample of the first event type and answers its attempt', async ({
  gateway,
}) => {
  const { sql } = gateway;
  const { send: call } = await newWebhookFixture(gateway);
  for (const [state, succeeded] of [
    ['succeeded', true],
    ['failed', false],
  ] as const) {
    send = async (deliveryId) => record(sql, await begin(sql, deliveryId), state);
    const made = await call('POST', '', { url: hookUrl, eventTypes, ping: true });
    expect(made.status).toBe(201);
    expect(textOf(made, 'secret')).toMatch(/^whsec_/);
    expect(made.payload?.['ping']).toMatchObject({ eventType: eventTypes[0], succeeded });
    const [delivery] = await sql`
      select is_test, event_type from webhook_deliveries where subscription_id = ${subscriptionIdOf(made)}`;
    expect(delivery).toMatchObject({ isTest: true, eventType: eventTypes[0] });
  }
});

test('without ping, or with false or null, nothing is sent', async ({ gateway }) => {
  const { send: call } = await newWebhookFixture(gateway);
  for (const ping of [undefined, false, null]) {
    const made = await call('POST', '', { url: hookUrl, eventTypes, ping });
    expect(made.status).toBe(201);
    expect(made.payload).not.toHaveProperty('ping');
    expect(
      await gateway.sql`select from webhook_deliveries where subscription_id = ${subscriptionIdOf(made)}`,
    ).toHaveLength(0);
  }
  const refused = await call('POST', '', { url: hookUrl, eventTypes, ping: 'yes' });
  expect(fieldErrorsOf(refused)).toEqual(['Ping invalid_type']);
});

test('a sample that cannot be sent leaves subscription and secret, and is not sent later', async ({
  gateway,
}) => {
  const { sql } = gateway;
  const { send: call } = await newWebhookFixture(gateway);
  send = () => Promise.reject(new TemporalUnavailable({ cause: new Error('no worker') }));
  const made = await call('POST', '', { url: hookUrl, eventTypes, ping: true });
  expect(made).toMatchObject({ status: 201, payload: { ping: null } });
  expect(textOf(made, 'secret')).toMatch(/^whsec_/);
  expect((await call('GET', `/${subscriptionIdOf(made)}`)).status).toBe(200);
  const [delivery] = await sql`
    select state from webhook_deliveries where subscription_id = ${subscriptionIdOf(made)}`;
  expect(delivery).toMatchObject({ state: 'cancelled' });
});

test('the ping counts as a test-fire of the subscription', async ({ gateway }) => {
  const { sql } = gateway;
  const { send: call } = await newWebhookFixture(gateway);
  send = async (deliveryId) => record(sql, await begin(sql, deliveryId), 'succeeded');
  const id = subscriptionIdOf(await call('POST', '', { url: hookUrl, eventTypes, ping: true }));
  const fire = async () =>
    (await call('POST', `/${id}/test-fire`, { eventType: eventTypes[0] })).status;
  expect([await fire(), await fire()]).toEqual([200, 429]);
});

test('with an Idempotency-Key the sample is sent once, after the subscription is stored', async ({
  gateway,
}) => {
  const { sql } = gateway;
  const { vendor } = await newWebhookFixture(gateway);
  send = async (deliveryId) => record(sql, await begin(sql, deliveryId), 'succeeded');
  const create = () =>
    callGateway(gateway, 'POST', '/api/v1/webhooks', {
      token: vendor.token,
      headers: { 'idempotency-key': 'with-ping' },
      body: { url: hookUrl, eventTypes, ping: true },
    });
  const [made, again] = [await create(), await create()];
  expect(made).toMatchObject({ status: 201, payload: { ping: null } });
  expect(again.text).toBe(made.text);
  await vi.waitFor(async () => {
    const deliveries = await sql`
      select state from webhook_deliveries where subscription_id = ${subscriptionIdOf(made)}`;
    expect(deliveries).toEqual([{ state: 'succeeded' }]);
  });
});
