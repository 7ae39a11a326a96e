import { errorCatalogue, type ErrorCode } from '../../domain/errors.ts';
import { errorGuide } from './error-guide.ts';

const text = { type: 'string' };
const count = { type: 'integer', minimum: 0 };

/** Headers by the names under which `components` has them. */
const headers = {
  'X-Request-Id': {
    description: 'Names the call: yours, when it was a sane one, else ours. Quote it when you ask.',
    schema: text,
  },
  'RateLimit-Limit': {
    description: 'Calls a minute; absent where the limit is off.',
    schema: count,
  },
  'RateLimit-Remaining': { description: 'Calls that are left of them.', schema: count },
  'RateLimit-Reset': { description: 'Seconds until the count starts anew.', schema: count },
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 1 } },
  'WWW-Authenticate': {
    description: 'The scheme; absent where a new token would not help.',
    schema: text,
  },
} as const;
type HeaderName = keyof typeof headers;

const referTo = (names: readonly HeaderName[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** The headers of an answer. Without a token there is nothing to count calls by. */
export function headersOf(
  status: number,
  isAuthenticated: boolean,
): Readonly<Record<string, object>> {
  return referTo([
    'X-Request-Id',
    ...(isAuthenticated && status !== 401
      ? (['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'] as const)
      : []),
    ...(status === 429 || status === 503 ? (['Retry-After'] as const) : []),
    ...(status === 401 ? (['WWW-Authenticate'] as const) : []),
  ]);
}

/** When a code comes, with a link to its entry in the guide. */
const sentenceOn = (code: ErrorCode): string =>
  `[\`${code}\`](/docs/errors#${code.toLowerCase()}): ${errorCatalogue[code].meaning}`;

/** One answer for each status that the codes have. */
export function errorAnswers(
  codes: readonly ErrorCode[],
  isAuthenticated: boolean,
): Readonly<Record<string, object>> {
  const statuses = [...new Set(codes.map((code) => errorCatalogue[code].status))].toSorted(
    (a, b) => a - b,
  );
  return Object.fromEntries(
    statuses.map((status) => {
      const named = codes.filter((code) => errorCatalogue[code].status === status);
      const [only, ...more] = named;
      const isShared = only !== undefined && more.length === 0 && sharedAnswers.has(only);
      return [
        String(status),
        isShared
          ? { $ref: `#/components/responses/${only}` }
          : errorAnswer(named, status, isAuthenticated),
      ];
    }),
  );
}

const errorAnswer = (codes: readonly ErrorCode[], status: number, isAuthenticated: boolean) => ({
  description: codes.map(sentenceOn).join('\n\n'),
  headers: headersOf(status, isAuthenticated),
  content: {
    'application/json': {
      schema: errorSchema(codes),
      examples: Object.fromEntries(
        codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]),
      ),
    },
  },
});

const answerWith = (codes: readonly ErrorCode[], details: object) => ({
  type: 'object',
  properties: {
    state: { type: 'string', enum: codes },
    payload: { type: 'null' },
    details,
  },
  required: ['state', 'payload', 'details'],
  additionalProperties: false,
});

const validationDetails = {
  type: 'object',
  properties: {
    errors: { type: 'array', items: { $ref: '#/components/schemas/FieldError' } },
    allowedValues: { type: 'array', items: text, description: 'Of a header.' },
  },
  required: ['errors'],
};

/** What `details` holds is said where it has a form; otherwise the code's entry in the guide tells. */
function errorSchema(codes: readonly ErrorCode[]): object {
  const others = codes.filter((code) => code !== 'VALIDATION_ERRORS');
  const ofOthers = answerWith(others, { type: 'object' });
  if (others.length === codes.length) return ofOthers;
  const ofValidation = answerWith(['VALIDATION_ERRORS'], validationDetails);
  return others.length === 0 ? ofValidation : { oneOf: [ofValidation, ofOthers] };
}

/** What is the same on every route. */
const sharedAnswers: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'REQUEST_TIMEOUT',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'HEADERS_TOO_LARGE',
  'TOO_MANY_REQUESTS',
  'INTERNAL_ERROR',
  'BAD_GATEWAY',
  'SERVICE_UNAVAILABLE',
  'GATEWAY_TIMEOUT',
]);

/** An entry of `details.errors` (D3). */
const fieldErrorSchema = {
  type: 'object',
  description: 'One failing field.',
  properties: {
    field: {
      type: 'string',
      description: 'The name in PascalCase.',
      examples: ['CostIsVatInclusive'],
    },
    path: {
      type: 'string',
      description: 'A JSON pointer into what was sent.',
      examples: ['/costIsVatInclusive'],
    },
    code: { type: 'string', description: 'For programs.', examples: ['required'] },
    message: { type: 'string', description: 'For people.', examples: ['is required'] },
  },
  required: ['field', 'path', 'code', 'message'],
  additionalProperties: false,
};

/** What the answers refer to. */
export const answerComponents = {
  schemas: { FieldError: fieldErrorSchema },
  headers,
  responses: Object.fromEntries(
    [...sharedAnswers].map((code) => [
      code,
      errorAnswer([code], errorCatalogue[code].status, true),
    ]),
  ),
  examples: Object.fromEntries(
    [...errorGuide].map(([code, { when, example }]) => [
      code,
      { summary: errorCatalogue[code].meaning, description: when, value: example },
    ]),
  ),
};
