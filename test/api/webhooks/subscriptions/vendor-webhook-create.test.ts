import { expect, vi } from 'vitest';
import { newVendor, tokenWith } from '../../support/actors.ts';
import {
  call,
  fieldErrorsOf,
  refusal,
  startGateway,
  unknownId,
  type Answer,
  type Gateway,
} from '../../support/api.ts';
import { gatewayTest as test } from '../../../support/gateway/gateway-test.ts';

const url = 'https://vendor.example.org/hook';
const eventTypes = ['vendor.order.assigned', 'vendor.offer.review-decision'];
const create = (
  gateway: Gateway,
  token: string,
  body: unknown = { url, eventTypes },
  at: Gateway = gateway,
) => call(at, 'POST', '/api/v1/webhooks', { token, body });
const countOf = async (gateway: Gateway, vendorId: string) =>
  (await gateway.sql`select 1 from webhook_subscriptions where vendor_id = ${vendorId}`).length;
const secretOf = (answer: Answer) => String(answer.payload?.['secret']);
const idOf = ({ payload }: Answer) => (payload as { subscription: { id: string } }).subscription.id;

test('a subscription is 201, to the letter, with its secret beside it', async ({ gateway }) => {
  const { token, vendorId } = await newVendor(gateway);
  const answer = await create(gateway, token);
  expect(answer).toMatchObject({ status: 201, state: 'SUCCESS', details: {} });
  expect(answer.payload).toStrictEqual({
    subscription: {
      id: expect.stringMatching(/^[\da-f-]{36}$/),
      vendorId,
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

test('the secret is shown once, stored sealed to its row, and differs each time', async ({
  gateway,
}) => {
  const { token } = await newVendor(gateway);
  const [first, second] = [await create(gateway, token), await create(gateway, token)];
  const secret = secretOf(first);
  expect(secretOf(second)).not.toBe(secret);
  for (const path of ['', `/${idOf(first)}`, `/${idOf(first)}/deliveries`]) {
    const read = await call(gateway, 'GET', `/api/v1/webhooks${path}`, { token });
    expect(read.status).toBe(200);
    expect(read.text).not.toContain(secret);
    expect(read.text).not.toContain('secret');
  }
  const [row] = await gateway.sql<[{ secretSealed: Uint8Array; everything: string }]>`
    select secret_sealed, webhook_subscriptions::text as everything
    from webhook_subscriptions where id = ${idOf(first)}`;
  const { sealer } = gateway.dependencies;
  expect(sealer.open(row.secretSealed, idOf(first))).toBe(secret);
  expect(() => sealer.open(row.secretSealed, idOf(second))).toThrow();
  expect(Buffer.from(row.secretSealed).includes(secret)).toBe(false);
});

test.for<[unknown, readonly string[]]>([
  [{}, ['EventTypes required', 'Url required']],
  [{ url, eventTypes: [] }, ['EventTypes required']],
  [{ url, eventTypes: 'vendor.order.assigned' }, ['EventTypes invalid_type']],
  [{ url, eventTypes: null }, ['EventTypes invalid_type']],
  [
    { url, eventTypes: ['vendor.order.assigned', 'nope', 5] },
    ['EventTypes[1] not_allowed', 'EventTypes[2] not_allowed'],
  ],
  [{ url, eventTypes: ['Vendor.Order.Assigned'] }, ['EventTypes[0] not_allowed']],
  [
    { url, eventTypes: ['vendor.order.assigned', 'vendor.order.assigned'] },
    ['EventTypes duplicate'],
  ],
  [
    { url: 5, eventTypes, secret: 'mine', isActive: true },
    ['IsActive unknown_field', 'Secret unknown_field', 'Url invalid_type'],
  ],
] as const)('the body %j is 400: %j', async ([body, errors], { gateway }) => {
  const { token, vendorId } = await newVendor(gateway);
  const answer = await create(gateway, token, body);
  expect(answer).toMatchObject({ status: 400, state: 'VALIDATION_ERRORS', payload: null });
  expect(fieldErrorsOf(answer)).toEqual(errors);
  expect(await countOf(gateway, vendorId)).toBe(0);
});

test.for([
  '',
  'vendor.example.org/hook',
  '/hook',
  'not a url',
  `https://vendor.example.org/${'x'.repeat(2048)}`,
  'https://vendor.example.org/\u0000',
  'https://vendor.example.org/\ud800',
])(
  'no absolute URL, or one that is too long or cannot be stored, is 400 on Url: %.40s',
  async (given, { gateway }) => {
    const { token, vendorId } = await newVendor(gateway);
    const answer = await create(gateway, token, { url: given, eventTypes });
    expect(answer.status).toBe(400);
    expect(fieldErrorsOf(answer)).toEqual([
      expect.stringMatching(/^Url (invalid_url|too_long|invalid_characters)$/),
    ]);
    expect(await countOf(gateway, vendorId)).toBe(0);
  },
);

test.for([
  'http://vendor.example.org/hook',
  'ftp://vendor.example.org/',
  'javascript:alert(1)',
  'https:/x',
  'https://127.0.0.1/',
  'https://localhost/',
  'https://vendor.example.org:22/',
  'https://u:p@vendor.example.org/',
])('a URL that the guardrail refuses is 422: %j', async (given, { gateway }) => {
  const { token, vendorId } = await newVendor(gateway);
  const answer = await create(gateway, token, { url: given, eventTypes });
  expect(answer).toMatchObject(
    refusal('BUSINESS_VENDOR_WEBHOOK_SUBSCRIPTION_LIMIT', {
      reason: 'URL_NOT_ALLOWED',
      message: expect.any(String),
    }),
  );
  expect(await countOf(gateway, vendorId)).toBe(0);
});

test.for([
  ['http://127.0.0.1:9000/hook?key=5c1f', 'the scheme must be https', 'http://127.0.0.1:9000'],
  ['https://10.0.0.1/hook', 'the host must be a name, not an IP address', 'https://10.0.0.1'],
  ['https://[::1]:8443/', 'the host must be a name, not an IP address', 'https://[::1]:8443'],
  ['https://LOCALHOST/', 'the host name is reserved for local use', 'https://localhost'],
  ['https://receiver:8443/', 'the host name must have a dot', 'https://receiver:8443'],
] as const)(
  'the refusal of %s names the variable and the origin that would allow it',
  async ([given, reason, origin], { gateway }) => {
    const { token } = await newVendor(gateway);
    const { details } = await create(gateway, token, { url: given, eventTypes });
    expect(details['message']).toBe(
      `${reason}. In development, the operator can add ${origin} to WEBHOOK_ALLOWED_ORIGINS.`,
    );
  },
);

test.for(['https://8.8.8.8/', 'http://vendor.example.org/', 'https://vendor.example.org:22/'])(
  'the refusal of %s, which is not local, names no variable',
  async (given, { gateway }) => {
    const { token } = await newVendor(gateway);
    const { details } = await create(gateway, token, { url: given, eventTypes });
    expect(details['message']).not.toContain('WEBHOOK_ALLOWED_ORIGINS');
  },
);

test('each event type asks for its own capability, before the URL is looked at', async ({
  gateway,
}) => {
  const checkDestination = vi.fn(gateway.dependencies.checkDestination);
  const watched = await startGateway({ checkDestination });
  try {
    const vendor = await newVendor(watched);
    const token = tokenWith(watched, vendor, ['Orders']);
    const refused = await create(gateway, token, { url, eventTypes }, watched);
    expect(refused).toMatchObject(
      refusal('FORBIDDEN_CAPABILITY_NOT_GRANTED', {
        requiredCapability: 'Offers',
        eventType: 'vendor.offer.review-decision',
      }),
    );
    expect(checkDestination).not.toHaveBeenCalled();
    const allowed = await create(
      gateway,
      token,
      { url, eventTypes: ['vendor.order.assigned'] },
      watched,
    );
    expect(allowed.status).toBe(201);
    expect(checkDestination).toHaveBeenCalledWith(url);
  } finally {
    await watched.close();
  }
});

test('of ten concurrent creations five succeed; the others answer the limit', async ({
  gateway,
}) => {
  const { token, vendorId } = await newVendor(gateway);
  const answers = await Promise.all(Array.from({ length: 10 }, () => create(gateway, token)));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
  for (const answer of answers.filter(({ status }) => status !== 201)) {
    expect(answer).toMatchObject(
      refusal('BUSINESS_VENDOR_WEBHOOK_SUBSCRIPTION_LIMIT', { reason: 'ACTIVE_LIMIT' }),
    );
  }
  expect(await countOf(gateway, vendorId)).toBe(5);
  expect((await create(gateway, (await newVendor(gateway)).token)).status).toBe(201);
});

test('an inactive subscription does not count', async ({ gateway }) => {
  const { token, vendorId } = await newVendor(gateway);
  const made = await Promise.all(Array.from({ length: 5 }, () => create(gateway, token)));
  expect((await create(gateway, token)).status).toBe(422);
  const [first] = made.map(idOf);
  await gateway.sql`
    update webhook_subscriptions set is_active = false where id = ${first ?? unknownId()}`;
  expect((await create(gateway, token)).status).toBe(201);
  expect(await countOf(gateway, vendorId)).toBe(6);
});
