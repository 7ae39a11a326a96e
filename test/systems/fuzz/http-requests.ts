import * as fc from 'fast-check';
import { gzipSync } from 'node:zlib';
import { bodyBytesMax } from '../../../api/http/body-parser.ts';
import { jobBytesMax } from '../../../api/jobs/job-body.ts';
import { errorCatalogue, isErrorCode, type ErrorCode } from '../../../domain/errors.ts';
import { withPart } from '../../api/auth/craft-token.ts';
import type { WalkedRoute } from '../../support/api/walk.ts';
import { list, pick, randomBytes, repeated } from './values.ts';

// Schemathesis sends values that a schema excludes, and methods that a path does not have
// (`test/systems/contract/`). These are requests that no schema describes.

/** One operation with a valid token of each side. */
export type Target = WalkedRoute & { readonly token: string; readonly otherToken: string };

/** A request as it is sent by HTTP. A header that is null is left out. */
export type HttpRequest = {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | null>>;
  readonly body: string | Buffer | null;
};
/** A request that is malformed by construction, and the codes one of which must answer it. */
export type MalformedRequest = HttpRequest & {
  readonly kind: string;
  readonly due: readonly ErrorCode[];
};

/** One way to malform a request: what it replaces of a well-formed one. */
type Fault = {
  readonly kind: string;
  readonly due: readonly ErrorCode[];
  readonly patch: fc.Arbitrary<Partial<HttpRequest>>;
};
const fault = (
  kind: string,
  due: ErrorCode | readonly ErrorCode[],
  patch: Fault['patch'],
): Fault => ({ kind, due: [due].flat(), patch });

const wellFormed = ({ method, url, token, needsToken, headers, body }: Target): HttpRequest => ({
  method,
  url,
  headers: {
    ...headers,
    authorization: needsToken ? `Bearer ${token}` : null,
    'content-type': body === undefined ? null : 'application/json',
  },
  body: body === undefined ? null : JSON.stringify(body),
});

/** `…` is the well-formed text, and `within` comes before its last brace. */
const around = list(`…}¦…{}¦…,¦\ufeff\ufeff…¦…\0¦//\n…¦/**/…¦callback(…)¦)]}'\n…`);
const within = list(
  String.raw`,¦"a":¦a:1¦"a" 1¦"a":NaN¦"a":Infinity¦"a":-¦"a":01¦"a":0x10¦"a":1.¦"a":.5¦"a":+1¦
"a":1e¦"a":undefined¦"a":'x'¦"a":"\x41"¦"a":"\u12"¦"a":${'`x`'}¦"a":"${'\t'}"`,
);
const noObject = list(String.raw`null¦5¦-0¦1e400¦true¦"text"¦[]¦[{}]¦[[[]]]¦"\ud800"`);
const noUtf8 = list(`ff¦fe¦80¦c0af¦eda080¦f09080¦f888808080¦00¦01¦0b¦1b¦1f`);
const mediaTypes = [
  ...list(`text/plain¦text/json¦application/jsonp¦application/json-patch+json¦json¦*/*¦/¦;¦
application/x-www-form-urlencoded¦multipart/form-data; boundary=x¦application/json/json¦
application/json, application/json¦application/ json¦__proto__¦text/html; charset=utf-7`),
  `a/${'b'.repeat(4000)}`,
  null,
];
const charsets = list(`utf-16¦utf-7¦latin1¦"utf-8¦${'x'.repeat(300)}¦¦%00¦*=UTF-8`);
const depths = [1000, 10_000, 100_000];
const oddNames = list(`__proto__¦constructor¦toString¦hasOwnProperty¦x¦¦0¦a/b~c`);
const largeValues = [
  ...depths.map((depth) => '['.repeat(depth) + ']'.repeat(depth)),
  ...depths.map((depth) => `${'{"a":'.repeat(depth)}0${'}'.repeat(depth)}`),
  `[${'0,'.repeat(99_999)}0]`,
  `"${'x'.repeat(1_040_000)}"`,
];

function bodies({ body, path }: Target): readonly Fault[] {
  if (body === undefined) return [];
  const text = JSON.stringify(body);
  const bytes = Buffer.from(text);
  const open = text === '{}' ? '{' : `${text.slice(0, -1)},`;
  const bytesMax = /\/(?:review-)?jobs$/.test(path) ? jobBytesMax : bodyBytesMax;
  const invalid = (kind: string, values: fc.Arbitrary<string | Buffer>) =>
    fault(
      kind,
      'VALIDATION_ERRORS',
      values.map((each) => ({ body: each })),
    );
  const compressed = (coding: string) => ({
    body: gzipSync(bytes, { level: 1 }),
    headers: { 'content-encoding': coding },
  });
  return [
    invalid(
      'body: broken JSON',
      fc.oneof(
        pick(around).map((each) => each.replace('…', () => text)),
        pick(within).map((each) => `${open}${each}}`),
        fc.integer({ min: 1, max: text.length - 1 }).map((end) => text.slice(0, end)),
      ),
    ),
    invalid('body: no object', pick([...noObject, ...depths.map((depth) => '['.repeat(depth))])),
    invalid(
      'body: no UTF-8',
      fc.oneof(
        pick([Buffer.from(text, 'utf16le'), Buffer.from(text, 'utf16le').swap16()]),
        fc
          .tuple(fc.nat(bytes.length), pick(noUtf8))
          .map(([at, hex]) =>
            Buffer.concat([bytes.subarray(0, at), Buffer.from(hex, 'hex'), bytes.subarray(at)]),
          ),
        randomBytes(3000).map((random) => Buffer.concat([Buffer.from([0xff]), random])),
      ),
    ),
    invalid(
      'body: an unknown field, large or deep',
      fc
        .tuple(pick(oddNames), pick(largeValues))
        .map(([name, value]) => `${open}${JSON.stringify(name)}:${value}}`),
    ),
    fault(
      'body: above the limit',
      'PAYLOAD_TOO_LARGE',
      pick([' ', '{', '[', 'x']).map((one) => ({ body: one.repeat(bytesMax + 1) })),
    ),
    fault(
      'body: compressed',
      'UNSUPPORTED_MEDIA_TYPE',
      pick(list(`gzip¦x-gzip¦br¦deflate¦gzip, gzip`)).map(compressed),
    ),
    fault(
      'body: odd charset, broken',
      ['VALIDATION_ERRORS', 'UNSUPPORTED_MEDIA_TYPE'],
      pick(charsets).map((charset) => ({
        body: `${text}}`,
        headers: { 'content-type': `application/json; charset=${charset}` },
      })),
    ),
    fault(
      'body: wrong media type',
      'UNSUPPORTED_MEDIA_TYPE',
      pick(mediaTypes).map((type) => ({ headers: { 'content-type': type } })),
    ),
  ];
}

const unknownQueries =
  list(`__proto__¦constructor=1¦toString¦x=%¦Page¦page%20=1¦page[]=1¦page[0]=1¦%¦%zz¦%00¦%ff=a=b¦
%ED%A0%80¦%F0%9F%9C%81¦a.b¦constructor[prototype][x]¦%2520¦'¦<s>¦=¦=1¦+¦#page=1`);
const manyQueries = [100, 1000, 10_000].map((count) =>
  Array.from({ length: count }, (_, index) => `x${index}`).join('&'),
);
const uuid = '01890000-0000-7000-8000-000000000000';
const wrongIds = [
  ...list(`x¦0¦-¦null¦undefined¦NaN¦1e3¦%00¦${uuid}%00¦${uuid}%0A¦%20${uuid}¦%7B${uuid}%7D¦${uuid}0¦
urn:uuid:${uuid}¦01890000000070008000000000000000¦1890000-0000-7000-8000-000000000000¦%2F¦..%2F..¦
..¦.¦%2e%2e¦%2525¦%253${uuid}¦%F0%9F%9C%81¦%D9%A0¦__proto__¦constructor¦*¦:id¦{id}¦'--¦;x=1¦~¦!$&()¦
%5C¦%3Fpage=1¦%23¦\\..\\`),
  'a'.repeat(300),
  'a'.repeat(12_000),
];
const undecodable = ['', ...list(`%¦%zz¦%ff¦%ED%A0%80¦%C0%AF¦%E0%A4%A¦a%`)];
const noResource: readonly ErrorCode[] = Object.keys(errorCatalogue)
  .filter(isErrorCode)
  .filter((code) => code.startsWith('NOT_FOUND_') && code !== 'NOT_FOUND_ROUTE');
/** `…` is the path that exists. */
const noRoutes = [...list(`…/¦…//¦/…¦…/x/y/z/w¦/%`), `…/${'x/'.repeat(4000)}`];
const noVersions = list(`/v2/¦/v1//¦/./v1/¦%2Fv1/¦\\v1\\¦/v1%00/¦/__proto__/¦/V1/`);

function urls({ url, path, hasId }: Target): readonly Fault[] {
  const positions = path.split('/').flatMap((part, index) => (part.startsWith('{') ? [index] : []));
  const withId = (kind: string, due: Fault['due'], ids: readonly string[]) =>
    fault(
      kind,
      due,
      fc
        .tuple(pick(positions), pick(ids))
        .map(([position, id]) => ({ url: url.split('/').with(position, id).join('/') })),
    );
  return [
    fault(
      'query: unknown',
      ['VALIDATION_UNKNOWN_QUERY_PARAMETER', 'HEADERS_TOO_LARGE'],
      pick([...unknownQueries, ...manyQueries]).map((query) => ({ url: `${url}?${query}` })),
    ),
    fault(
      'path: no route',
      'NOT_FOUND_ROUTE',
      pick([
        ...noRoutes.map((each) => each.replace('…', url)),
        ...noVersions.map((version) => url.replace('/v1/', version)),
      ]).map((other) => ({ url: other })),
    ),
    ...(hasId
      ? [
          withId('path: no uuid', noResource, wrongIds),
          withId('path: no text', ['NOT_FOUND_ROUTE'], undecodable),
        ]
      : []),
  ];
}

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
const brokenToken = (token: string): fc.Arbitrary<string> =>
  fc.oneof(
    pick(noTokens).map((each) => each.replaceAll('…', token)),
    pick(wrongHeads).map((head) => withPart(token, 0, base64(head))),
    pick(['null', '{"aud":"operator-api"}']).map((claims) => withPart(token, 1, base64(claims))),
    fc.integer({ min: 1, max: token.length - 1 }).map((end) => token.slice(0, end)),
    randomBytes(3000).map((bytes) => withPart(token, 1, `x${bytes.toString('base64url')}`)),
  );

const authorized = (values: fc.Arbitrary<string | null>): Fault['patch'] =>
  values.map((authorization) => ({ headers: { authorization } }));
const bearer = (values: fc.Arbitrary<string>) => authorized(values.map((each) => `Bearer ${each}`));

function headers({ needsToken, token, otherToken, headers: required }: Target): readonly Fault[] {
  const names = Object.keys(required);
  const wrongValues = [
    null,
    ...list(`¦x¦production¦__proto__¦\u00ff`),
    ['Production', 'Production'],
  ];
  return [
    fault(
      'headers: above 16 KiB',
      'HEADERS_TOO_LARGE',
      repeated('y', 16_384, 20_384).map((x) => ({ headers: { x } })),
    ),
    ...(needsToken
      ? [
          fault(
            'token: none',
            'UNAUTHORIZED_MISSING_TOKEN',
            authorized(pick(noBearer).map((text) => text?.replace('…', token) ?? null)),
          ),
          fault('token: broken', 'UNAUTHORIZED_INVALID_TOKEN', bearer(brokenToken(token))),
          fault("token: the other side's", 'FORBIDDEN', bearer(pick([otherToken]))),
        ]
      : []),
    ...(names.length > 0
      ? [
          fault(
            'headers: a wrong value, or none',
            'VALIDATION_ERRORS',
            pick(wrongValues).map((value) => ({
              headers: Object.fromEntries(names.map((name) => [name, value])),
            })),
          ),
        ]
      : []),
  ];
}

/** Headers that do not decide how a request is answered. */
const oddities: readonly HttpRequest['headers'][] = [
  {},
  ...list(`¦ ¦a b¦../../x¦{"a":1}¦\u00e9¦<script>¦mine-1`).map((id) => ({ 'x-request-id': id })),
  { 'x-request-id': 'x'.repeat(129) },
  { 'x-http-method-override': 'DELETE', 'x-forwarded-for': '127.0.0.1, , ::1' },
  { forwarded: 'for=;proto=;;', 'x-forwarded-host': 'evil.example', prefer: 'wait=-1' },
  { 'accept-encoding': 'gzip;q=0, *;q=0', accept: 'image/*;q=x', range: 'bytes=9-1' },
  { origin: 'null', 'access-control-request-method': 'DELETE', cookie: '=; ;;__proto__=1' },
];

const faultsOf = (target: Target): readonly Fault[] => [
  ...bodies(target),
  ...urls(target),
  ...headers(target),
];

/** Requests with one fault, to all operations alike. */
export const malformedRequests = (targets: readonly Target[]): fc.Arbitrary<MalformedRequest> =>
  fc.oneof(
    ...targets.flatMap((target) =>
      faultsOf(target).map(({ kind, due, patch }) =>
        fc.tuple(patch, pick(oddities)).map(([its, odd]) => {
          const request = wellFormed(target);
          const all = { ...request.headers, ...odd, ...its.headers };
          return { ...request, ...its, headers: all, kind, due };
        }),
      ),
    ),
  );

/** Well-formed reads of every kind, for comparison. They change no row. */
export const wellFormedReads = (targets: readonly Target[]): fc.Arbitrary<HttpRequest> =>
  pick(targets.filter(({ method }) => method === 'GET').map(wellFormed));
