import { expect } from 'vitest';
import { newVendor, type TestVendor } from '../../support/api/actors.ts';
import { call, refusal, textOf, type Gateway } from '../../support/api/api.ts';
import { gatewayTest as test } from '../../support/gateway/gateway-test.ts';

const url = '/api/v1/auth/token';
const ask = (gateway: Gateway, body: unknown) => call(gateway, 'POST', url, { body });
const credentialsOf = ({ clientId, clientSecret }: TestVendor) => ({ clientId, clientSecret });

test('gives the right secret a bearer token of 300 s with its capabilities', async ({
  gateway,
}) => {
  const vendor = await newVendor(gateway, { capabilities: ['Orders'] });
  const answer = await ask(gateway, credentialsOf(vendor));
  expect(answer).toMatchObject({ status: 200, state: 'SUCCESS', details: {} });
  expect(answer.payload).toEqual({
    accessToken: expect.any(String),
    tokenType: 'Bearer',
    expiresIn: 300,
  });
  const token = textOf(answer, 'accessToken');
  expect(gateway.dependencies.tokens.verify(token)).toEqual({
    side: 'vendor',
    credentialId: vendor.credentialId,
    tokenId: expect.any(String),
    vendorId: vendor.vendorId,
    capabilities: ['Orders'],
  });
  expect((await call(gateway, 'GET', '/api/v1/webhooks', { token })).status).toBe(200);
  const offers = await call(gateway, 'POST', '/api/v1/scent/offers', { token, body: {} });
  expect(offers).toMatchObject(
    refusal('FORBIDDEN_CAPABILITY_NOT_GRANTED', { requiredCapability: 'Offers' }),
  );
});

test('counts wrong secrets and wrong bodies, and checks the limit before both', async ({
  gateway,
}) => {
  const { clientId } = await newVendor(gateway);
  for (let index = 0; index < 5; index += 1) {
    expect((await ask(gateway, { clientId, clientSecret: 'wrong' })).status).toBe(401);
    expect((await ask(gateway, { clientId, clientSecret: 5, extra: 1 })).status).toBe(400);
  }
  expect((await ask(gateway, { clientId, clientSecret: 'wrong' })).status).toBe(429);
  expect((await ask(gateway, { clientId })).status).toBe(429);
});

test('counts a body without a valid clientId for no client', async ({ gateway }) => {
  const vendor = await newVendor(gateway);
  for (let index = 0; index < 12; index += 1) {
    expect((await ask(gateway, { clientSecret: vendor.clientSecret })).status).toBe(400);
    expect((await ask(gateway, { clientId: [vendor.clientId], clientSecret: 'x' })).status).toBe(
      400,
    );
  }
  expect((await ask(gateway, credentialsOf(vendor))).status).toBe(200);
});

test('stores no secret, neither a right nor a wrong one', async ({ gateway }) => {
  const vendor = await newVendor(gateway);
  await ask(gateway, { clientId: vendor.clientSecret, clientSecret: 'mistyped' });
  const [row] = await gateway.sql`
    select (select string_agg(token_calls::text, '') from token_calls)
      || (select string_agg(credentials::text, '') from credentials) as everything`;
  expect(String(row?.['everything'])).not.toContain(vendor.clientSecret);
});
