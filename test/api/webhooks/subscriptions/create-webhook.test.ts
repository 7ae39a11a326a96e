import { expect, vi } from 'vitest';
import type { Dependencies } from '../../../../api/dependencies.ts';
import type { TestFires } from '../../../../api/webhooks/test-fires.ts';
import { TemporalUnavailable } from '../../../../temporal/temporal-failures.ts';
import {
  call,
  fieldErrorsOf,
  refusal,
  textOf,
  type ApiResponse,
} from '../../../support/api/api.ts';
import { instant, uuid } from '../../../support/api/matchers.ts';
import {
  begin,
  hookUrl,
  lacksOffers,
  orders,
  record,
  reviews,
  subscriptionIdOf,
  webhookTest,
} from '../webhook-fixture.ts';

// The body has its cases in `../webhook-body.test.ts`, the URL in `test/guardrail/url`, the limit
// of active subscriptions in `../races/webhook-races.test.ts`. A creation may send a sample, a ping
// (D98).

/** A replacement of the relay, which the tests set. */
let sendSample: TestFires['waitFor'];
const testFires: TestFires = { timeoutMs: 10_000, waitFor: (sample) => sendSample(sample) };
const overrides: Partial<Dependencies> = { testFires, manualDeliveriesPerMinute: 2 };
const test = webhookTest
  .extend('overrides', { scope: 'file' }, () => overrides)
  .extend(
    'samplesOf',
    ({ fixture: { sql } }) =>
      (made: ApiResponse) => sql`
        select state, is_test, event_type from webhook_deliveries
        where subscription_id = ${subscriptionIdOf(made)}`,
  );

test.beforeEach(({ fixture: { sql } }) => {
  sendSample = async (sample) => record(sql, await begin(sql, sample), 'succeeded');
});

test('returns the subscription with its secret', async ({ fixture: { create, send, vendor } }) => {
  const response = await create({ eventTypes: [orders, reviews] });
  expect(response).toMatchObject({ status: 201, state: 'SUCCESS', details: {} });
  const subscription = {
    id: uuid,
    vendorId: vendor.vendorId,
    url: hookUrl,
    eventTypes: [orders, reviews],
    isActive: true,
    lastDeliveryAt: null,
    lastDeliveryStatus: null,
    headerNames: [],
    createdAt: instant,
  };
  const secret = expect.stringMatching(/^whsec_[A-Za-z\d+/]{43}=$/);
  expect(response.payload).toStrictEqual({ subscription, secret });
  const read = await send('GET', `/${subscriptionIdOf(response).toUpperCase()}`);
  expect(read.payload).toStrictEqual(response.payload?.['subscription']);
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

const httpOnly = 'the scheme must be https';
const allow = (origin: string) =>
  `. In development, the operator can add ${origin} to WEBHOOK_ALLOWED_ORIGINS.`;

test.for([
  ['http://vendor.example.org/', httpOnly],
  ['http://127.0.0.1:9000/hook?key=5c1f', httpOnly + allow('http://127.0.0.1:9000')],
  ['https://receiver:8443/', `the host name must have a dot${allow('https://receiver:8443')}`],
  ['https://LOCALHOST/', `the host name is reserved for local use${allow('https://localhost')}`],
] as const)('refuses the URL %s, and stores nothing', async ([url, message], { fixture }) => {
  const details = { reason: 'URL_NOT_ALLOWED', message };
  expect(await fixture.create({ url })).toMatchObject(
    refusal('BUSINESS_VENDOR_WEBHOOK_SUBSCRIPTION_LIMIT', details),
  );
  expect((await fixture.send('GET', '')).payload).toMatchObject({ items: [] });
});

test('names each malformed field, also of headers', async ({ fixture: { create } }) => {
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

test.for(['succeeded', 'failed'] as const)(
  'sends a ping of the first event type, and returns that it %s',
  async (state, { fixture: { create, sql }, samplesOf }) => {
    sendSample = async (sample) => record(sql, await begin(sql, sample), state);
    const made = await create({ eventTypes: [reviews, orders], ping: true });
    const ping = { eventType: reviews, succeeded: state === 'succeeded' };
    const secret = expect.stringMatching(/^whsec_/);
    expect(made).toMatchObject({ status: 201, payload: { ping, secret } });
    expect(await samplesOf(made)).toEqual([{ state, isTest: true, eventType: reviews }]);
  },
);

test.for([undefined, false, null])('sends no ping for %s', async (ping, { fixture, samplesOf }) => {
  const made = await fixture.create({ ping });
  expect(made.status).toBe(201);
  expect(made.payload).not.toHaveProperty('ping');
  expect(await samplesOf(made)).toEqual([]);
});

test('keeps the secret when the ping fails', async ({ fixture: { create, send }, samplesOf }) => {
  sendSample = () => Promise.reject(new TemporalUnavailable({ cause: new Error('no worker') }));
  const made = await create({ ping: true });
  const secret = expect.stringMatching(/^whsec_/);
  expect(made).toMatchObject({ status: 201, payload: { ping: null, secret } });
  expect((await send('GET', `/${subscriptionIdOf(made)}`)).status).toBe(200);
  expect(await samplesOf(made)).toMatchObject([{ state: 'cancelled' }]);
});

test('counts the ping as a test-fire', async ({ fixture: { create, send } }) => {
  const id = subscriptionIdOf(await create({ ping: true }));
  const fire = async () => (await send('POST', `/${id}/test-fire`, { eventType: orders })).status;
  expect([await fire(), await fire()]).toEqual([200, 429]);
});

test('sends the ping once for one key', async ({ gateway, fixture: { vendor }, samplesOf }) => {
  const create = () =>
    call(gateway, 'POST', '/api/v1/webhooks', {
      token: vendor.token,
      headers: { 'idempotency-key': 'with-ping' },
      body: { url: hookUrl, eventTypes: [orders], ping: true },
    });
  const [made, again] = [await create(), await create()];
  expect(made).toMatchObject({ status: 201, payload: { ping: null } });
  expect(again.text).toBe(made.text);
  await vi.waitFor(
    async () => expect(await samplesOf(made)).toMatchObject([{ state: 'succeeded' }]),
    20_000,
  );
});
