import { randomUUID } from 'node:crypto';
import { afterEach, expect, test, vi } from 'vitest';
import { ApiError } from '../../../api/api-error.ts';
import { createTokens, operatorTokenSeconds, vendorTokenSeconds } from '../../../api/auth/tokens.ts';
import { newSigningKey } from '../../security/signing-key.ts';
import { issuer, signingKey } from '../support.ts';
import {
  craftToken,
  ed25519,
  encode,
  goodClaims,
  goodHeader,
  hmac,
  kidOf,
  publicPem,
  unsigned,
  withPart,
} from './craft-token.ts';

const tokens = createTokens({ issuer, signingKey });
const credential = {
  id: randomUUID(),
  clientId: 'vc_1',
  vendorId: randomUUID(),
  capabilities: ['Offers', 'Cost'],
  environment: 'Production',
} as const;

/** The code with which a token is refused; null when it is accepted. */
function refusalOf(token: string, by = tokens): string | null {
  try {
    by.verify(token);
    return null;
  } catch (error) {
    if (error instanceof ApiError) return error.code;
    throw error;
  }
}

const claimsOf = (token: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>;
const headerOf = (token: string): unknown =>
  JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString());

afterEach(() => {
  vi.useRealTimers();
});

test("a vendor's token has the claims and the header of D10, and lives 300 seconds", () => {
  const token = tokens.issueVendorToken(credential);
  expect(headerOf(token)).toEqual(goodHeader);
  const claims = claimsOf(token);
  expect(claims).toEqual({
    iss: issuer,
    sub: credential.id,
    aud: 'vendor-api',
    iat: expect.any(Number),
    exp: expect.any(Number),
    jti: expect.any(String),
    client_id: 'vc_1',
    vendor_id: credential.vendorId,
    capabilities: ['Offers', 'Cost'],
    env: 'Production',
  });
  expect(Number(claims['exp']) - Number(claims['iat'])).toBe(300);
  expect(claimsOf(tokens.issueVendorToken(credential))['jti']).not.toBe(claims['jti']);
});

test('what is issued verifies as who it was issued to', () => {
  const vendorToken = tokens.issueVendorToken(credential);
  expect(tokens.verify(vendorToken)).toEqual({
    side: 'vendor',
    credentialId: credential.id,
    tokenId: claimsOf(vendorToken)['jti'],
    vendorId: credential.vendorId,
    capabilities: ['Offers', 'Cost'],
  });
  const operator = { id: randomUUID(), operatorId: 'alice', roles: ['Reviewer'] } as const;
  const token = tokens.issueOperatorToken(operator);
  expect(tokens.verify(token)).toEqual({ side: 'operator', ...operator });
  expect(claimsOf(token)).toMatchObject({ aud: 'operator-api' });
  expect(Number(claimsOf(token)['exp']) - Number(claimsOf(token)['iat'])).toBe(operatorTokenSeconds);
});

test('a token by hand, as good as ours, is accepted: the tests below change one thing of it', () => {
  expect(refusalOf(craftToken())).toBeNull();
  expect(refusalOf(craftToken(goodClaims({ iat: 20 })))).toBeNull();
});

const good = craftToken();
const claims = goodClaims();
const without = (name: string) => Object.fromEntries(Object.entries(claims).filter(([key]) => key !== name));

const wrongTokens: readonly (readonly [string, string])[] = [
  ['nothing at all', ''],
  ['no token', 'abc'],
  ['two parts', good.split('.').slice(0, 2).join('.')],
  ['four parts', `${good}.x`],
  ['a header that is no JSON', withPart(good, 0, 'AAAA')],
  ['claims of another token', withPart(good, 1, encode(goodClaims()))],
  ['more capabilities written in', withPart(good, 1, encode({ ...claims, capabilities: ['Account'] }))],
  ['no signature', withPart(good, 2, '')],
  ['a signature of zeros', withPart(good, 2, Buffer.alloc(64).toString('base64url'))],
  ['alg none', craftToken(claims, { ...goodHeader, alg: 'none' }, unsigned)],
  ['alg None', craftToken(claims, { ...goodHeader, alg: 'None' }, unsigned)],
  ['alg none with our signature', craftToken(claims, { ...goodHeader, alg: 'none' })],
  ['no alg', craftToken(claims, { typ: 'at+jwt', kid: goodHeader.kid })],
  [
    'HS256 with the public key as secret',
    craftToken(claims, { ...goodHeader, alg: 'HS256' }, hmac('sha256', publicPem(signingKey))),
  ],
  [
    'HS512 with the public key as secret',
    craftToken(claims, { ...goodHeader, alg: 'HS512' }, hmac('sha512', publicPem(signingKey).trim())),
  ],
  ['another key under our kid', craftToken(claims, goodHeader, ed25519(newSigningKey()))],
  ['an unknown kid', craftToken(claims, { ...goodHeader, kid: 'other' })],
  ['no kid', craftToken(claims, { alg: 'EdDSA', typ: 'at+jwt' })],
  ['a kid that is no string', craftToken(claims, { ...goodHeader, kid: 1 })],
  ['a key of its own in the header', craftToken(claims, { ...goodHeader, kid: '', jwk: {}, jku: 'x' })],
  ['typ JWT', craftToken(claims, { ...goodHeader, typ: 'JWT' })],
  ['no typ', craftToken(claims, { alg: 'EdDSA', kid: goodHeader.kid })],
  ['another issuer', craftToken({ ...claims, iss: 'other' })],
  ['another audience', craftToken({ ...claims, aud: 'other-api' })],
  ['a list of audiences', craftToken({ ...claims, aud: ['vendor-api', 'operator-api'] })],
  ['a vendor with the audience of operators', craftToken({ ...claims, aud: 'operator-api' })],
  ['a future iat', craftToken(goodClaims({ iat: 120, exp: 400 }))],
  ['a future nbf', craftToken({ ...claims, nbf: Math.floor(Date.now() / 1000) + 100 })],
  ['an exp that is a string', craftToken({ ...claims, exp: '9999999999' })],
  ['an unknown capability', craftToken({ ...claims, capabilities: ['Root'] })],
  ['capabilities in a string', craftToken({ ...claims, capabilities: 'Offers,Account' })],
  ...['iss', 'sub', 'aud', 'iat', 'exp', 'jti', 'vendor_id', 'capabilities'].map(
    (name) => [`no ${name}`, craftToken(without(name))] as const,
  ),
];

test.each(wrongTokens)('%s is an invalid token', (_what, token) => {
  expect(refusalOf(token)).toBe('UNAUTHORIZED_INVALID_TOKEN');
});

test('an expired token is told to be expired, but only when it was ours', () => {
  const past = goodClaims({ iat: -400, exp: -100 });
  expect(refusalOf(craftToken(past))).toBe('UNAUTHORIZED_TOKEN_EXPIRED');
  const forged = craftToken(past, goodHeader, ed25519(newSigningKey()));
  expect(refusalOf(forged)).toBe('UNAUTHORIZED_INVALID_TOKEN');
});

test('a token that was accepted before is refused once its 300 seconds are over', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  const token = tokens.issueVendorToken(credential);
  expect(refusalOf(token)).toBeNull();
  vi.setSystemTime(Date.now() + (vendorTokenSeconds - 2) * 1000);
  expect(refusalOf(token)).toBeNull();
  vi.setSystemTime(Date.now() + 3000);
  expect(refusalOf(token)).toBe('UNAUTHORIZED_TOKEN_EXPIRED');
});

test('keys rotate: tokens of the previous key are accepted, by its private or its public half', () => {
  const newKey = newSigningKey();
  for (const previousKey of [signingKey, publicPem(signingKey)]) {
    const rotated = createTokens({ issuer, signingKey: newKey, previousKey });
    expect(refusalOf(tokens.issueVendorToken(credential), rotated)).toBeNull();
    const token = rotated.issueVendorToken(credential);
    expect(headerOf(token)).toMatchObject({ kid: kidOf(newKey) });
    expect(refusalOf(token, rotated)).toBeNull();
    expect(refusalOf(token)).toBe('UNAUTHORIZED_INVALID_TOKEN');
  }
  const alone = createTokens({ issuer, signingKey: newKey });
  expect(refusalOf(tokens.issueVendorToken(credential), alone)).toBe('UNAUTHORIZED_INVALID_TOKEN');
});

test('the published keys are the public halves of both, each under its kid', () => {
  const newKey = newSigningKey();
  const { keys } = createTokens({ issuer, signingKey: newKey, previousKey: signingKey }).jwks;
  expect(keys).toEqual(
    [newKey, signingKey].map((key) => ({
      kty: 'OKP',
      crv: 'Ed25519',
      x: expect.any(String),
      kid: kidOf(key),
      alg: 'EdDSA',
      use: 'sig',
    })),
  );
});
