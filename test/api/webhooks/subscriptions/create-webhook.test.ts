import { expect, vi } from 'vitest';
import { gatewayTest } from '../../../support/gateway/gateway-test.ts';
import { newVendor, tokenWith } from '../../support/actors.ts';
import {
  call,
  fieldErrorsOf,
  refusal,
  textOf,
  unknownId,
  type Gateway,
} from '../../support/api.ts';
import { hookUrl as url, subscriptionIdOf } from '../webhook-fixture.ts';

// The body has its cases in `../webhook-body.test.ts`, the URL in `test/guardrail/url`.

const eventTypes = ['vendor.order.assigned', 'vendor.offer.review-decision'];
const test = gatewayTest.extend('vendor', ({ gateway }) => newVendor(gateway));

const create = (gateway: Pick<Gateway, 'app'>, token: string, body: object = {}) =>
  call(gateway, 'POST', '/api/v1/webhooks', { token, body: { url, eventTypes, ...body } });
const countOf = async ({ sql }: Gateway, vendorId: string) =>
  (await sql`select from webhook_subscriptions where vendor_id = ${vendorId}`).length;

test('answers 201 with the subscription and its secret', async ({ gateway, vendor }) => {
  const answer = await create(gateway, vendor.token);
  expect(answer).toMatchObject({ status: 201, state: 'SUCCESS', details: {} });
  expect(answer.payload).toStrictEqual({
    subscription: {
      id: expect.stringMatching(/^[\da-f-]{36}$/),
      vendorId: vendor.vendorId,
      url,
      eventTypes,
      isActive: true,
      lastDeliveryAt: null,
      lastDeliveryStatus: null,
      headerNames: [],
      createdAt: expect.stringMatching(/Z$/),
    },
    secret: expect.stringMatching(/^whsec_[A-Za-z\d+/]{43}=$/),
  });
});

test('seals each secret to the row of its subscription', async ({ gateway, vendor }) => {
  const first = await create(gateway, vendor.token);
  const second = await create(gateway, vendor.token);
  const secret = textOf(first, 'secret');
  expect(textOf(second, 'secret')).not.toBe(secret);
  const [row] = await gateway.sql<[{ secretSealed: Uint8Array }]>`
    select secret_sealed from webhook_subscriptions where id = ${subscriptionIdOf(first)}`;
  const { sealer } = gateway.dependencies;
  expect(sealer.open(row.secretSealed, subscriptionIdOf(first))).toBe(secret);
  expect(() => sealer.open(row.secretSealed, subscriptionIdOf(second))).toThrow();
  expect(Buffer.from(row.secretSealed).includes(secret)).toBe(false);
});

test('refuses a misshapen body, and stores nothing', async ({ gateway, vendor }) => {
  const answer = await create(gateway, vendor.token, { url: '/hook', eventTypes: [], secret: 1 });
  expect(answer).toMatchObject({ status: 400, state: 'VALIDATION_ERRORS', payload: null });
  expect(fieldErrorsOf(answer)).toEqual([
    'EventTypes required',
    'Secret unknown_field',
    'Url invalid_url',
  ]);
  expect(await countOf(gateway, vendor.vendorId)).toBe(0);
});

const localUrl = (origin: string) =>
  `. In development, the operator can add ${origin} to WEBHOOK_ALLOWED_ORIGINS.`;

test.for([
  ['http://vendor.example.org/', 'the scheme must be https'],
  ['https://8.8.8.8/', 'the host must be a name, not an IP address'],
  [
    'http://127.0.0.1:9000/hook?key=5c1f',
    `the scheme must be https${localUrl('http://127.0.0.1:9000')}`,
  ],
  [
    'https://[::1]:8443/',
    `the host must be a name, not an IP address${localUrl('https://[::1]:8443')}`,
  ],
  ['https://LOCALHOST/', `the host name is reserved for local use${localUrl('https://localhost')}`],
] as const)(
  'refuses the URL %s with 422, and stores nothing: %s',
  async (given, { gateway, vendor }) => {
    const [refused, message] = given;
    expect(await create(gateway, vendor.token, { url: refused })).toMatchObject(
      refusal('BUSINESS_VENDOR_WEBHOOK_SUBSCRIPTION_LIMIT', { reason: 'URL_NOT_ALLOWED', message }),
    );
    expect(await countOf(gateway, vendor.vendorId)).toBe(0);
  },
);

test('requires the capability of each event type before it judges the URL', async ({
  gateway,
  vendor,
}) => {
  const checkDestination = vi.spyOn(gateway.dependencies, 'checkDestination');
  const token = tokenWith(gateway, vendor, ['Orders']);
  expect(await create(gateway, token, { url: 'https://127.0.0.1/' })).toMatchObject(
    refusal('FORBIDDEN_CAPABILITY_NOT_GRANTED', {
      requiredCapability: 'Offers',
      eventType: 'vendor.offer.review-decision',
    }),
  );
  expect(checkDestination).not.toHaveBeenCalled();
  const made = await create(gateway, token, { eventTypes: ['vendor.order.assigned'] });
  expect(made.status).toBe(201);
});

test('of ten calls at once creates five, the most active ones of a vendor', async ({
  gateway,
  vendor: { token, vendorId },
}) => {
  const answers = await Promise.all(Array.from({ length: 10 }, () => create(gateway, token)));
  const made = answers.filter(({ status }) => status === 201);
  expect(made).toHaveLength(5);
  for (const answer of answers.filter(({ status }) => status !== 201)) {
    expect(answer).toMatchObject(
      refusal('BUSINESS_VENDOR_WEBHOOK_SUBSCRIPTION_LIMIT', { reason: 'ACTIVE_LIMIT' }),
    );
  }
  expect(await countOf(gateway, vendorId)).toBe(5);
  expect((await create(gateway, (await newVendor(gateway)).token)).status).toBe(201);
  // An inactive one does not count.
  const id = made[0] === undefined ? unknownId() : subscriptionIdOf(made[0]);
  await gateway.sql`update webhook_subscriptions set is_active = false where id = ${id}`;
  expect((await create(gateway, token)).status).toBe(201);
});
