import * as fc from 'fast-check';
import type { ErrorCode } from '../../../domain/errors.ts';
import { list, pick, randomBytes, repeated } from './values.ts';

/** What no HTTP client sends: the bytes of one connection. */
export type RawRequest = {
  readonly kind: string;
  /** Sent one after another. */
  readonly parts: readonly Buffer[];
  /** After the last byte: wait for the server to close, end our side, or drop the connection. */
  readonly end: 'wait' | 'finish' | 'cut';
  /** How many responses there may be, without the one to `follower`. */
  readonly responses: readonly [min: number, max: number];
  readonly due: readonly ErrorCode[];
  /** The id of a well-formed request at the beginning, which must be answered first. */
  readonly firstId?: string;
};

/** The id of a well-formed request behind the malformed one. It closes the connection. */
export const followerId = 'the-follower';
/** The id of a request that only a reader of the wrong length sees. It must not be answered. */
export const smuggledId = 'smuggled';
const firstId = 'the-first';

const lines = (...all: readonly string[]): string => all.join('\r\n');
const head = (...all: readonly string[]): string => `${lines(...all)}\r\n\r\n`;
const nope = lines('GET /api/v1/nope HTTP/1.1', 'host: a');
const follower = head(nope, `x-request-id: ${followerId}`, 'connection: close');
const smuggled = head(nope, `x-request-id: ${smuggledId}`);

const requestLines = [
  ...list(`GET¦GET ¦GET / HTTP¦GET / HTTP/¦GET / HTTP/1¦GET / HTTP/1.¦GET / HTTP/9.9¦
GET / HTTP/1.1 x¦GET / HTTP/1.1.1¦GET / http/1.1¦GET / HTTP /1.1¦GET / HTTP/01.1¦GET / HTTP/-1.1¦
GET  HTTP/1.1¦ GET / HTTP/1.1¦\tGET / HTTP/1.1¦get / HTTP/1.1¦Get / HTTP/1.1¦FOO / HTTP/1.1¦
G\0T / HTTP/1.1¦GET /\0 HTTP/1.1¦GET /\u0001 HTTP/1.1¦GET /a b HTTP/1.1¦GET\t/ HTTP/1.1¦
GET/ HTTP/1.1¦{"json":true}¦(){} / HTTP/1.1¦\u00ff / HTTP/1.1¦<xml/>¦HELO x¦SSH-2.0-x¦
HTTP/1.1 200 OK¦\0\0\0\0¦GET api/v1 HTTP/1.1¦GETGET / HTTP/1.1`),
  `${'A'.repeat(3000)} / HTTP/1.1`,
];
const headerLines =
  list(`no-colon¦: no-name¦a b: c¦a\0: b¦a: b\0c¦a : b¦\u00e9: b¦a: b\rc: d¦(a): b¦
a\tb: c¦"a": b¦a: \u0001¦a: \u007f¦{"a":1}¦@: b¦ leading: x`);
const oldRequests = list(`GET /api/v1/nope¦GET /¦GET / \r\nhost: a¦GET /\r\nhost: a`);
const oddTargets = list(`*¦http://[::1/x¦http://¦a:80¦?¦#¦//¦/\u00ff%¦javascript:1¦\\`);
const upgrades = list(`CONNECT a:80 HTTP/1.1\r\nhost: a\r\nconnection: close¦
${nope}\r\nconnection: upgrade, close\r\nupgrade: websocket¦
${nope}\r\nconnection: upgrade, http2-settings, close\r\nupgrade: h2c\r\nhttp2-settings: x¦
QUERY /api/v1/nope HTTP/1.1\r\nhost: a\r\nconnection: close`);
const wrongLengths = list(`abc¦-1¦+5¦5 5¦5,5¦5, 6¦0x10¦1e3¦5.0¦99999999999999999999¦¦NaN¦٥¦5;q=1`);
const wrongChunks = list(`zz\r\n{}\r\n0\r\n\r\n¦-1\r\n{}\r\n0\r\n\r\n¦0x2\r\n{}\r\n0\r\n\r\n¦
 2\r\n{}\r\n0\r\n\r\n¦2 2\r\n{}\r\n0\r\n\r\n¦FFFFFFFFFFFFFFFFFF\r\n{}¦2\r\n{}x\r\n0\r\n\r\n¦
2\r\n{}0\r\n\r\n¦2\r\n{}\r\n\r\n¦\r\n¦;\r\n¦2;\0\r\n{}\r\n0\r\n\r\n¦1\r\n{}\r\n0\r\n\r\n¦
2\r\n{}\r\n0\r\nno trailer\r\n\r\n¦2\r\n{}\r\n0\r\na\0: b\r\n\r\n¦\u00b2\r\n{}\r\n0\r\n\r\n`);
/**
 * Headers that contradict each other on where the body ends.
 * `L` is `content-length`, `T` is `transfer-encoding`.
 */
const twoLengths =
  list(`L: 5\r\nT: chunked¦T: chunked\r\nL: 5¦L: 5\r\nT: identity¦L: 5\r\nT : chunked¦
L: 5\r\nT: xchunked¦L: 5\r\nT:\tchunked¦L: 5\r\nT: \u000bchunked¦L: 5\r\nT\t: chunked¦
L: 5\r\nx: x\nT: chunked¦L: 5\r\nT: chunked, identity¦L: 5\r\nT: "chunked"¦T: chunked\r\nT: cow¦
T: cow\r\nT: cow¦T: cow¦T:¦T: identity¦T: gzip, chunked¦T: cow\r\nT: chunked¦T: chunked, cow¦
T: chunked\0¦L: 5\r\nL: 6¦L: 6\r\nL: 5¦L: 5\u00a0¦L : 5`).map((text) =>
    text.replaceAll(/^L/gm, 'content-length').replaceAll(/^T/gm, 'transfer-encoding'),
  );
/** Line ends that are folded or bare, in and behind headers. */
const wrongEnds =
  list(`\r\nx: a\r\n b\r\n\r\n¦\r\nx: a\r\n\tb\r\n\r\n¦\r\nT:\r\n chunked\r\n\r\n¦\r\n\r{}¦
\r\r¦\n\r\n\r`);

type About = Partial<Omit<RawRequest, 'kind' | 'parts'>>;

/**
 * One response, VALIDATION_ERRORS, and the end of the connection, unless `about` says otherwise.
 */
function raw(
  kind: string,
  bytes: fc.Arbitrary<string | Buffer>,
  about: About = {},
): fc.Arbitrary<RawRequest> {
  // Three in ten are sent in two parts.
  const cuts = fc.oneof(
    { weight: 7, arbitrary: fc.constant(0) },
    { weight: 3, arbitrary: fc.nat() },
  );
  return fc.tuple(bytes, cuts).map(([given, cut]) => {
    const whole = typeof given === 'string' ? Buffer.from(given, 'latin1') : given;
    const at = cut % whole.length;
    const request = {
      kind: `wire: ${kind}`,
      parts: [whole.subarray(0, at), whole.subarray(at)].filter((part) => part.length > 0),
      end: 'wait' as const,
      responses: [1, 1] as const,
      due: ['VALIDATION_ERRORS' as const],
      ...about,
    };
    const shown = `${request.kind}: ${JSON.stringify(whole.toString('latin1').slice(0, 300))}`;
    return Object.assign(request, { [fc.toStringMethod]: () => shown });
  });
}

const behind = (start: fc.Arbitrary<string>, maxLength: number): fc.Arbitrary<Buffer> =>
  fc
    .tuple(start, randomBytes(maxLength))
    .map(([first, bytes]) => Buffer.concat([Buffer.from(first, 'latin1'), bytes]));
const tls = Buffer.from('16030100a5010000a10303', 'hex').toString('latin1');
const noRoute: About = { due: ['VALIDATION_ERRORS', 'NOT_FOUND_ROUTE'] };
const long = repeated('y', 17_000, 20_000);
const largeHeads = fc.oneof(
  long.map((text) => head(nope, `x: ${text}`)),
  long.map((text) => head(`GET /${text} HTTP/1.1`)),
  long.map((text) => head(nope, `${text}: x`)),
  // These headers do not end.
  long.map((text) => `${nope}\r\nx: ${text}${text}`),
  fc.constant(head(nope, ...Array.from({ length: 1500 }, () => 'x-header: value-value'))),
);
const oddTarget = fc
  .tuple(pick(['GET', 'OPTIONS', 'POST', 'DELETE']), pick(oddTargets))
  .map(([method, target]) => head(`${method} ${target} HTTP/1.1`, 'host: a', 'connection: close'));

/** Request lines and headers that are no HTTP. */
const heads: readonly fc.Arbitrary<RawRequest>[] = [
  raw(
    'request line',
    pick(requestLines).map((line) => head(line, 'host: a') + follower),
  ),
  raw('HTTP/0.9', pick(oldRequests.map((line) => head(line))), noRoute),
  raw('HTTP/2', fc.constant('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\u0004\0\0\0\0\0')),
  raw('TLS', behind(fc.constant(tls), 200)),
  raw('random bytes', behind(pick(list('\0¦\u0001¦\u001f¦\u007f¦\u0080¦\u00c3¦\u00ff')), 5000)),
  raw(
    'header line',
    pick(headerLines).map((line) => head(nope, line, 'b: c') + follower),
  ),
  raw('headers above 16 KiB', largeHeads, { due: ['HEADERS_TOO_LARGE'] }),
  raw('odd target', oddTarget, noRoute),
  raw(
    'CONNECT and upgrades',
    pick(upgrades).map((request) => head(request)),
    noRoute,
  ),
];

const toNoRoute = lines('POST /api/v1/nope HTTP/1.1', 'host: a');
const withoutToken = lines('POST /api/v1/scent/offers HTTP/1.1', 'host: a');
const withToken = (token: string): string =>
  lines(withoutToken, 'content-type: application/json', `authorization: Bearer ${token}`);

const length = (value: number | string): string => `content-length: ${value}`;

/** Lengths and chunks that are wrong or contradict each other, and requests that break off. */
function framing(token: string): readonly fc.Arbitrary<RawRequest>[] {
  const begin = pick([withToken(token), toNoRoute, withoutToken]);
  const each = (items: readonly string[], request: (begin: string, item: string) => string) =>
    fc.tuple(begin, pick(items)).map((parts) => request(...parts) + smuggled + follower);
  // The server may refuse the route or the token before it finds the end of the body.
  const first: readonly ErrorCode[] = ['NOT_FOUND_ROUTE', 'UNAUTHORIZED_MISSING_TOKEN'];
  const due: readonly ErrorCode[] = ['VALIDATION_ERRORS', ...first];
  const tooLong = fc
    .tuple(begin, fc.integer({ min: 100, max: 1100 }))
    .map(([start, count]) => `${head(start, length(count))}{"a":1}`);
  const offer = 'GET /api/v1/scent/offers?x=1 HTTP/1.1';
  const good = [
    head(nope, `x-request-id: ${firstId}`),
    head(offer, 'host: a', `x-request-id: ${firstId}`, `authorization: Bearer ${token}`),
  ].map((request) => `${request}\0`);
  const half = begin.chain((start) =>
    fc.integer({ min: 1, max: start.length }).map((end) => start.slice(0, end)),
  );
  const large = fc.constantFrom(2 ** 20 + 1, 2 ** 40, 2 ** 53);
  return [
    raw(
      'no length',
      each(wrongLengths, (start, text) => `${head(start, length(text))}{"a":1}`),
    ),
    raw(
      'two lengths of one body',
      each(twoLengths, (start, two) => `${head(start, two)}0\r\n\r\n`),
    ),
    raw(
      'folded or bare lines',
      each(wrongEnds, (start, end) => `${start}\r\n${length(2)}${end}{}`),
    ),
    raw(
      'broken chunks',
      each(wrongChunks, (start, chunks) => head(start, 'transfer-encoding: chunked') + chunks),
      { due },
    ),
    // What is left of the body is a second request, and no HTTP.
    raw(
      'length too small',
      begin.map((start) => `${head(start, length(3))}{"a":1}\0${follower}`),
      { responses: [1, 2], due: [...due, 'UNSUPPORTED_MEDIA_TYPE'] },
    ),
    raw('length too large, then the end', tooLong, { end: 'finish', responses: [0, 1], due }),
    raw(
      'length above 1 MiB',
      large.map((count) => `${head(withToken(token), length(count))}{`),
      { due: ['PAYLOAD_TOO_LARGE'] },
    ),
    raw('garbage behind a request', behind(pick(good), 300), {
      responses: [1, 2],
      due: ['VALIDATION_ERRORS', 'NOT_FOUND_ROUTE', 'VALIDATION_UNKNOWN_QUERY_PARAMETER'],
      firstId,
    }),
    raw('half a request, then the end', half, { end: 'finish', responses: [0, 1] }),
    raw('half a request, then gone', half, { end: 'cut', responses: [0, 1] }),
  ];
}

/** Connections of every kind alike. */
export const rawRequests = (token: string): fc.Arbitrary<RawRequest> =>
  fc.oneof(...heads, ...framing(token));
