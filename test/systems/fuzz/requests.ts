import * as fc from 'fast-check';
import { bodyBytesMax } from '../../../api/http/body-parser.ts';
import type { ErrorCode } from '../../../domain/errors.ts';
import { bodies } from './bodies.ts';
import type { Patch } from './fault.ts';
import { headers, oddities } from './headers.ts';
import { paths, queries } from './paths.ts';
import type { Target } from './targets.ts';

/** A request as it is sent by HTTP. */
export type HttpRequest = Required<Patch>;

/** A request that is malformed by construction, and the codes one of which must answer it. */
export type MalformedRequest = HttpRequest & {
  readonly kinds: readonly string[];
  readonly due: readonly ErrorCode[];
};

export const pathAndQuery = ({ path, query }: HttpRequest): string =>
  query.length === 0 ? path : `${path}?${query.join('&')}`;

/** Names and values, each value with its name. */
export const headerLines = ({
  headers: all,
}: HttpRequest): readonly (readonly [string, string])[] =>
  Object.entries(all).flatMap(([name, value]) =>
    [value ?? []].flat().map((each) => [name, each] as const),
  );

const wellFormed = ({
  method,
  url,
  token,
  needsToken,
  headers: own,
  body,
}: Target): HttpRequest => ({
  method,
  path: url,
  query: [],
  headers: {
    ...own,
    authorization: needsToken ? `Bearer ${token}` : null,
    'content-type': body === null ? null : 'application/json',
  },
  body: body === null ? null : JSON.stringify(body.sample),
});

/** A path and headers of this size may exceed the 16 KiB that Node reads. */
const headBytesSafe = 12_000;

function dueBySize(request: HttpRequest): readonly ErrorCode[] {
  const lines = headerLines(request).map(([name, value]) => name.length + value.length);
  const headBytes = lines.reduce((sum, size) => sum + size, pathAndQuery(request).length);
  return [
    ...(Buffer.byteLength(request.body ?? '') > bodyBytesMax ? ['PAYLOAD_TOO_LARGE' as const] : []),
    ...(headBytes > headBytesSafe ? ['HEADERS_TOO_LARGE' as const] : []),
  ];
}

/** Two faults of one layer exclude each other. A later layer replaces what an earlier one sets. */
const layers = [bodies, queries, paths, headers];

const faultsOf = (target: Target) =>
  layers.flatMap((layer, position) => layer(target).map((each) => ({ ...each, position })));

/** The names of all ways in which requests to these operations are malformed. */
export const kindsOf = (targets: readonly Target[]): ReadonlySet<string> =>
  new Set(targets.flatMap((target) => faultsOf(target).map(({ kind }) => kind)));

const describe = ({ kinds, body, ...request }: MalformedRequest): string => {
  const text = body === null ? '' : `${body.length} bytes ${body.slice(0, 120).toString()}`;
  const target = pathAndQuery({ ...request, body }).slice(0, 120);
  return `${kinds.join(' + ')}: ${request.method} ${target} ${text}`;
};

/** Requests to one operation: three in four have one fault, the others up to two. */
function requestsTo(target: Target): fc.Arbitrary<MalformedRequest> {
  const faults = faultsOf(target).map(({ weight, patch, ...about }) => ({
    weight,
    arbitrary: patch.map((parts) => ({ ...about, patch: parts })),
  }));
  const one = fc.oneof(...faults);
  const more = fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.tuple(one) },
  );
  return fc.tuple(one, more, fc.array(oddities, { maxLength: 2 })).map(([first, others, odd]) => {
    const chosen = [first, ...others.filter(({ position }) => position !== first.position)];
    const patches = chosen.toSorted((a, b) => a.position - b.position).map(({ patch }) => patch);
    const request = [...odd, ...patches].reduce<HttpRequest>(
      (whole, patch) => ({ ...whole, ...patch, headers: { ...whole.headers, ...patch.headers } }),
      wellFormed(target),
    );
    const malformed = {
      ...request,
      kinds: chosen.map(({ kind }) => kind),
      due: [...chosen.flatMap(({ due }) => due), ...dueBySize(request)],
    };
    return Object.assign(malformed, { [fc.toStringMethod]: () => describe(malformed) });
  });
}

/** Malformed requests to all operations alike. */
export const malformedRequests = (targets: readonly Target[]): fc.Arbitrary<MalformedRequest> =>
  fc.oneof(...targets.map((target) => requestsTo(target)));

/** Well-formed reads of every kind, for comparison. They change no row. */
export const wellFormedReads = (targets: readonly Target[]): fc.Arbitrary<HttpRequest> =>
  fc.constantFrom(...targets.filter(({ method }) => method === 'GET').map(wellFormed));
