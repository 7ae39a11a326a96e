import { errorCatalogue, type ErrorCode } from '../../../domain/errors.ts';
import { addComponent, pascalCase, type Components } from '../components.ts';
import { errorDetails, fieldError, returnedLine } from './error-details.ts';
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
  'RateLimit-Reset': { description: 'Seconds until the count is reset.', schema: count },
  'Idempotency-Replayed': {
    description: '`true` on the answer of an earlier call with the same `Idempotency-Key`.',
    schema: text,
  },
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 1 } },
  'WWW-Authenticate': {
    description: 'The authentication scheme; absent when a new token does not help.',
    schema: text,
  },
} as const;

/**
 * References to the headers of a response. Without a token there is no rate limit to report. With
 * one, the count is listed where clients use it: on successes and on 429. `isKeyed`: the operation
 * takes an `Idempotency-Key`.
 */
export function responseHeaders(
  status: number,
  isAuthenticated: boolean,
  isKeyed = false,
): Readonly<Record<string, object>> {
  const isLimited = isAuthenticated && (status < 300 || status === 429);
  const names: readonly (keyof typeof headers)[] = [
    'X-Request-Id',
    ...(isLimited ? (['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'] as const) : []),
    ...(isKeyed && status < 300 ? (['Idempotency-Replayed'] as const) : []),
    ...(status === 429 || status === 503 ? (['Retry-After'] as const) : []),
    ...(status === 401 ? (['WWW-Authenticate'] as const) : []),
  ];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/**
 * One reference for each status of the codes. Routes with the same codes share a response, which
 * `components` collects.
 */
export function errorResponses(
  codes: readonly ErrorCode[],
  isAuthenticated: boolean,
  components: Components,
): Readonly<Record<string, object>> {
  const statuses = new Set(codes.map((code) => errorCatalogue[code].status));
  return Object.fromEntries(
    [...statuses].map((status) => {
      const ofStatus = codes.filter((code) => errorCatalogue[code].status === status);
      const isOpen = !isAuthenticated && routeStatuses.includes(status);
      const name = `${nameOf(ofStatus)}${isOpen ? 'WithoutToken' : ''}`;
      const location = { status, isAuthenticated: !isOpen };
      const response = errorResponse(ofStatus, location, components);
      return [String(status), addComponent(components, 'responses', [name, response])];
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
function nameOf(codes: readonly ErrorCode[]): string {
  const telling = codes.filter((code) => !companions.includes(code));
  return (telling.length === 0 ? codes : telling).map(shortName).join('Or');
}

/** `NOT_FOUND_OPERATOR` as `NotFoundOperator`. Prefixes that the status implies say nothing. */
const shortName = (code: ErrorCode): string =>
  pascalCase(code.replace(/^VALIDATION_(?!ERRORS)|^BUSINESS_/, '').toLowerCase());

/** The meaning of a code, with a link to its entry in the guide. */
const describeCode = (code: ErrorCode): string =>
  `[\`${code}\`](/docs/errors#${code.toLowerCase()}): ${errorCatalogue[code].meaning}`;

const errorResponse = (
  codes: readonly ErrorCode[],
  { status, isAuthenticated }: { readonly status: number; readonly isAuthenticated: boolean },
  components: Components,
) => ({
  description: codes.map(describeCode).join('\n\n'),
  headers: responseHeaders(status, isAuthenticated),
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
const error = {
  type: 'object',
  description: 'The answer of every call that fails.',
  properties: {
    state: {
      type: 'string',
      description: 'The error code. Judge a code that you do not know by the HTTP status.',
      'x-extensible-enum': Object.keys(errorCatalogue),
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
};

/** The statuses whose responses differ between routes. Every other status has one code. */
const routeStatuses: readonly number[] = [400, 401, 403, 404, 409, 422];
/** The parts of the document that error responses refer to. */
export const errorComponents = {
  schemas: {
    Error: error,
    ErrorDetails: errorDetails,
    FieldError: fieldError,
    ReturnedLine: returnedLine,
  },
  headers,
};
