import { createPublicKey } from 'node:crypto';
import { newSigningKey } from '../../security/signing-key.ts';
import { issuer, signingKey } from '../../support/api/api.ts';
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
const without = (name: string) =>
  Object.fromEntries(Object.entries(claims).filter(([key]) => key !== name));

const otherKey = newSigningKey();
export const otherJwk = createPublicKey(otherKey).export({ format: 'jwk' });
const otherX5c = [
  createPublicKey(otherKey).export({ type: 'spki', format: 'der' }).toString('base64'),
];
const ownJwk = createPublicKey(signingKey).export({ format: 'jwk' });
const ownRaw = Buffer.from(ownJwk.x ?? '', 'base64url');
const ownDer = createPublicKey(signingKey).export({ type: 'spki', format: 'der' });

/** Copies of a token with one character of a part replaced, at each of `positions`. */
const tampered = (part: 0 | 1 | 2, positions: readonly number[]) =>
  positions.map((position) => {
    const text = good.split('.')[part] ?? '';
    const index = position < 0 ? text.length + position : position;
    const other = text[index] === 'A' ? 'B' : 'A';
    const changed = `${text.slice(0, index)}${other}${text.slice(index + 1)}`;
    return [`part ${part} tampered with at ${position}`, withPart(good, part, changed)] as const;
  });

/** The same signature with other unused bits in its last character. */
function respelled(): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const last = alphabet.indexOf(good.at(-1) ?? '');
  return `${good.slice(0, -1)}${alphabet[last ^ 1] ?? ''}`;
}

const secretsOfPublicKey: readonly (readonly [string, string | Buffer])[] = [
  ['its PEM', publicPem(signingKey)],
  ['its PEM without the last line end', publicPem(signingKey).trim()],
  ['its raw bytes', ownRaw],
  ['its DER bytes', ownDer],
  ['its x of the published keys', ownJwk.x ?? ''],
  ['nothing', ''],
];

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
  [
    'more capabilities written in',
    withPart(good, 1, encode({ ...claims, capabilities: ['Account'] })),
  ],
  ...tampered(0, [0, 5, -1]),
  ...tampered(1, [0, 40, -2]),
  ...tampered(2, [0, 1, 42, 43, 84]),
  ['no signature', withPart(good, 2, '')],
  ['a signature of zeros', withPart(good, 2, Buffer.alloc(64).toString('base64url'))],
  ['the signature of another token', withPart(good, 2, craftToken().split('.')[2] ?? '')],
  ['a shorter signature', good.slice(0, -2)],
  ['a longer signature', `${good}AA`],
  ['another spelling of the signature', respelled()],
  ...['none', 'None', 'NONE', 'nOnE', ' none', ''].flatMap((alg) => [
    [`alg "${alg}"`, craftToken(claims, { ...goodHeader, alg }, unsigned)] as const,
    [`alg "${alg}" with our signature`, craftToken(claims, { ...goodHeader, alg })] as const,
  ]),
  ...['eddsa', 'Ed25519', 'ES256', 'RS256', null, ['EdDSA']].map(
    (alg) => [`alg ${JSON.stringify(alg)}`, craftToken(claims, { ...goodHeader, alg })] as const,
  ),
  ['no alg', craftToken(claims, { typ: 'at+jwt', kid: goodHeader.kid })],
  ...secretsOfPublicKey.flatMap(([what, secret]) =>
    [256, 384, 512].map((bits) => {
      const header = { ...goodHeader, alg: `HS${bits}` };
      const token = craftToken(claims, header, hmac(`sha${bits}`, secret));
      return [`HS${bits} with the public key as secret: ${what}`, token] as const;
    }),
  ),
  [
    'an HS256 signature under the header of EdDSA',
    craftToken(claims, goodHeader, hmac('sha256', ownRaw)),
  ],
  ['another key under our kid', craftToken(claims, goodHeader, ed25519(otherKey))],
  ['an unknown kid', craftToken(claims, { ...goodHeader, kid: 'other' })],
  ['a kid that every object has', craftToken(claims, { ...goodHeader, kid: '__proto__' })],
  ['a kid that is a path', craftToken(claims, { ...goodHeader, kid: '../../../../dev/null' })],
  ['no kid', craftToken(claims, { alg: 'EdDSA', typ: 'at+jwt' })],
  ['a kid that is no string', craftToken(claims, { ...goodHeader, kid: 1 })],
  ['our kid in a list', craftToken(claims, { ...goodHeader, kid: [goodHeader.kid] })],
  [
    'a key of its own in the header',
    craftToken(claims, { ...goodHeader, kid: '', jwk: {}, jku: 'x' }),
  ],
  ...[goodHeader.kid, kidOf(otherKey)].flatMap((kid) =>
    [
      { jwk: otherJwk },
      { jwk: { ...otherJwk, kid } },
      { jku: 'http://127.0.0.1:9/jwks.json' },
      { x5u: 'http://127.0.0.1:9/chain.pem' },
      { x5c: otherX5c },
    ].map((injected) => {
      const token = craftToken(claims, { ...goodHeader, kid, ...injected }, ed25519(otherKey));
      const whose = kid === goodHeader.kid ? 'our kid' : 'its own kid';
      return [`another key by ${Object.keys(injected).join()}, under ${whose}`, token] as const;
    }),
  ),
  ...[['exp'], ['b64'], ['alg'], [], ['https://example.org/x'], 'exp', [1], { exp: true }].map(
    (crit) =>
      [
        `crit ${JSON.stringify(crit)}`,
        craftToken(claims, { ...goodHeader, b64: false, crit }),
      ] as const,
  ),
  ['typ JWT', craftToken(claims, { ...goodHeader, typ: 'JWT' })],
  ['a typ that is no string', craftToken(claims, { ...goodHeader, typ: ['at+jwt'] })],
  ['no typ', craftToken(claims, { alg: 'EdDSA', kid: goodHeader.kid })],
  ['another issuer', craftToken({ ...claims, iss: 'other' })],
  ['an issuer that begins like ours', craftToken({ ...claims, iss: `${issuer}.example.org` })],
  ['a list of issuers', craftToken({ ...claims, iss: [issuer] })],
  ['another audience', craftToken({ ...claims, aud: 'other-api' })],
  ['a list of audiences', craftToken({ ...claims, aud: ['vendor-api', 'operator-api'] })],
  ['a vendor with the audience of operators', craftToken({ ...claims, aud: 'operator-api' })],
  [
    'an operator with the audience of vendors',
    craftToken({ ...operatorClaims, aud: 'vendor-api' }),
  ],
  ['an unknown role', craftToken({ ...operatorClaims, roles: ['Root'] })],
  ['a generation in a string', craftToken({ ...operatorClaims, token_generation: '1' })],
  ['no generation', craftToken({ ...operatorClaims, token_generation: undefined })],
  ['a role in a string', craftToken({ ...operatorClaims, roles: 'Admin' })],
  ['a future iat', craftToken(goodClaims({ iat: 120, exp: 400 }))],
  ['a future nbf', craftToken({ ...claims, nbf: Math.floor(Date.now() / 1000) + 100 })],
  ['an nbf that is a string', craftToken({ ...claims, nbf: '0' })],
  ['an iat that is a string', craftToken({ ...claims, iat: '0' })],
  ['an exp that is a string', craftToken({ ...claims, exp: '9999999999' })],
  ['an exp that is null', craftToken({ ...claims, exp: null })],
  ['an exp in a list', craftToken({ ...claims, exp: [9_999_999_999] })],
  ['a sub that is a number', craftToken({ ...claims, sub: 1 })],
  ['an unknown capability', craftToken({ ...claims, capabilities: ['Root'] })],
  [
    'an unknown capability beside a known one',
    craftToken({ ...claims, capabilities: ['Offers', 'offers'] }),
  ],
  ['capabilities in a string', craftToken({ ...claims, capabilities: 'Offers,Account' })],
  [
    'capabilities in an object',
    craftToken({ ...claims, capabilities: { 0: 'Offers', length: 1 } }),
  ],
  ...['iss', 'sub', 'aud', 'iat', 'exp', 'jti', 'vendor_id', 'capabilities'].map(
    (name) => [`no ${name}`, craftToken(without(name))] as const,
  ),
];
