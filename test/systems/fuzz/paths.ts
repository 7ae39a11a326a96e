import * as fc from 'fast-check';
import { errorCatalogue, isErrorCode, type ErrorCode } from '../../../domain/errors.ts';
import { anyText, fault, list, pick, repeated, type Fault } from './fault.ts';
import { listIn, notAmong, numberIn, type Schema } from './fields.ts';
import type { Target } from './targets.ts';

/** Wrong queries, paths and methods. */

const encoded = anyText.map(encodeURIComponent);
const uuid = '01890000-0000-7000-8000-000000000000';

function queryCodes(name: string): readonly ErrorCode[] {
  if (name === 'page') return ['VALIDATION_INVALID_PAGE'];
  if (name === 'pageSize') return ['VALIDATION_INVALID_PAGE_SIZE'];
  if (/^(awaiting(From|To)|from|to|before|changedSince)$/.test(name))
    return ['VALIDATION_INVALID_DATE'];
  const other = 'VALIDATION_INVALID_QUERY_PARAMETER';
  return name === 'include' ? ['VALIDATION_UNKNOWN_INCLUDE', other] : [other];
}

const unknownNames =
  list(`__proto__¦constructor¦toString¦hasOwnProperty¦x¦Page¦page%20¦page[]¦page[0]¦
%¦%zz¦%00¦%ff¦%ED%A0%80¦%F0%9F%9C%81¦a.b¦__proto__[x]¦constructor[prototype][x]¦%2520¦'¦<s>¦=¦=1¦+¦
#¦#page=1`);
const unknownValues = [...list(`=1¦=¦==¦=%¦=%00¦=a=b`), `=${'x'.repeat(3000)}`];
const wrongValues = [
  ...list(`¦0¦-1¦1.5¦1e3¦0x1¦%¦%zz¦%00¦%ff¦%ED%A0%80¦NaN¦null¦undefined¦[]¦{}¦+1¦%201¦1%20¦%D9%A1¦
constructor¦__proto__¦true,false¦history,x¦,¦2026-02-30T00:00:00Z¦2026-01-01¦2026-01-01T25:00:00Z¦
0000-00-00T00:00:00Z¦%2525¦'%20or%201=1--`),
  '9'.repeat(400),
];
const many = fc
  .tuple(fc.constantFrom(100, 1000, 3000, 10_000), fc.boolean())
  .map(([count, isSame]) => ({
    query: Array.from({ length: count }, (_, index) => (isSame ? 'x=1' : `x${index}`)),
  }));

const one = (value: string): readonly string[] => [value];

function parameterFaults([name, schema]: readonly [string, Schema]): readonly Fault[] {
  const faultOf = (kind: string, values: fc.Arbitrary<readonly string[]>): Fault =>
    fault(
      `query: ${kind}`,
      queryCodes(name),
      values.map((given) => ({ query: given.map((value) => `${name}=${value}`) })),
    );
  const sound = { page: '1', pageSize: '20' }[name] ?? 'x';
  const isNumber = schema['type'] === 'integer';
  const other = (isNumber ? anyText : notAmong(listIn(schema, 'enum')))
    .filter((text) => !isNumber || !/^\d+$/.test(text))
    .map(encodeURIComponent);
  const takesZero = isNumber && numberIn(schema, 'minimum', 0) <= 0;
  const wrong = wrongValues.filter((value) => !(takesZero && value === '0'));
  const excess = numberIn(schema, 'maxLength', 0) + 1;
  const wrongTexts = ['%00', 'a%00b', 'x'.repeat(excess), '%F0%9F%9C%81'.repeat(excess)];
  return [
    ...(isNumber || 'enum' in schema || 'format' in schema
      ? [faultOf('wrong value', fc.oneof(pick(wrong), other).map(one))]
      : []),
    ...('maxLength' in schema ? [faultOf('wrong text', pick(wrongTexts).map(one))] : []),
    faultOf(
      'given twice',
      fc.integer({ min: 2, max: 4 }).map((count) => Array.from({ length: count }, () => sound)),
    ),
  ];
}

export function queries({ query }: Target): readonly Fault[] {
  const unknown = 'VALIDATION_UNKNOWN_QUERY_PARAMETER';
  const otherName = encoded.filter((name) => !Object.hasOwn(query, name));
  const unknownPair = fc
    .tuple(fc.oneof(pick(unknownNames), otherName), pick(unknownValues))
    .map((parts) => ({ query: [parts.join('')] }));
  return [
    fault('query: unknown', unknown, unknownPair),
    fault('query: 100 to 10,000 parameters', [unknown, 'HEADERS_TOO_LARGE'], many),
    ...Object.entries(query).flatMap(parameterFaults),
  ];
}

const wrongIds = [
  ...list(`x¦0¦-¦null¦undefined¦NaN¦1e3¦%00¦${uuid}%00¦${uuid}%0A¦%20${uuid}¦%7B${uuid}%7D¦${uuid}0¦
urn:uuid:${uuid}¦01890000000070008000000000000000¦1890000-0000-7000-8000-000000000000¦%2F¦..%2F..¦
..¦.¦%2e%2e¦%2525¦%253${uuid}¦%F0%9F%9C%81¦%D9%A0¦__proto__¦constructor¦*¦:id¦{id}¦'--¦;x=1¦~¦!$&()¦
%5C¦%3Fpage=1¦%23¦\\..\\`),
  'a'.repeat(300),
  'a'.repeat(12_000),
  '%41'.repeat(3000),
];
const undecodable = list(`%¦%zz¦%ff¦%ED%A0%80¦%C0%AF¦%E0%A4%A¦a%`);
const noResource: readonly ErrorCode[] = Object.keys(errorCatalogue)
  .filter(isErrorCode)
  .filter((code) => code.startsWith('NOT_FOUND_') && code !== 'NOT_FOUND_ROUTE');
/** `…` is the path that exists. */
const noRoutes = [...list(`…/¦…//¦/…¦…/x/y/z/w¦/%`), `…/${'x/'.repeat(4000)}`];
const noVersions = list(`/v2/¦/v1//¦/./v1/¦%2Fv1/¦\\v1\\¦/v1%00/¦/v1/../v1/¦/__proto__/¦/V1/`);

export function paths({ url, path, hasId }: Target): readonly Fault[] {
  const noRoute = fc
    .oneof(
      pick(noRoutes).map((each) => each.replace('…', url)),
      pick(noVersions).map((version) => url.replace('/v1/', version)),
    )
    // The operations without a version have no such path.
    .map((other) => ({ path: other === url ? `${url}/` : other }));
  const positions = path.split('/').flatMap((part, index) => (part.startsWith('{') ? [index] : []));
  const inId = (
    kind: string,
    due: ErrorCode | readonly ErrorCode[],
    ids: fc.Arbitrary<string>,
  ): readonly Fault[] => {
    if (!hasId) return [];
    const patch = fc
      .tuple(pick(positions), ids)
      .map(([position, id]) => ({ path: url.split('/').with(position, id).join('/') }));
    return [fault(`path: ${kind}`, due, patch)];
  };
  return [
    fault('path: no route', 'NOT_FOUND_ROUTE', noRoute),
    ...inId('no uuid', noResource, fc.oneof(pick(wrongIds), encoded)),
    ...inId('not to be decoded', 'NOT_FOUND_ROUTE', pick(undecodable)),
    ...inId('empty id', 'NOT_FOUND_ROUTE', fc.constant('')),
    ...inId('above 16 KiB', 'HEADERS_TOO_LARGE', repeated('a', 16_384, 21_000)),
  ];
}

const allMethods = list(`HEAD¦OPTIONS¦TRACE¦PUT¦PATCH¦DELETE¦POST¦GET¦PROPFIND¦MKCOL¦LOCK¦SEARCH¦
PURGE¦REPORT¦M-SEARCH¦LINK¦SUBSCRIBE¦COPY¦BIND¦ACL¦REBIND`);
const templateOf = (path: string): string => path.replaceAll(/\{\w+\}/g, '{}');

export function methods({ path, method }: Target, targets: readonly Target[]): readonly Fault[] {
  const own = targets.filter((target) => templateOf(target.path) === templateOf(path));
  const known = own.flatMap((target) =>
    target.method === 'GET' ? ['GET', 'HEAD'] : [target.method],
  );
  const patch = fc
    .tuple(pick(allMethods.filter((other) => !known.includes(other))), fc.boolean())
    .map(([other, hasBody]) => ({
      method: other,
      headers: { 'x-http-method-override': method },
      ...(other === 'HEAD' || !hasBody ? { body: null } : {}),
    }));
  return [fault('method: not of this path', 'NOT_FOUND_ROUTE', patch)];
}
