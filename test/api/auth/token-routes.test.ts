import { expect } from 'vitest';
import { newOperator, newVendor } from '../../support/api/actors.ts';
import { call, textOf } from '../../support/api/api.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';

const test = gatewayTest.extend(
  'ask',
  { scope: 'file' },
  ({ gateway }) =>
    (side: 'api' | 'operator', body: unknown, query = '') =>
      call(gateway, 'POST', `/${side}/v1/auth/token${query}`, { body }),
);

test('issues for a vendor’s right secret a token of 300 s with its capabilities', async ({
  gateway,
  ask,
}) => {
  const vendor = await newVendor(gateway, { capabilities: ['Orders'] });
  const { clientId, clientSecret } = vendor;
  const response = await ask('api', { clientId, clientSecret });
  expect(response).toMatchObject({ status: 200, state: 'SUCCESS', details: {} });
  const accessToken = textOf(response, 'accessToken');
  expect(response.payload).toEqual({ accessToken, tokenType: 'Bearer', expiresIn: 300 });
  expect(gateway.dependencies.tokens.verify(accessToken)).toEqual({
    side: 'vendor',
    credentialId: vendor.credentialId,
    tokenId: expect.any(String),
    vendorId: vendor.vendorId,
    capabilities: ['Orders'],
  });
});

test('issues for an operator’s right secret a token of 900 s with its roles', async ({
  gateway,
  ask,
}) => {
  const roles = ['Reviewer', 'Operations'] as const;
  const { id, operatorId, operatorSecret } = await newOperator(gateway, roles);
  const response = await ask('operator', { operatorId, operatorSecret });
  expect(response).toMatchObject({ status: 200, state: 'SUCCESS' });
  const accessToken = textOf(response, 'accessToken');
  expect(response.payload).toEqual({ accessToken, tokenType: 'Bearer', expiresIn: 900 });
  expect(gateway.dependencies.tokens.verify(accessToken)).toEqual({
    side: 'operator',
    id,
    operatorId,
    roles,
    tokenGeneration: 1,
  });
});

test('refuses every call after ten wrong ones, before it checks secret, body or query', async ({
  gateway,
  ask,
}) => {
  const { clientId, clientSecret } = await newVendor(gateway, { isActive: false });
  const wrong = { clientId, clientSecret: 'wrong' };
  for (let index = 0; index < 5; index += 1) {
    expect((await ask('api', wrong)).status).toBe(401);
    expect((await ask('api', { clientId, clientSecret: 5, extra: 1 })).status).toBe(400);
  }
  for (const body of [wrong, { clientId, extra: 1 }, { clientId, clientSecret }])
    for (const query of ['', '?unexpected=1'])
      expect((await ask('api', body, query)).state).toBe('TOO_MANY_REQUESTS');
});

test('counts a body without a valid clientId for no client at all', async ({ gateway, ask }) => {
  const { clientId, clientSecret } = await newVendor(gateway);
  for (let index = 0; index < 12; index += 1)
    for (const body of [{ clientSecret }, { clientId: [clientId], clientSecret: 'x' }])
      expect((await ask('api', body)).status).toBe(400);
  expect((await ask('api', { clientId, clientSecret })).status).toBe(200);
});

test('publishes the keys of the tokens', async ({ gateway: { app, dependencies } }) => {
  const response = await app.inject('/.well-known/jwks.json');
  expect([response.statusCode, response.json()]).toEqual([200, dependencies.tokens.jwks()]);
});
