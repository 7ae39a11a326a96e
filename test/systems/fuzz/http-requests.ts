import * as fc from 'fast-check';
import { bodyBytesMax } from '../../../api/http/bodies/body-limits.ts';
import { jobBytesMax } from '../../../api/jobs/job-body.ts';
import { errorCatalogue, isErrorCode, type ErrorCode } from '../../../domain/errors.ts';
import { withPart } from '../../api/auth/craft-token.ts';
import type { WalkedRoute } from '../../support/api/walk.ts';
import { list, pick, randomBytes, repeated } from './values.ts';

// Schemathesis sends values that a schema excludes, methods and media types that an operation does
// not have, and calls without a token (`test/systems/contract/`). `order-of-checks.test.ts` sends
// each refused token to every route. These are requests that no schema describes.

/** One operation with a valid token. */
export type Target = WalkedRoute & { readonly token: string };

/** A request as it is sent by HTTP. A header that is null is left out. */
export type HttpRequest = {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | null>>;
  readonly body: string | Buffer | null;
};
/** A request that is malformed by construction, and the codes that may answer it. */
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
const fault = <T>(
  kind: string,
  due: ErrorCode | readonly ErrorCode[],
  values: fc.Arbitrary<T>,
  patch: (value: T) => Partial<HttpRequest>,
): Fault => ({ kind, due: [due].flat(), patch: values.map(patch) });

const asBody = (its: string | Buffer) => ({ body: its });
const asUrl = (its: string) => ({ url: its });
const asToken = (its: string) => ({ headers: { authorization: `Bearer ${its}` } });

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
const noUtf8 = list(`ff¦fe¦80¦c0af¦eda080¦f09080¦f888808080¦00¦01¦0b¦1b¦1f`);
const depths = [1000, 10_000, 100_000];
const oddNames = list(`__proto__¦constructor¦toString¦hasOwnProperty¦x¦¦0¦a/b~c`);
const largeValues = [
  ...depths.map((depth) => '['.repeat(depth) + ']'.repeat(depth)),
  ...depths.map((depth) => `${'{"a":'.repeat(depth)}0${'}'.repeat(depth)}`),
  `[${'0,'.repeat(99_999)}0]`,
];

/** The largest body of a route. */
function bytesMaxOf(path: string): number {
  if (/\/(?:review-)?jobs$/.test(path)) return jobBytesMax;
  if (/\/offers\/stock$|^\/operator\/v1\/orders$/.test(path)) return bodyBytesMax.manyThings;
  return /\/auth\/token$|\/sandbox\/vendors$/.test(path)
    ? bodyBytesMax.logIn
    : bodyBytesMax.oneThing;
}

function bodies({ body, path }: Target): readonly Fault[] {
  if (body === undefined) return [];
  const text = JSON.stringify(body);
  const bytes = Buffer.from(text);
  const open = text === '{}' ? '{' : `${text.slice(0, -1)},`;
  const bytesMax = bytesMaxOf(path);
  const broken = fc.oneof(
    pick(around).map((each) => each.replace('…', () => text)),
    pick(within).map((each) => `${open}${each}}`),
    pick(depths.filter((depth) => depth <= bytesMax)).map((depth) => '['.repeat(depth)),
    fc.integer({ min: 1, max: text.length - 1 }).map((end) => text.slice(0, end)),
  );
  const noText = fc.oneof(
    pick([Buffer.from(text, 'utf16le'), Buffer.from(text, 'utf16le').swap16()]),
    fc
      .tuple(fc.nat(bytes.length), pick(noUtf8))
      .map(([at, hex]) =>
        Buffer.concat([bytes.subarray(0, at), Buffer.from(hex, 'hex'), bytes.subarray(at)]),
      ),
    randomBytes(3000).map((random) => Buffer.concat([Buffer.from([0xff]), random])),
  );
  const room = bytesMax - bytes.length - 100;
  const fitting = largeValues.filter((value) => value.length < room);
  const large = fc
    .tuple(pick(oddNames), pick([...fitting, `"${'x'.repeat(Math.min(room, 1_040_000))}"`]))
    .map(([name, value]) => `${open}${JSON.stringify(name)}:${value}}`);
  return [
    fault('body: broken JSON', 'VALIDATION_ERRORS', broken, asBody),
    fault('body: no UTF-8', 'VALIDATION_ERRORS', noText, asBody),
    fault('body: an unknown field, large or deep', 'VALIDATION_ERRORS', large, asBody),
    fault('body: above the limit', 'PAYLOAD_TOO_LARGE', pick(list(' ¦{¦[¦x')), (one) =>
      asBody(one.repeat(bytesMax + 1)),
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
const noResource: readonly ErrorCode[] = Object.keys(errorCatalogue)
  .filter(isErrorCode)
  .filter((code) => code.startsWith('NOT_FOUND_') && code !== 'NOT_FOUND_ROUTE');
/** `…` is the path that exists. */
const noRoutes = [...list(`…/¦…//¦/…¦…/x/y/z/w¦/%¦…/%¦…/%ff`), `…/${'x/'.repeat(4000)}`];
const noVersions = list(`/v2/¦/v1//¦/./v1/¦%2Fv1/¦\\v1\\¦/v1%00/¦/__proto__/¦/V1/`);

function urls({ url, path, hasId }: Target): readonly Fault[] {
  const others = [
    ...noRoutes.map((each) => each.replace('…', url)),
    ...noVersions.map((version) => url.replace('/v1/', version)),
  ];
  const queries = [...unknownQueries, ...manyQueries].map((query) => `${url}?${query}`);
  const queryCodes = ['VALIDATION_UNKNOWN_QUERY_PARAMETER', 'HEADERS_TOO_LARGE'] as const;
  const ofAll = [
    fault('query: unknown', queryCodes, pick(queries), asUrl),
    fault('path: no route', 'NOT_FOUND_ROUTE', pick(others), asUrl),
  ];
  if (!hasId) return ofAll;
  const positions = path.split('/').flatMap((part, index) => (part.startsWith('{') ? [index] : []));
  const ids = fc
    .tuple(pick(positions), pick(wrongIds))
    .map(([position, id]) => url.split('/').with(position, id).join('/'));
  return [...ofAll, fault('path: no uuid', noResource, ids, asUrl)];
}

const base64 = (text: string): string => Buffer.from(text).toString('base64url');
/** `…` is a valid token. */
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

function headers({ needsToken, token }: Target): readonly Fault[] {
  const large = repeated('y', 16_384, 20_384);
  const ofLarge = fault('headers: above 16 KiB', 'HEADERS_TOO_LARGE', large, (x) => ({
    headers: { x },
  }));
  if (!needsToken) return [ofLarge];
  const ofToken = fault('token: broken', 'UNAUTHORIZED_INVALID_TOKEN', brokenToken(token), asToken);
  return [ofLarge, ofToken];
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

/** Requests with one fault, to all operations alike. */
export const malformedRequests = (targets: readonly Target[]): fc.Arbitrary<MalformedRequest> =>
  fc.oneof(
    ...targets.flatMap((target) =>
      [...bodies(target), ...urls(target), ...headers(target)].map(({ kind, due, patch }) =>
        fc.tuple(patch, pick(oddities)).map(([its, odd]) => {
          const request = wellFormed(target);
          const all = { ...request.headers, ...odd, ...its.headers };
          return { ...request, ...its, headers: all, kind, due };
        }),
      ),
    ),
  );
