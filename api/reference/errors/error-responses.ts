import type { Environment } from '../../../domain/accounts/credentials.ts';
import { errorCatalogue, type ErrorCode } from '../../../domain/errors.ts';
import { addComponent, pascalCase, type Components } from '../components.ts';
import type { SchemaNode } from '../schema-nodes.ts';
import { errorDetailsOf, fieldError, returnedLine } from './error-details.ts';
import { errorExamples } from './error-examples.ts';

const text = { type: 'string' };
const count = { type: 'integer', minimum: 0 };

/** The response headers under `components`. */
const headers = {
  'X-Request-Id': {
    description: 'The id of the call: yours when it is valid, otherwise a new one.',
    schema: text,
  },
  'RateLimit-Limit': {
    description:
      'The number of calls, or items of bulk pushes, allowed in a minute; absent without a limit.',
    schema: count,
  },
  'RateLimit-Remaining': {
    description: 'The number of calls, or items of bulk pushes, left in the current minute.',
    schema: count,
  },
  'RateLimit-Reset': {
    description: 'Seconds of real time until the count is reset.',
    schema: count,
  },
  'Idempotency-Replayed': {
    description: '`true` on the response of an earlier call with the same `Idempotency-Key`.',
    schema: text,
  },
  'Retry-After': {
    description: 'Seconds of real time to wait.',
    schema: { type: 'integer', minimum: 1 },
  },
  'WWW-Authenticate': {
    description: 'The authentication scheme; absent when a new token does not help.',
    schema: text,
  },
} as const;

/** References to the headers with these names. */
const headersNamed = (...names: readonly (keyof typeof headers)[]): SchemaNode =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** The header of the successes of an operation that takes an `Idempotency-Key`. */
export const keyedHeaders = headersNamed('Idempotency-Replayed');

/**
 * The headers of an error that a client acts on. The introductions name the headers that every
 * response has, such as the count of calls.
 */
const errorHeaders: Readonly<Record<string, SchemaNode>> = {
  '401': headersNamed('WWW-Authenticate'),
  '429': headersNamed('RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset', 'Retry-After'),
  '5XX': headersNamed('X-Request-Id', 'Retry-After'),
};

/** Statuses of the transport, which every operation with the same kind of body has. */
const transportStatuses: readonly number[] = [408, 413, 415, 431];

/** The status or the range of statuses that lists a code's response. */
function rangeOf(code: ErrorCode): string {
  const { status } = errorCatalogue[code];
  if (transportStatuses.includes(status)) return '4XX';
  return status >= 500 ? '5XX' : String(status);
}

/**
 * One reference for each status of the codes. The statuses of the transport and of the gateway's
 * own failures are one each: `4XX` and `5XX`. Routes with the same codes share a response, which
 * `components` collects.
 */
export function errorResponses(
  codes: readonly ErrorCode[],
  components: Components,
): Readonly<Record<string, object>> {
  const ranges = new Set(codes.map(rangeOf));
  return Object.fromEntries(
    [...ranges].map((range) => {
      const ofRange = codes.filter((code) => rangeOf(code) === range);
      const response = errorResponse(ofRange, range, components);
      return [range, addComponent(components, 'responses', [nameOf(ofRange, range), response])];
    }),
  );
}

/** Codes that come with others, whose names are enough for the response. */
const companions: readonly ErrorCode[] = [
  'VALIDATION_UNKNOWN_QUERY_PARAMETER',
  'UNAUTHORIZED_MISSING_TOKEN',
  'UNAUTHORIZED_TOKEN_EXPIRED',
  'UPSTREAM_AUTH_FAILED',
  'FORBIDDEN',
];

/** `InvalidPageOrInvalidPageSize`: the name of the response with these codes. */
function nameOf(codes: readonly ErrorCode[], range: string): string {
  if (range === '401' && codes.includes('UNAUTHORIZED_MISSING_TOKEN')) return 'Unauthorized';
  if (range === '4XX') return codes.includes('PAYLOAD_TOO_LARGE') ? 'BodyNotRead' : 'NotRead';
  if (range === '5XX') return codes.includes('BAD_GATEWAY') ? 'ServerError' : 'InternalError';
  const telling = codes.filter((code) => !companions.includes(code));
  return (telling.length === 0 ? codes : telling).map(shortName).join('Or');
}

/** `NOT_FOUND_OPERATOR` as `NotFoundOperator`. Prefixes that the status implies say nothing. */
const shortName = (code: ErrorCode): string =>
  pascalCase(code.replace(/^VALIDATION_(?!ERRORS)|^BUSINESS_/, '').toLowerCase());

/** The meaning of a code, with its status where a range of statuses does not say it. */
function describeCode(code: ErrorCode, range: string): string {
  const { status, meaning } = errorCatalogue[code];
  return `\`${code}\`${range === String(status) ? '' : ` (${status})`}: ${meaning}`;
}

const errorResponse = (codes: readonly ErrorCode[], range: string, components: Components) => ({
  description: codes.map((code) => describeCode(code, range)).join('\n\n'),
  headers: errorHeaders[range],
  content: {
    'application/json': {
      schema: { $ref: '#/components/schemas/Error' },
      // Their names are the states that a response of this kind can have.
      examples: Object.fromEntries(
        codes.map((code) => [
          code,
          addComponent(components, 'examples', [code, { value: errorExamples.get(code) }]),
        ]),
      ),
    },
  },
});

/** Open for codes and details that are added later: a client falls back to the HTTP status. */
const errorOf = (environment: Environment) => ({
  type: 'object',
  description: 'The response of every call that fails.',
  properties: {
    state: {
      type: 'string',
      description: 'The error code. Judge a code that you do not know by the HTTP status.',
      'x-extensible-enum': Object.keys(errorCatalogue).filter(
        (code) => environment === 'Sandbox' || !code.startsWith('BUSINESS_SANDBOX_'),
      ),
      examples: ['NOT_FOUND_VENDOR_OFFER'],
    },
    // With the type `null`, openapi-generator's Java refers to a class that it does not write.
    payload: { const: null, description: 'Always null.' },
    details: {
      $ref: '#/components/schemas/ErrorDetails',
      description: 'What else there is to know; `help` leads to the entry of the code.',
    },
  },
  required: ['state', 'payload', 'details'],
});

/** The parts of an environment's document that error responses refer to. */
export const errorComponentsOf = (environment: Environment) => ({
  schemas: {
    Error: errorOf(environment),
    ErrorDetails: errorDetailsOf(environment),
    FieldError: fieldError,
    ReturnedLine: returnedLine,
  },
  headers,
});
