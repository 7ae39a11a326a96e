import * as fc from 'fast-check';
import { withPart } from '../../api/auth/craft-token.ts';
import { fault, list, pick, randomBytes, repeated, type Fault, type Patch } from './fault.ts';
import type { Target } from './targets.ts';

/** Wrong tokens and headers, and headers that are odd and decide nothing. */

const base64 = (text: string): string => Buffer.from(text).toString('base64url');

/** `…` is a valid token. */
const noBearer = [
  ...list(`¦Bearer¦Bearer    ¦Basic dTpw¦Basic¦Digest username="x"¦…¦Bearer:…¦Token …¦"Bearer …"¦
Bearer\t…`),
  'x'.repeat(9000),
  null,
];
const noTokens = list(`….…¦… …¦…, Bearer …¦...¦.¦null¦\u00e9\u00ff`);
const wrongHeads = [
  ...list(`{"alg":"none"}¦{"alg":"HS256","kid":"../../../etc/passwd"}¦{"kid":"__proto__"}¦null¦
{"kid":{"toString":1}}`),
  '['.repeat(5000),
];
const text64 = (maxLength: number): fc.Arbitrary<string> =>
  randomBytes(maxLength).map((bytes) => `x${bytes.toString('base64url')}`);

function brokenToken(token: string): fc.Arbitrary<string> {
  const signature = token.split('.')[2] ?? '';
  // The first character of a signature has six significant bits; the last one has not.
  const other = `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
  return fc.oneof(
    { weight: 6, arbitrary: pick(noTokens).map((each) => each.replaceAll('…', token)) },
    { weight: 5, arbitrary: pick(wrongHeads).map((head) => withPart(token, 0, base64(head))) },
    fc.integer({ min: 1, max: token.length - 1 }).map((end) => token.slice(0, end)),
    pick(['', other]).map((part) => withPart(token, 2, part)),
    fc.nat().map((jti) => withPart(token, 1, base64(`{"aud":"operator-api","jti":"${jti}"}`))),
    fc.oneof(text64(3000), fc.constant(base64('null'))).map((part) => withPart(token, 1, part)),
    text64(6000),
  );
}

const authorization = (text: string | null): Patch => ({ headers: { authorization: text } });

const tokenFaults = ({ token, otherToken }: Target): readonly Fault[] => [
  fault(
    'token: none',
    'UNAUTHORIZED_MISSING_TOKEN',
    pick(noBearer).map((text) => authorization(text?.replace('…', token) ?? null)),
  ),
  fault(
    'token: broken',
    'UNAUTHORIZED_INVALID_TOKEN',
    fc
      .tuple(pick(['Bearer ', 'bearer ', 'BEARER   ']), brokenToken(token))
      .map((parts) => authorization(parts.join(''))),
  ),
  fault("token: the other side's", 'FORBIDDEN', fc.constant(authorization(`Bearer ${otherToken}`))),
];

const wrongValues = [null, ...list(`¦x¦production¦__proto__¦\u00ff`), ['Production', 'Production']];
const numbered = (count: number, value: string): Patch => ({
  headers: Object.fromEntries(Array.from({ length: count }, (_, index) => [`x-${index}`, value])),
});
/** Made once, since each operation has a fault of these. */
const manyHeaders = numbered(2500, 'y');

export function headers(target: Target): readonly Fault[] {
  const required = Object.keys(target.headers);
  const wrongHeader = pick(wrongValues).map((value) => ({
    headers: Object.fromEntries(required.map((name) => [name, value])),
  }));
  const tooLarge = fc.oneof(
    repeated('y', 16_384, 20_384).map((x) => ({ headers: { x } })),
    fc.constant(manyHeaders),
  );
  return [
    ...(target.needsToken ? tokenFaults(target) : []),
    ...(required.length === 0
      ? []
      : [fault('headers: a wrong value, or none', 'VALIDATION_ERRORS', wrongHeader)]),
    fault('headers: above 16 KiB', 'HEADERS_TOO_LARGE', tooLarge),
  ];
}

const one = (name: string, values: fc.Arbitrary<string>): fc.Arbitrary<Patch> =>
  values.map((value) => ({ headers: { [name]: value } }));
/** `name: value` of each line. */
const several = (text: string): Patch => ({
  headers: Object.fromEntries(list(text).map((line) => line.split(/: (.*)/).slice(0, 2))),
});
const oddIds = [...list(`¦ ¦a b¦../../x¦{"a":1}¦\u00e9¦a,b¦<script>¦%00`), 'x'.repeat(4000)];

/** Headers that do not decide how a request is answered. */
export const oddities: fc.Arbitrary<Patch> = fc.oneof(
  one('x-request-id', pick([...oddIds, 'x'.repeat(129)])),
  one(
    'x-request-id',
    fc.nat().map((id) => `mine-${id}`),
  ),
  one('x-http-method-override', pick(['DELETE', 'GET', '', '\u00ff'])),
  one(
    'x-forwarded-for',
    pick([...list(`¦127.0.0.1, , ::1¦unknown¦[::]:99999¦'`), 'x'.repeat(3000)]),
  ),
  one('accept', pick(['text/html', '', 'image/*;q=x', 'x'.repeat(2000)])),
  pick([
    several(
      `x-forwarded-host: evil.example¦x-forwarded-proto: javascript¦forwarded: for=;proto=;;`,
    ),
    several(`accept-encoding: gzip;q=0, *;q=0¦accept-charset: utf-16¦accept-language: *`),
    several(`if-match: *¦if-none-match: "x¦range: bytes=9-1`),
    several(`origin: null¦access-control-request-method: DELETE`),
    several(`cookie: =; ;;__proto__=1¦referer: \u00ff`),
    several(`__proto__: x¦constructor: x¦tostring: x`),
    several(`prefer: wait=-1¦max-forwards: -1¦via: ,`),
    numbered(200, ''),
  ]),
);
