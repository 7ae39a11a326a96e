import { createPublicKey, randomUUID, createHmac } from 'node:crypto';
import { afterEach, expect, test, vi } from 'vitest';
import { operatorTokenSeconds, vendorTokenSeconds } from '../../../api/auth/token-keys.ts';
import { createTokens } from '../../../api/auth/tokens.ts';
import { fixedRing, generatePrivateKey } from '../../../security/key-ring.ts';
import { issuer, signingKey } from '../../support/api/api.ts';
import {
  craftToken,
  ed25519,
  goodClaims,
  goodHeader,
  kidOf,
  partOf,
  publicPem,
  encode,
  refusalBy,
  withPart,
} from './craft-token.ts';

const good = craftToken();
const claims = goodClaims();
const { vendor_id: _vendor, capabilities: _capabilities, ...shared } = claims;
const operatorClaims = {
  ...shared,
  aud: 'operator-api',
  operator_id: 'alice',
  roles: ['Admin'],
  token_generation: 1,
};

const otherKey = generatePrivateKey();
const otherJwk = createPublicKey(otherKey).export({ format: 'jwk' });
const derOf = (key: string): Buffer => createPublicKey(key).export({ type: 'spki', format: 'der' });
const ownRaw = Buffer.from(
  createPublicKey(signingKey).export({ format: 'jwk' }).x ?? '',
  'base64url',
);

const hmac = (key: string | Buffer) => (signed: Buffer) =>
  createHmac('sha256', key).update(signed).digest();
const unsigned = () => Buffer.alloc(0);

/** The same signature with other unused bits in its last character. */
function respelled(): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const last = alphabet.indexOf(good.at(-1) ?? '');
  return `${good.slice(0, -1)}${alphabet[last ^ 1] ?? ''}`;
}

const textOf = (changes: object): string =>
  Object.entries(changes)
    .map(([name, value]) => `${name} ${JSON.stringify(value) ?? 'missing'}`)
    .join(', ');

/** Tokens whose header differs, signed by `signer`. */
const withHeaders = (changes: readonly object[], signer = ed25519(signingKey), what = 'a header') =>
  changes.map((each): readonly [string, string] => [
    `${what} with ${textOf(each)}`,
    craftToken(claims, { ...goodHeader, ...each }, signer),
  ]);
/** Tokens of a vendor, or of an operator, whose claims differ. */
const withClaims = (changes: readonly object[], from: object = claims) =>
  changes.map((each): readonly [string, string] => [
    `claims with ${textOf(each)}`,
    craftToken({ ...from, ...each }),
  ]);
const nowSeconds = Math.floor(Date.now() / 1000);
const url = 'http://127.0.0.1:9/jwks.json';

/** Tokens that differ from a valid one in one respect, and so are invalid. */
const wrongTokens: readonly (readonly [string, string])[] = [
  ['nothing at all', ''],
  ['no token', 'abc'],
  ['two parts', good.split('.').slice(0, 2).join('.')],
  ['four parts', `${good}.x`],
  ['four parts, the last of them empty', `${good}.`],
  ['four parts, the first of them empty', `.${good}`],
  ['claims twice', good.replace('.', `.${good.split('.')[1] ?? ''}.`)],
  ['a token twice', `${good}.${good}`],
  ['padding', `${good}==`],
  ['a line end', `${good}\n`],
  ['a space inside', good.replace('.', ' .')],
  ['a header that is no JSON', withPart(good, 0, 'AAAA')],
  ['a header that is a list', withPart(good, 0, encode([goodHeader]))],
  ['a header that is null', withPart(good, 0, encode(null))],
  ['claims of another token', withPart(good, 1, encode(goodClaims()))],
  ['more capabilities', withPart(good, 1, encode({ ...claims, capabilities: ['Account'] }))],
  ['no signature', withPart(good, 2, '')],
  ['a signature of zeros', withPart(good, 2, Buffer.alloc(64).toString('base64url'))],
  ['the signature of another token', withPart(good, 2, craftToken().split('.')[2] ?? '')],
  ['a shorter signature', good.slice(0, -2)],
  ['a longer signature', `${good}AA`],
  ['another spelling of the signature', respelled()],
  ...[unsigned, ed25519(signingKey)].flatMap((signer) =>
    withHeaders(
      ['none', 'None', 'NONE', 'nOnE', ' none', ''].map((alg) => ({ alg })),
      signer,
      signer === unsigned ? 'no signature, a header' : 'a header',
    ),
  ),
  // The public key as the secret.
  ...[publicPem(signingKey), ownRaw, derOf(signingKey), ''].flatMap((secret) =>
    withHeaders([{ alg: 'HS256' }], hmac(secret), 'an HS256 signature, a header'),
  ),
  ['an HS256 signature', craftToken(claims, goodHeader, hmac(ownRaw))],
  ['another key under our kid', craftToken(claims, goodHeader, ed25519(otherKey))],
  ...withHeaders([
    ...['eddsa', 'Ed25519', 'ES256', 'RS256', null, ['EdDSA'], undefined].map((alg) => ({ alg })),
    ...['other', '__proto__', '../../../../dev/null', undefined, 1, [goodHeader.kid]].map(
      (kid) => ({ kid }),
    ),
    { kid: '', jwk: {}, jku: 'x' },
    ...[['exp'], ['b64'], ['alg'], [], ['https://example.org/x'], 'exp', [1], { exp: true }].map(
      (crit) => ({ b64: false, crit }),
    ),
    ...['JWT', ['at+jwt'], undefined].map((typ) => ({ typ })),
  ]),
  ...[goodHeader.kid, kidOf(otherKey)].flatMap((kid) =>
    withHeaders(
      [
        { kid, jwk: otherJwk },
        { kid, jwk: { ...otherJwk, kid } },
        { kid, jku: url },
        { kid, x5u: url },
        { kid, x5c: [derOf(otherKey).toString('base64')] },
      ],
      ed25519(otherKey),
      'another key, a header',
    ),
  ),
  ...withClaims([
    ...['other', `${issuer}.example.org`, [issuer], undefined].map((iss) => ({ iss })),
    ...['other-api', 'operator-api', ['vendor-api', 'operator-api'], undefined].map((aud) => ({
      aud,
    })),
    ...[nowSeconds + 120, '0', undefined].map((iat) => ({ iat })),
    ...[nowSeconds + 100, '0'].map((nbf) => ({ nbf })),
    ...['9999999999', null, [9_999_999_999], undefined].map((exp) => ({ exp })),
    ...[1, undefined].map((sub) => ({ sub })),
    { jti: undefined },
    { vendor_id: undefined },
    ...[
      ['Root'],
      ['Offers', 'offers'],
      'Offers,Account',
      { 0: 'Offers', length: 1 },
      undefined,
    ].map((capabilities) => ({ capabilities })),
  ]),
  ...withClaims(
    [
      { aud: 'vendor-api' },
      { roles: ['Root'] },
      { roles: 'Admin' },
      { token_generation: '1' },
      { token_generation: undefined },
    ],
    operatorClaims,
  ),
];

const fixed = (...keys: Parameters<typeof fixedRing>) => {
  const ring = fixedRing(...keys);
  return createTokens({ issuer, environment: 'Production', ring: () => ring });
};
const tokens = fixed({ signingKey });
const credential = {
  id: randomUUID(),
  clientId: 'vc_1',
  vendorId: randomUUID(),
  capabilities: ['Offers', 'Cost'],
  environment: 'Production',
} as const;

const refusalOf = (token: string, by = tokens) => refusalBy(by, token);

const headerOf = (token: string) => partOf(token, 0);
const claimsOf = (token: string) => partOf(token, 1);

afterEach(() => {
  vi.useRealTimers();
});

test("issues a vendor's token of 300 seconds with its claims and its header (D10)", () => {
  const token = tokens.issueVendorToken(credential);
  expect(headerOf(token)).toEqual(goodHeader);
  const claims = claimsOf(token);
  const [iat, jti] = [Number(claims['iat']), claims['jti']];
  expect(claims).toEqual({
    iss: issuer,
    sub: credential.id,
    aud: 'vendor-api',
    iat: expect.any(Number),
    exp: iat + 300,
    jti: expect.any(String),
    client_id: 'vc_1',
    vendor_id: credential.vendorId,
    capabilities: ['Offers', 'Cost'],
    env: 'Production',
  });
  expect(claimsOf(tokens.issueVendorToken(credential))['jti']).not.toBe(jti);
});

test("returns the subject of a vendor's token, frozen because requests share it", () => {
  const token = tokens.issueVendorToken(credential);
  const caller = tokens.verify(token);
  expect(caller).toEqual({
    side: 'vendor',
    credentialId: credential.id,
    tokenId: claimsOf(token)['jti'],
    vendorId: credential.vendorId,
    capabilities: ['Offers', 'Cost'],
  });
  const parts = [caller, caller.side === 'vendor' && caller.capabilities];
  expect(parts.every(Object.isFrozen)).toBe(true);
  expect(tokens.verify(token)).toEqual(caller);
});

test("returns the subject of an operator's token", () => {
  const operator = { id: randomUUID(), operatorId: 'alice', tokenGeneration: 3 };
  const roles = ['Reviewer'] as const;
  const token = tokens.issueOperatorToken({ ...operator, roles });
  expect(tokens.verify(token)).toEqual({ side: 'operator', ...operator, roles });
  const { aud, iat, exp } = claimsOf(token);
  expect([aud, exp]).toEqual(['operator-api', Number(iat) + operatorTokenSeconds]);
});

test('accepts a crafted token whose changes the tests below refuse', () => {
  for (const token of [
    good,
    craftToken(goodClaims({ iat: 20 })),
    craftToken(operatorClaims),
    // Additional header fields are ignored, keys among them.
    craftToken(claims, { ...goodHeader, jwk: otherJwk, jku: 'x' }),
  ])
    expect(refusalOf(token)).toBeNull();
});

test.each(wrongTokens)('refuses %s as an invalid token', (_what, token) => {
  expect(refusalOf(token)).toBe('UNAUTHORIZED_INVALID_TOKEN');
});

test('names the expiry of a token only if its signature is valid', () => {
  const past = goodClaims({ iat: -400, exp: -100 });
  expect(refusalOf(craftToken(past))).toBe('UNAUTHORIZED_TOKEN_EXPIRED');
  const forged = craftToken(past, goodHeader, ed25519(generatePrivateKey()));
  expect(refusalOf(forged)).toBe('UNAUTHORIZED_INVALID_TOKEN');
});

test('refuses a cached token after its 300 seconds', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  const token = tokens.issueVendorToken(credential);
  expect(refusalOf(token)).toBeNull();
  vi.setSystemTime(Date.now() + (vendorTokenSeconds - 2) * 1000);
  expect(refusalOf(token)).toBeNull();
  vi.setSystemTime(Date.now() + 3000);
  expect(refusalOf(token)).toBe('UNAUTHORIZED_TOKEN_EXPIRED');
});

test('knows the caller of a cached token until its last millisecond', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  const token = tokens.issueVendorToken(credential);
  expect(tokens.verifiedCaller(token)).toBeNull();
  const caller = tokens.verify(token);
  const endMs = Number(claimsOf(token)['exp']) * 1000;
  for (const [atMs, known] of [
    [endMs, caller],
    [endMs + 1, null],
  ] as const) {
    vi.setSystemTime(atMs);
    expect(tokens.verifiedCaller(token)).toBe(known);
  }
  expect(refusalOf(token)).toBe('UNAUTHORIZED_TOKEN_EXPIRED');
});

test('keeps the latest tokens of a full cache', () => {
  const ring = fixedRing({ signingKey });
  const full = createTokens({ issuer, environment: 'Production', ring: () => ring, cachedMax: 3 });
  const issued = Array.from({ length: 100 }, () => full.issueVendorToken(credential));
  const callers = issued.map((token) => full.verify(token));
  const known = issued.map((token) => full.verifiedCaller(token));
  expect(known).toEqual([...Array.from({ length: 97 }, () => null), ...callers.slice(97)]);
});

test('accepts tokens of JWT_PREVIOUS_KEY, by its private or its public half', () => {
  const newKey = generatePrivateKey();
  for (const previousKey of [signingKey, publicPem(signingKey)]) {
    const rotated = fixed({ signingKey: newKey, previousKey });
    expect(refusalOf(tokens.issueVendorToken(credential), rotated)).toBeNull();
    const token = rotated.issueVendorToken(credential);
    expect(headerOf(token)).toMatchObject({ kid: kidOf(newKey) });
    expect(refusalOf(token, rotated)).toBeNull();
    expect(refusalOf(token)).toBe('UNAUTHORIZED_INVALID_TOKEN');
  }
  const alone = fixed({ signingKey: newKey });
  expect(refusalOf(tokens.issueVendorToken(credential), alone)).toBe('UNAUTHORIZED_INVALID_TOKEN');
});

test('refuses a token of one key with the kid of the other', () => {
  const newKey = generatePrivateKey();
  const rotating = fixed({ signingKey: newKey, previousKey: signingKey });
  for (const key of [newKey, signingKey])
    for (const signer of [newKey, signingKey]) {
      const token = craftToken(claims, { ...goodHeader, kid: kidOf(key) }, ed25519(signer));
      const expected = key === signer ? null : 'UNAUTHORIZED_INVALID_TOKEN';
      expect(refusalOf(token, rotating)).toBe(expected);
    }
});

test('refuses a token with one changed character, also if the valid one is cached', () => {
  const token = tokens.issueVendorToken(credential);
  expect(refusalOf(token)).toBeNull();
  for (let index = 0; index < token.length; index += 1) {
    const other = token[index] === 'A' ? 'B' : 'A';
    const changed = `${token.slice(0, index)}${other}${token.slice(index + 1)}`;
    expect(refusalOf(changed), `at ${index}`).toBe('UNAUTHORIZED_INVALID_TOKEN');
  }
  expect(refusalOf(token)).toBeNull();
});

test('accepts a token from 30 s before its iat, also if cached before the clock goes back', () => {
  const startMs = Date.now();
  vi.useFakeTimers({ toFake: ['Date'], now: startMs });
  const token = tokens.issueVendorToken(credential);
  const iatMs = Number(claimsOf(token)['iat']) * 1000;
  expect(refusalOf(token)).toBeNull();
  for (const [atMs, refused] of [
    [iatMs - 30_000, null],
    [iatMs - 30_001, 'UNAUTHORIZED_INVALID_TOKEN'],
    [startMs, null],
  ] as const) {
    vi.setSystemTime(atMs);
    expect(refusalOf(token)).toBe(refused);
  }
});

test('publishes both public keys with their kids, and nothing private', () => {
  const newKey = generatePrivateKey();
  const { keys } = fixed({ signingKey: newKey, previousKey: signingKey }).jwks();
  expect(keys).toEqual(
    [newKey, signingKey].map((key) => ({
      kty: 'OKP',
      crv: 'Ed25519',
      x: createPublicKey(key).export({ format: 'jwk' }).x,
      kid: kidOf(key),
      alg: 'EdDSA',
      use: 'sig',
    })),
  );
});
