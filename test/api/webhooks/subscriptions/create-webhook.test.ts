import { expect, vi } from 'vitest';
import type { Dependencies } from '../../../../api/dependencies.ts';
import type { TestFires } from '../../../../api/webhooks/test-fires.ts';
import { TemporalUnavailable } from '../../../../temporal/temporal-failures.ts';
import { call, fieldErrorsOf, refusal, textOf, unknownId } from '../../../support/api/api.ts';
import { instant } from '../../../support/api/matchers.ts';
import {
  activeLimit,
  begin,
  hookUrl,
  lacksOffers,
  newWebhookFixture,
  orders,
  record,
  reviews,
  subscriptionIdOf,
  webhookTest,
} from '../webhook-fixture.ts';

// The body has its cases in `../webhook-body.test.ts`, the URL in `test/guardrail/url`. A creation
// may send a sample, a ping (D98).

/** A replacement of the relay, which the tests set. */
let sendSample: TestFires['waitFor'];
const testFires: TestFires = { timeoutMs: 10_000, waitFor: (sample) => sendSample(sample) };
const overrides: Partial<Dependencies> = { testFires, manualDeliveriesPerMinute: 2 };
const test = webhookTest.extend('overrides', { scope: 'file' }, () => overrides);

test('answers the subscription with its secret', async ({ fixture: { create, vendor } }) => {
  const answer = await create({ eventTypes: [orders, reviews] });
  expect(answer).toMatchObject({ status: 201, state: 'SUCCESS', details: {} });
  expect(answer.payload).toStrictEqual({
    subscription: {
      id: expect.stringMatching(/^[\da-f-]{36}$/),
      vendorId: vendor.vendorId,
      url: hookUrl,
      eventTypes: [orders, reviews],
      isActive: true,
      lastDeliveryAt: null,
      lastDeliveryStatus: null,
      headerNames: [],
      createdAt: instant,
    },
    secret: expect.stringMatching(/^whsec_[A-Za-z\d+/]{43}=$/),
  });
});

test('seals each secret to the row of its subscription', async ({ gateway, fixture }) => {
  const [first, second] = [await fixture.create(), await fixture.create()];
  const secret = textOf(first, 'secret');
  expect(textOf(second, 'secret')).not.toBe(secret);
  const sealed = await fixture.sealedSecret(subscriptionIdOf(first));
  const { sealer } = gateway.dependencies;
  expect(sealer.open(sealed, subscriptionIdOf(first))).toBe(secret);
  expect(() => sealer.open(sealed, subscriptionIdOf(second))).toThrow();
  expect(Buffer.from(sealed).includes(secret)).toBe(false);
});

const notAllowed = (message: string, origin?: string) =>
  refusal('BUSINESS_VENDOR_WEBHOOK_SUBSCRIPTION_LIMIT', {
    reason: 'URL_NOT_ALLOWED',
    message:
      origin === undefined
        ? message
        : `${message}. In development, the operator can add ${origin} to WEBHOOK_ALLOWED_ORIGINS.`,
  });
const noHttps = 'the scheme must be https';
const noName = 'the host must be a name, not an IP address';

test.for([
  ['http://vendor.example.org/', notAllowed(noHttps)],
  ['https://8.8.8.8/', notAllowed(noName)],
  ['http://127.0.0.1:9000/hook?key=5c1f', notAllowed(noHttps, 'http://127.0.0.1:9000')],
  ['https://[::1]:8443/', notAllowed(noName, 'https://[::1]:8443')],
  [
    'https://LOCALHOST/',
    notAllowed('the host name is reserved for local use', 'https://localhost'),
  ],
  ['/hook', { status: 400, state: 'VALIDATION_ERRORS', payload: null }],
] as const)('refuses the URL %s, and stores nothing', async ([url, refused], { fixture }) => {
  expect(await fixture.create({ url })).toMatchObject(refused);
  expect((await fixture.send('GET', '')).payload).toMatchObject({ items: [] });
});

test('names each misshapen field, also of headers', async ({ fixture: { create } }) => {
  const headers = [{ name: 'Host', value: '' }];
  const body = { url: '/hook', eventTypes: [], ping: 'yes', secret: 1, headers };
  expect(fieldErrorsOf(await create(body))).toEqual([
    'EventTypes required',
    'Headers[0].Name reserved',
    'Headers[0].Value invalid_header_value',
    'Ping invalid_type',
    'Secret unknown_field',
    'Url invalid_url',
  ]);
});

test('requires the capability of each type', async ({ fixture: { create, ordersOnly } }) => {
  expect(await create({ url: 'https://127.0.0.1/' }, ordersOnly)).toMatchObject(lacksOffers);
  expect((await create({ eventTypes: [orders] }, ordersOnly)).status).toBe(201);
});

test('creates five of ten at once', async ({ gateway, fixture: { create, sql } }) => {
  const answers = await Promise.all(Array.from({ length: 10 }, () => create()));
  const made = answers.filter(({ status }) => status === 201);
  expect(made).toHaveLength(5);
  for (const answer of answers.filter(({ status }) => status !== 201))
    expect(answer).toMatchObject(activeLimit);
  expect((await (await newWebhookFixture(gateway)).create()).status).toBe(201);
  // An inactive one does not count.
  const id = made[0] === undefined ? unknownId() : subscriptionIdOf(made[0]);
  await sql`update webhook_subscriptions set is_active = false where id = ${id}`;
  expect((await create()).status).toBe(201);
  expect((await create()).status).toBe(422);
});

test.for([
  ['succeeded', true],
  ['failed', false],
] as const)(
  'sends a ping of the first event type, and answers that it %s',
  async ([state, succeeded], { fixture: { create, sql } }) => {
    sendSample = async (sample) => record(sql, await begin(sql, sample), state);
    const made = await create({ eventTypes: [reviews, orders], ping: true });
    expect(made).toMatchObject({
      status: 201,
      payload: { ping: { eventType: reviews, succeeded } },
    });
    expect(textOf(made, 'secret')).toMatch(/^whsec_/);
    const deliveries = await sql`
      select is_test, event_type from webhook_deliveries
      where subscription_id = ${subscriptionIdOf(made)}`;
    expect(deliveries).toEqual([{ isTest: true, eventType: reviews }]);
  },
);

test.for([undefined, false, null])('sends no ping for %s', async (ping, { fixture }) => {
  const made = await fixture.create({ ping });
  expect(made.status).toBe(201);
  expect(made.payload).not.toHaveProperty('ping');
  const deliveries = await fixture.sql`
    select from webhook_deliveries where subscription_id = ${subscriptionIdOf(made)}`;
  expect(deliveries).toHaveLength(0);
});

test('keeps the secret when the ping fails', async ({ fixture: { create, send, sql } }) => {
  sendSample = () => Promise.reject(new TemporalUnavailable({ cause: new Error('no worker') }));
  const made = await create({ ping: true });
  expect(made).toMatchObject({ status: 201, payload: { ping: null } });
  expect(textOf(made, 'secret')).toMatch(/^whsec_/);
  expect((await send('GET', `/${subscriptionIdOf(made)}`)).status).toBe(200);
  const deliveries = await sql`
    select state from webhook_deliveries where subscription_id = ${subscriptionIdOf(made)}`;
  expect(deliveries).toEqual([{ state: 'cancelled' }]);
});

test('counts the ping as a test-fire', async ({ fixture: { create, send, sql } }) => {
  sendSample = async (sample) => record(sql, await begin(sql, sample), 'succeeded');
  const id = subscriptionIdOf(await create({ ping: true }));
  const fire = async () => (await send('POST', `/${id}/test-fire`, { eventType: orders })).status;
  expect([await fire(), await fire()]).toEqual([200, 429]);
});

test('sends the ping once for one key', async ({ gateway, fixture: { sql, vendor } }) => {
  sendSample = async (sample) => record(sql, await begin(sql, sample), 'succeeded');
  const create = () =>
    call(gateway, 'POST', '/api/v1/webhooks', {
      token: vendor.token,
      headers: { 'idempotency-key': 'with-ping' },
      body: { url: hookUrl, eventTypes: [orders], ping: true },
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
