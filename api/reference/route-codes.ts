import type { FastifyContextConfig, FastifySchema } from 'fastify';
import type { ErrorCode } from '../../domain/errors.ts';
import type { QuerySchema } from '../validation/query.ts';

/** The parts of a route that the document needs. */
export type ReferencedRoute = {
  readonly method: string | readonly string[];
  readonly schema: FastifySchema;
  readonly config: FastifyContextConfig;
};

/** The codes of every route: transport limits, internal errors and failing dependencies. */
const commonCodes: readonly ErrorCode[] = [
  'REQUEST_TIMEOUT',
  'HEADERS_TOO_LARGE',
  'TOO_MANY_REQUESTS',
  'INTERNAL_ERROR',
  'UPSTREAM_AUTH_FAILED',
  'BAD_GATEWAY',
  'SERVICE_UNAVAILABLE',
  'GATEWAY_TIMEOUT',
];
const tokenCodes: readonly ErrorCode[] = [
  'UNAUTHORIZED_MISSING_TOKEN',
  'UNAUTHORIZED_INVALID_TOKEN',
  'UNAUTHORIZED_TOKEN_EXPIRED',
  'FORBIDDEN',
];
const bodyCodes: readonly ErrorCode[] = [
  'VALIDATION_ERRORS',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
];

/** The codes of each query parameter with codes of its own. */
const parameterCodes: Readonly<Record<string, readonly ErrorCode[]>> = {
  page: ['VALIDATION_INVALID_PAGE'],
  pageSize: ['VALIDATION_INVALID_PAGE_SIZE'],
  // The second code is for a parameter that is sent twice.
  include: ['VALIDATION_UNKNOWN_INCLUDE', 'VALIDATION_INVALID_QUERY_PARAMETER'],
  changedSince: ['VALIDATION_INVALID_DATE'],
  awaitingFrom: ['VALIDATION_INVALID_DATE'],
  awaitingTo: ['VALIDATION_INVALID_DATE'],
  from: ['VALIDATION_INVALID_DATE'],
  to: ['VALIDATION_INVALID_DATE'],
  before: ['VALIDATION_INVALID_DATE'],
};

export const needsToken = ({ config }: Pick<ReferencedRoute, 'config'>): boolean =>
  config.capability !== undefined || config.role !== undefined;

/** The codes of a route without an envelope, which takes no parameters, body or token. */
const plainCodes: readonly ErrorCode[] = [
  'REQUEST_TIMEOUT',
  'HEADERS_TOO_LARGE',
  'INTERNAL_ERROR',
  'GATEWAY_TIMEOUT',
];

/** Every error code of a route, from its parameters, body, token and `refusals`. */
export function codesOf(route: ReferencedRoute): readonly ErrorCode[] {
  const { method, schema, config } = route;
  // `strictRoutes` gives each route with an envelope a query.
  if (schema.querystring === undefined) return plainCodes;
  const { entries } = schema.querystring as QuerySchema;
  const hasCapability = config.capability !== undefined && config.capability !== null;
  return [
    ...new Set<ErrorCode>([
      'VALIDATION_UNKNOWN_QUERY_PARAMETER',
      ...Object.keys(entries).flatMap(
        (name) => parameterCodes[name] ?? ['VALIDATION_INVALID_QUERY_PARAMETER' as const],
      ),
      ...(method === 'GET' ? [] : bodyCodes),
      ...(schema.headers === undefined ? [] : (['VALIDATION_ERRORS'] as const)),
      ...(needsToken(route) ? tokenCodes : []),
      ...(hasCapability ? (['FORBIDDEN_CAPABILITY_NOT_GRANTED'] as const) : []),
      ...(config.refusals ?? []),
      ...commonCodes,
    ]),
  ];
}
