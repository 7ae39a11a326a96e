import { createPublicKey, verify, type webcrypto } from 'node:crypto';
import { expect } from 'vitest';
import { newVendor } from '../../support/api/actors.ts';
import { gatewayTest as test } from '../../support/gateway/gateway-test.ts';

test('publishes keys that verify the tokens, without a private part', async ({ gateway }) => {
  const response = await gateway.app.inject({ method: 'GET', url: '/.well-known/jwks.json' });
  expect(response.statusCode).toBe(200);
  const { keys } = response.json<{ keys: (webcrypto.JsonWebKey & { kid: string })[] }>();
  expect(keys).toHaveLength(1);
  for (const key of keys) expect(key).not.toHaveProperty('d');
  const { token } = await newVendor(gateway);
  const [header = '', claims = '', signature = ''] = token.split('.');
  const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString()) as { kid: string };
  const jwk = keys.find((key) => key.kid === kid) ?? {};
  const key = createPublicKey({ key: jwk, format: 'jwk' });
  const signed = Buffer.from(`${header}.${claims}`);
  expect(verify(null, signed, key, Buffer.from(signature, 'base64url'))).toBe(true);
});
