import { expect } from 'vitest';
import { askToken, newCredentialFixture, secretOf } from './credential-fixture.ts';
import { call, fieldErrorsOf, itemsOf, textOf, unknownId } from '../../support/api.ts';
import { gatewayTest } from '../../../support/gateway/gateway-test.ts';
// The generation, but for the union rule (part 4, Credentials; D14, D52, D53).

const test = gatewayTest.extend('fixture', ({ gateway }) => newCredentialFixture(gateway));

const url = '/api/v1/credentials';

test('a creation answers every field and, this once, the secret; it expires in 365 days', async ({
  fixture,
}) => {
  const before = Date.now();
  const made = await fixture.generate({ capabilities: 'Orders, Offers' });
  expect(made).toMatchObject({ status: 201, state: 'SUCCESS', details: {} });
  const form = {
    id: expect.stringMatching(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/),
    environment: 'Production',
    clientId: expect.stringMatching(/^vc_[\w-]{20,}$/),
    capabilities: 'Offers,Orders',
    expirationDate: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    isActive: true,
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
  };
  // 256 bits behind a readable prefix (D11).
  expect(made.payload).toStrictEqual({
    ...form,
    clientSecret: expect.stringMatching(/^vs_[\w-]{43}$/),
  });
  const expires = Date.parse(textOf(made, 'expirationDate'));
  const dayMs = 86_400_000;
  expect(expires).toBeGreaterThanOrEqual(before + 365 * dayMs);
  expect(expires).toBeLessThanOrEqual(Date.now() + 365 * dayMs);
  const { clientSecret: _once, ...shown } = made.payload ?? {};
  expect(itemsOf(await fixture.list())[0]).toStrictEqual(shown);
});

test('its token has exactly its capabilities, which open their routes and no others', async ({
  gateway,
  fixture,
}) => {
  const made = await fixture.generate({ capabilities: 'Orders' });
  const token = textOf(await askToken(gateway, secretOf(made)), 'accessToken');
  expect(gateway.dependencies.tokens.verify(token)).toMatchObject({
    side: 'vendor',
    credentialId: textOf(made, 'id'),
    vendorId: fixture.vendor.vendorId,
    capabilities: ['Orders'],
  });
  expect((await call(gateway, 'GET', '/api/v1/webhooks', { token })).status).toBe(200);
  const again = await fixture.generate({ capabilities: 'Orders' }, token);
  expect(again).toMatchObject({
    status: 403,
    state: 'FORBIDDEN_CAPABILITY_NOT_GRANTED',
    details: { requiredCapability: 'Account' },
  });
});

test('two credentials share neither id nor client id nor secret', async ({ fixture }) => {
  const made = [
    await fixture.generate({ capabilities: 'Stock' }),
    await fixture.generate({ capabilities: 'Stock' }),
  ];
  for (const name of ['id', 'clientId', 'clientSecret']) {
    expect(new Set(made.map((answer) => textOf(answer, name))).size).toBe(2);
  }
});

test.for([
  ['Offers', 'Offers'],
  ['Stock,Offers', 'Offers,Stock'],
  ['Account,Orders,Cost,Stock,Offers', 'Offers,Stock,Cost,Orders,Account'],
  [' Cost , Stock ', 'Stock,Cost'],
  ['Cost,\tStock', 'Stock,Cost'],
  ['Orders,Orders , Orders', 'Orders'],
] as const)(
  'the capabilities "%s" are answered and stored as %s',
  async ([list, shown], { fixture }) => {
    const made = await fixture.generate({ capabilities: list });
    expect(made).toMatchObject({ status: 201, payload: { capabilities: shown } });
    expect((await fixture.rows()).at(-1)?.capabilities).toEqual(shown.split(','));
  },
);

test.for<[unknown, readonly string[]]>([
  [{}, ['Capabilities required']],
  [{ capabilities: '' }, ['Capabilities invalid_capabilities']],
  [{ capabilities: ' ' }, ['Capabilities invalid_capabilities']],
  [{ capabilities: ',' }, ['Capabilities invalid_capabilities']],
  [{ capabilities: 'Stock,' }, ['Capabilities invalid_capabilities']],
  [{ capabilities: 'Stock,,Cost' }, ['Capabilities invalid_capabilities']],
  [{ capabilities: 'stock' }, ['Capabilities invalid_capabilities']],
  [{ capabilities: 'Stock Cost' }, ['Capabilities invalid_capabilities']],
  [{ capabilities: 'Stock;Cost' }, ['Capabilities invalid_capabilities']],
  [{ capabilities: 'Stock,Admin' }, ['Capabilities invalid_capabilities']],
  [{ capabilities: 'Stock\0' }, ['Capabilities invalid_capabilities']],
  [{ capabilities: null }, ['Capabilities invalid_type']],
  [{ capabilities: ['Stock'] }, ['Capabilities invalid_type']],
  [{ capabilities: 'Stock', environment: 'Production' }, ['Environment unknown_field']],
  [
    {
      capabilities: 1,
      clientId: 'mine',
      clientSecret: 'mine',
      expirationDate: '2099-01-01T00:00:00Z',
    },
    [
      'Capabilities invalid_type',
      'ClientId unknown_field',
      'ClientSecret unknown_field',
      'ExpirationDate unknown_field',
    ],
  ],
  ['[]', ['Body invalid_type']],
  ['{', ['Body malformed']],
] as const)('the body %j is 400: %j, and nothing is made', async ([body, errors], { fixture }) => {
  const answer = await fixture.generate(body);
  expect(answer).toMatchObject({ status: 400, state: 'VALIDATION_ERRORS', payload: null });
  expect(fieldErrorsOf(answer)).toEqual(errors);
  expect(await fixture.rows()).toHaveLength(1);
});

test('what is wrong with the header is listed beside what is wrong with the body', async ({
  gateway,
  fixture,
}) => {
  const { token } = fixture.vendor;
  const body = { capabilities: 'Everything', name: 'x' };
  const expected = ['Capabilities invalid_capabilities', 'Name unknown_field'];
  const missing = await call(gateway, 'POST', url, { token, body });
  expect(fieldErrorsOf(missing)).toEqual([...expected, 'X-Service-Environment required']);
  const headers = { 'x-service-environment': 'Sandbox' };
  const unknown = await call(gateway, 'POST', url, { token, body, headers });
  expect(fieldErrorsOf(unknown)).toEqual([...expected, 'X-Service-Environment not_allowed']);
});

test('no other vendor sees what was made', async ({ gateway, fixture }) => {
  const stranger = await newCredentialFixture(gateway);
  const made = await fixture.generate({ capabilities: 'Stock' });
  expect((await stranger.list()).text).not.toContain(textOf(made, 'clientId'));
  expect(await stranger.rows()).toHaveLength(1);
  expect((await stranger.remove(unknownId())).status).toBe(404);
});
