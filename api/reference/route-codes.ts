import type { FastifyContextConfig, FastifySchema } from 'fastify';
import type * as v from 'valibot';
import type { ErrorCode } from '../../domain/errors.ts';
import { jsonSchemaOf } from '../validation/json-schema.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The errors that this route has beyond those of every route of its kind: its resource's 404, its business rules. */
    refusals?: readonly ErrorCode[];
  }
}

/** A route as the reference looks at it. */
export type ReferencedRoute = {
  readonly method: string | readonly string[];
  readonly schema: FastifySchema;
  readonly config: FastifyContextConfig;
};

/** What any route may answer: the transport's limits, our own faults, and those of what is behind us (D7). */
const ofEveryRoute: readonly ErrorCode[] = [
  'REQUEST_TIMEOUT',
  'HEADERS_TOO_LARGE',
  'TOO_MANY_REQUESTS',
  'INTERNAL_ERROR',
  'UPSTREAM_AUTH_FAILED',
  'BAD_GATEWAY',
  'SERVICE_UNAVAILABLE',
  'GATEWAY_TIMEOUT',
];
const ofTokens: readonly ErrorCode[] = [
  'UNAUTHORIZED_MISSING_TOKEN',
  'UNAUTHORIZED_INVALID_TOKEN',
  'UNAUTHORIZED_TOKEN_EXPIRED',
  'FORBIDDEN',
];
const ofBodies: readonly ErrorCode[] = [
  'VALIDATION_ERRORS',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
];

const entriesOf = (schema: unknown): Readonly<Record<string, v.GenericSchema>> =>
  typeof schema === 'object' && schema !== null && 'entries' in schema
    ? (schema.entries as Readonly<Record<string, v.GenericSchema>>)
    : {};

function codesOfParameter(name: string, schema: v.GenericSchema): readonly ErrorCode[] {
  if (name === 'page') return ['VALIDATION_INVALID_PAGE'];
  if (name === 'pageSize') return ['VALIDATION_INVALID_PAGE_SIZE'];
  // Unknown tokens, or the parameter given twice.
  if (name === 'include')
    return ['VALIDATION_UNKNOWN_INCLUDE', 'VALIDATION_INVALID_QUERY_PARAMETER'];
  return jsonSchemaOf(schema).format === 'date-time'
    ? ['VALIDATION_INVALID_DATE']
    : ['VALIDATION_INVALID_QUERY_PARAMETER'];
}

export const needsToken = ({ config }: Pick<ReferencedRoute, 'config'>): boolean =>
  config.capability !== undefined || config.role !== undefined;

/** Every code that a route may answer with, by what it takes and by what it says of itself. */
export function codesOf(route: ReferencedRoute): readonly ErrorCode[] {
  const { method, schema, config } = route;
  const parameters = Object.entries(entriesOf(schema.querystring));
  const hasCapability = config.capability !== undefined && config.capability !== null;
  return [
    ...new Set<ErrorCode>([
      'VALIDATION_UNKNOWN_QUERY_PARAMETER',
      ...parameters.flatMap(([name, parameter]) => codesOfParameter(name, parameter)),
      ...(method === 'GET' ? [] : ofBodies),
      ...(schema.headers === undefined ? [] : (['VALIDATION_ERRORS'] as const)),
      ...(needsToken(route) ? ofTokens : []),
      ...(hasCapability ? (['FORBIDDEN_CAPABILITY_NOT_GRANTED'] as const) : []),
      ...(config.refusals ?? []),
      ...ofEveryRoute,
    ]),
  ];
}
