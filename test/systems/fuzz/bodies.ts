import * as fc from 'fast-check';
import { gzipSync } from 'node:zlib';
import { bodyBytesMax } from '../../../api/http/body-parser.ts';
import { jobBytesMax } from '../../../api/jobs/job-body.ts';
import {
  anyText,
  fault,
  heavy,
  invalidBody,
  list,
  pick,
  randomBytes,
  repeated,
  type Fault,
} from './fault.ts';
import type { Target } from './targets.ts';

/**
 * Bodies that are no JSON object, are sent as something else, or are large or deep. Schemathesis
 * sends objects that their schema excludes (`test/systems/contract/`).
 */

/** `…` is the well-formed text, and `within` comes before its last brace. */
const around = list(`…}¦…{}¦…,¦\ufeff\ufeff…¦…\0¦//\n…¦/**/…¦callback(…)¦)]}'\n…`);
const within = list(
  String.raw`,¦"a":¦a:1¦"a" 1¦"a":NaN¦"a":Infinity¦"a":-¦"a":01¦"a":0x10¦"a":1.¦"a":.5¦"a":+1¦
"a":1e¦"a":undefined¦"a":'x'¦"a":"\x41"¦"a":"\u12"¦"a":${'`x`'}¦"a":"${'\t'}"`,
);
const noObject = list(String.raw`null¦5¦-0¦1e400¦true¦"text"¦[]¦[{}]¦[[[]]]¦"\ud800"`);
const noUtf8 = list(`ff¦fe¦80¦c0af¦eda080¦f09080¦f888808080¦00¦01¦0b¦1b¦1f`);
const mediaTypes = [
  ...list(`text/plain¦text/json¦application/x-json¦application/jsonp¦application/json-patch+json¦
json¦*/*¦application/x-www-form-urlencoded¦multipart/form-data; boundary=x¦multipart/form-data¦/¦;¦
application/xml¦application/json, application/json¦application/json/json¦application/¦image/png¦
application/ json¦__proto__¦constructor¦application/octet-stream¦text/html; charset=utf-7`),
  `a/${'b'.repeat(4000)}`,
  null,
];
const charsets = list(
  `utf-16¦utf-7¦latin1¦"utf-8¦${'x'.repeat(300)}¦¦utf-8; charset=utf-16¦%00¦*=UTF-8`,
);
const codings = list(`gzip¦x-gzip¦br¦deflate¦gzip, gzip`);

const deep = fc
  .tuple(fc.constantFrom(100, 1000, 10_000, 100_000), fc.boolean())
  .map(([depth, isList]) =>
    isList
      ? '['.repeat(depth) + ']'.repeat(depth)
      : `${'{"a":'.repeat(depth)}0${'}'.repeat(depth)}`,
  );
const longList = pick(['0', '""', '{}', '[]', 'null']).map(
  (item) => `[${`${item},`.repeat(99_999)}${item}]`,
);
const nearlyMebibyte = repeated('x', 1_000_000, 1_048_000).map((text) => `"${text}"`);
const oddNames = list(`__proto__¦constructor¦toString¦hasOwnProperty¦prototype¦x¦¦0¦a/b~c`);

export function bodies({ body, path }: Target): readonly Fault[] {
  if (body === null) return [];
  const text = JSON.stringify(body.sample);
  const bytes = Buffer.from(text);
  const utf16 = Buffer.from(text, 'utf16le');
  const comma = text === '{}' ? '' : ',';
  const encodings = [
    utf16,
    Buffer.from(`\ufeff${text}`, 'utf16le'),
    Buffer.from(utf16).swap16(),
    // UTF-32, the braces of EBCDIC, and Latin-1.
    Buffer.concat(Array.from(bytes, (byte) => Buffer.from([0, 0, 0, byte]))),
    Buffer.from('c0d0', 'hex'),
    Buffer.from(`{"é":1${comma}${text.slice(1)}`, 'latin1'),
  ];
  const broken = fc.oneof(
    pick(around).map((each) => each.replace('…', () => text)),
    pick(within).map((each) => `${text.slice(0, -1)}${comma}${each}}`),
    anyText.map((each) => text + each),
  );
  const levels = fc
    .tuple(fc.constantFrom(1000, 10_000, 100_000, 500_000), fc.constantFrom('', ']'))
    .map(([depth, close]) => '['.repeat(depth) + close.repeat(depth));
  const withBytes = fc
    .tuple(fc.nat(bytes.length), pick(noUtf8))
    .map(([at, hex]) =>
      Buffer.concat([bytes.subarray(0, at), Buffer.from(hex, 'hex'), bytes.subarray(at)]),
    );
  const bytesMax = /\/(?:review-)?jobs$/.test(path) ? jobBytesMax : bodyBytesMax;
  const tooLarge = pick([' ', '{', '[', 'x'])
    .chain((one) => repeated(one, bytesMax + 1, bytesMax + 200_000))
    .map((large) => ({ body: large }));
  const compressedAs = (coding: string) => ({
    body: gzipSync(bytes, { level: 1 }),
    headers: { 'content-encoding': coding },
  });
  const oddCharset = pick(charsets).map((charset) => ({
    body: `${text}}`,
    headers: { 'content-type': `application/json; charset=${charset}` },
  }));
  const mediaType = pick(mediaTypes).map((type) => ({ headers: { 'content-type': type } }));
  const withField = (kind: string, value: fc.Arbitrary<string>): Fault =>
    invalidBody(
      `body: a field of ${kind}`,
      fc
        .tuple(pick(oddNames), value)
        .map(([name, its]) => `${text.slice(0, -1)}${comma}${JSON.stringify(name)}:${its}}`),
      heavy,
    );
  const { required } = body.schema;
  const isOptional = !Array.isArray(required) || required.length === 0;
  return [
    withField('100 to 100,000 levels', deep),
    withField('100,000 items', longList),
    withField('nearly 1 MiB', nearlyMebibyte),
    invalidBody('body: broken JSON', broken),
    invalidBody(
      'body: cut short',
      fc.integer({ min: 1, max: text.length - 1 }).map((end) => text.slice(0, end)),
    ),
    invalidBody('body: no object', pick(noObject)),
    invalidBody('body: up to 500,000 levels', levels, heavy),
    invalidBody('body: another encoding', pick(encodings)),
    invalidBody('body: bytes that are no text', withBytes),
    invalidBody(
      'body: random bytes',
      randomBytes(3000).map((random) => Buffer.concat([Buffer.from([0xff]), random])),
    ),
    ...(isOptional ? [] : [invalidBody('body: none', pick([null, ' ', '\r\n\t', '{}']))]),
    fault('body: above the limit', 'PAYLOAD_TOO_LARGE', tooLarge, heavy),
    fault('body: compressed', 'UNSUPPORTED_MEDIA_TYPE', pick(codings).map(compressedAs)),
    fault(
      'body: compressed as identity',
      'VALIDATION_ERRORS',
      fc.constant(compressedAs('identity')),
    ),
    fault('body: odd charset, broken', ['VALIDATION_ERRORS', 'UNSUPPORTED_MEDIA_TYPE'], oddCharset),
    fault('body: wrong media type', 'UNSUPPORTED_MEDIA_TYPE', mediaType),
  ];
}
