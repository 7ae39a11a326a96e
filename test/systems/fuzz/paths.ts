import * as fc from 'fast-check';
import { errorCatalogue, isErrorCode, type ErrorCode } from '../../../domain/errors.ts';
import { anyText, fault, list, pick, repeated, type Fault } from './fault.ts';
import type { Target } from './targets.ts';

/**
 * Wrong queries and paths. Schemathesis sends values that the schema of a parameter excludes, and
 * methods that a path does not have.
 */

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
const many = fc
  .tuple(fc.constantFrom(100, 1000, 3000, 10_000), fc.boolean())
  .map(([count, isSame]) => ({
    query: Array.from({ length: count }, (_, index) => (isSame ? 'x=1' : `x${index}`)),
  }));

const twice = (name: string): Fault =>
  fault(
    'query: given twice',
    queryCodes(name),
    fc.integer({ min: 2, max: 4 }).map((count) => {
      const value = { page: '1', pageSize: '20' }[name] ?? 'x';
      return { query: Array.from({ length: count }, () => `${name}=${value}`) };
    }),
  );

export function queries({ query }: Target): readonly Fault[] {
  const unknown = 'VALIDATION_UNKNOWN_QUERY_PARAMETER';
  const otherName = encoded.filter((name) => !query.includes(name));
  const unknownPair = fc
    .tuple(fc.oneof(pick(unknownNames), otherName), pick(unknownValues))
    .map((parts) => ({ query: [parts.join('')] }));
  return [
    fault('query: unknown', unknown, unknownPair),
    fault('query: 100 to 10,000 parameters', [unknown, 'HEADERS_TOO_LARGE'], many),
    ...query.map(twice),
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
