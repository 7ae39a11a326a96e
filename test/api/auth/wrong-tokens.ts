import { createHmac, createPublicKey } from 'node:crypto';
import { newSigningKey } from '../../security/signing-key.ts';
import { issuer, signingKey } from '../../support/api/api.ts';
import {
  craftToken,
  ed25519,
  encode,
  goodClaims,
  goodHeader,
  kidOf,
  publicPem,
  withPart,
} from './craft-token.ts';

/** Tokens that differ from a valid one in one respect, and so are invalid. */

export const good = craftToken();
export const claims = goodClaims();
const { vendor_id: _vendor, capabilities: _capabilities, ...shared } = claims;
export const operatorClaims = {
  ...shared,
  aud: 'operator-api',
  operator_id: 'alice',
  roles: ['Admin'],
  token_generation: 1,
};

const otherKey = newSigningKey();
export const otherJwk = createPublicKey(otherKey).export({ format: 'jwk' });
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

export const wrongTokens: readonly (readonly [string, string])[] = [
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
