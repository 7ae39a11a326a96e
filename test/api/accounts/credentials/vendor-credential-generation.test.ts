import { expect } from 'vitest';
import { askToken, newCredentialFixture, secretOf } from './credential-fixture.ts';
import { call, fieldErrorsOf, itemsOf, textOf, unknownId } from '../../support/api.ts';
import { gatewayTest } from '../../../support/gateway/gateway-test.ts';
// The generation, but for the union rule (part 4, Credentials; D14, D52, D53).

const test = gatewayTest.extend('fixture', ({ gateway }) => newCredentialFixture(gateway));

const url = '/api/v1/credentials';

test('returns every field and, this once, the secret, and expires in 365 days', async ({
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

test('gives tokens with exactly its capabilities', async ({ gateway, fixture }) => {
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

test('lists the errors of the header beside those of the body, and stores nothing', async ({
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
  expect(await fixture.rows()).toHaveLength(1);
});

test('shows the credential to no other vendor', async ({ gateway, fixture }) => {
  const other = await newCredentialFixture(gateway);
  const made = await fixture.generate({ capabilities: 'Stock' });
  expect((await other.list()).text).not.toContain(textOf(made, 'clientId'));
  expect(await other.rows()).toHaveLength(1);
  expect((await other.remove(unknownId())).status).toBe(404);
});
