import { expect } from 'vitest';
import { newVendor, type TestVendor } from '../support/actors.ts';
import { call, fieldErrorsOf, refusal, textOf, type Gateway } from '../support/api.ts';
import { gatewayTest as test } from '../../support/gateway/gateway-test.ts';

const url = '/api/v1/auth/token';
const ask = (gateway: Gateway, body: unknown) => call(gateway, 'POST', url, { body });
const credentialsOf = ({ clientId, clientSecret }: TestVendor) => ({ clientId, clientSecret });

test('the right secret gets a bearer token of 300 s for the routes of its capabilities', async ({
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

test('every failure has the same answer, which does not tell if id or secret was wrong', async ({
  gateway,
}) => {
  const vendor = await newVendor(gateway);
  const expired = await newVendor(gateway, { expiresAt: new Date(Date.now() - 1000) });
  const switchedOff = await newVendor(gateway, { credentialIsActive: false });
  const inactive = await newVendor(gateway, { isActive: false });
  const both = await newVendor(gateway, { isActive: false, credentialIsActive: false });
  const bodies = [
    { clientId: 'vc_unknown', clientSecret: vendor.clientSecret },
    { clientId: vendor.clientId, clientSecret: `${vendor.clientSecret}x` },
    { clientId: vendor.clientId.toUpperCase(), clientSecret: vendor.clientSecret },
    { clientId: vendor.clientId, clientSecret: ` ${vendor.clientSecret}` },
    { clientId: inactive.clientId, clientSecret: 'wrong' },
    credentialsOf(expired),
    credentialsOf(switchedOff),
    credentialsOf(both),
  ];
  const texts = new Set<string>();
  for (const body of bodies) {
    const answer = await ask(gateway, body);
    expect(answer).toMatchObject(refusal('UNAUTHORIZED_INVALID_CREDENTIALS'));
    texts.add(answer.text);
  }
  expect([...texts]).toEqual([
    '{"state":"UNAUTHORIZED_INVALID_CREDENTIALS","payload":null,"details":{}}',
  ]);
});

test('only the right secret reveals that a vendor is inactive', async ({ gateway }) => {
  const vendor = await newVendor(gateway, { isActive: false });
  expect((await ask(gateway, credentialsOf(vendor))).text).toBe(
    '{"state":"UNAUTHORIZED_VENDOR_INACTIVE","payload":null,"details":{}}',
  );
});

test.for(['vendorId', 'delegation', 'actAs', 'scope', 'grant_type', '__proto__', 'constructor'])(
  'the body takes no %s: who calls is always the credential itself',
  async (field, { gateway }) => {
    const vendor = await newVendor(gateway);
    const body = JSON.stringify(credentialsOf(vendor)).replace('{', `{"${field}":"x",`);
    const answer = await ask(gateway, body);
    expect(answer.status).toBe(400);
    expect(fieldErrorsOf(answer)).toEqual([expect.stringMatching(/ unknown_field$/)]);
  },
);

test.for([
  [{}, ['ClientId required', 'ClientSecret required']],
  [{ clientId: 'vc_1' }, ['ClientSecret required']],
  [{ clientId: 5, clientSecret: null }, ['ClientId invalid_type', 'ClientSecret invalid_type']],
  [{ clientId: '', clientSecret: ' ' }, ['ClientId required', 'ClientSecret required']],
  [
    { clientId: 'a\0', clientSecret: '\ud800' },
    ['ClientId invalid_characters', 'ClientSecret invalid_characters'],
  ],
  [
    { clientId: 'x'.repeat(256), clientSecret: 'x'.repeat(256) },
    ['ClientId too_long', 'ClientSecret too_long'],
  ],
] as const)('%j lists each failing field', async ([body, errors], { gateway }) => {
  const answer = await ask(gateway, body);
  expect(answer).toMatchObject({ status: 400, state: 'VALIDATION_ERRORS', payload: null });
  expect(fieldErrorsOf(answer)).toEqual(errors);
});

test('of 15 concurrent calls of one clientId 10 succeed, and the others get Retry-After', async ({
  gateway,
}) => {
  const vendor = await newVendor(gateway);
  const answers = await Promise.all(
    Array.from({ length: 15 }, () => ask(gateway, credentialsOf(vendor))),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
  const refused = answers.filter(({ status }) => status !== 200);
  for (const answer of refused) {
    expect(answer).toMatchObject(refusal('TOO_MANY_REQUESTS'));
    expect(answer.headers['retry-after']).toMatch(/^[1-9]\d?$/);
  }
  expect((await ask(gateway, credentialsOf(await newVendor(gateway)))).status).toBe(200);
});

test('wrong secrets and wrong bodies count: 429 comes before 401 and before 400', async ({
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

test('a body without a valid clientId is refused and counts for no client', async ({ gateway }) => {
  const vendor = await newVendor(gateway);
  for (let index = 0; index < 12; index += 1) {
    expect((await ask(gateway, { clientSecret: vendor.clientSecret })).status).toBe(400);
    expect((await ask(gateway, { clientId: [vendor.clientId], clientSecret: 'x' })).status).toBe(
      400,
    );
  }
  expect((await ask(gateway, credentialsOf(vendor))).status).toBe(200);
});

test('no secret is stored, neither a right nor a wrong one', async ({ gateway }) => {
  const vendor = await newVendor(gateway);
  await ask(gateway, { clientId: vendor.clientSecret, clientSecret: 'mistyped' });
  const [row] = await gateway.sql`
    select (select string_agg(token_calls::text, '') from token_calls)
      || (select string_agg(credentials::text, '') from credentials) as everything`;
  expect(String(row?.['everything'])).not.toContain(vendor.clientSecret);
});
