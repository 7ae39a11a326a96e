import { errorCatalogue, isErrorCode, type ErrorCode } from '../../domain/errors.ts';
import { errorGuide } from './error-guide.ts';

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
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 1 } },
  'WWW-Authenticate': {
    description: 'The authentication scheme; absent when a new token does not help.',
    schema: text,
  },
} as const;

/** References to the headers of a response. Without a token there is no rate limit to report. */
export function responseHeaders(
  status: number,
  isAuthenticated: boolean,
): Readonly<Record<string, object>> {
  const isLimited = isAuthenticated && status !== 401;
  const names: readonly (keyof typeof headers)[] = [
    'X-Request-Id',
    ...(isLimited ? (['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'] as const) : []),
    ...(status === 429 || status === 503 ? (['Retry-After'] as const) : []),
    ...(status === 401 ? (['WWW-Authenticate'] as const) : []),
  ];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** One response for each status of the codes. */
export function errorResponses(
  codes: readonly ErrorCode[],
  isAuthenticated: boolean,
): Readonly<Record<string, object>> {
  const statuses = new Set(codes.map((code) => errorCatalogue[code].status));
  return Object.fromEntries(
    [...statuses].map((status) => {
      const ofStatus = codes.filter((code) => errorCatalogue[code].status === status);
      const response = routeStatuses.includes(status)
        ? errorResponse(ofStatus, status, isAuthenticated)
        : { $ref: `#/components/responses/${ofStatus[0]}` };
      return [String(status), response];
    }),
  );
}

/** The meaning of a code, with a link to its entry in the guide. */
const describeCode = (code: ErrorCode): string =>
  `[\`${code}\`](/docs/errors#${code.toLowerCase()}): ${errorCatalogue[code].meaning}`;

const errorResponse = (codes: readonly ErrorCode[], status: number, isAuthenticated: boolean) => ({
  description: codes.map(describeCode).join('\n\n'),
  headers: responseHeaders(status, isAuthenticated),
  content: {
    'application/json': {
      schema: errorSchema(codes),
      examples: Object.fromEntries(
        codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]),
      ),
    },
  },
});

const envelopeOf = (codes: readonly ErrorCode[], details: object) => ({
  type: 'object',
  properties: {
    state: { type: 'string', enum: codes, description: 'The error code.' },
    payload: { type: 'null', description: 'Always null.' },
    details: { ...details, description: 'Further information; `{}` when there is none.' },
  },
  required: ['state', 'payload', 'details'],
  additionalProperties: false,
});

const validationDetails = {
  type: 'object',
  properties: {
    errors: {
      type: 'array',
      items: { $ref: '#/components/schemas/FieldError' },
      description: 'One entry for each failing field, at most 100.',
    },
    allowedValues: {
      type: 'array',
      items: text,
      description: 'The values that a failing header allows.',
    },
  },
  required: ['errors'],
};

/** Only validation errors have a fixed form of `details`; the guide describes the others. */
function errorSchema(codes: readonly ErrorCode[]): object {
  const others = codes.filter((code) => code !== 'VALIDATION_ERRORS');
  const ofOthers = envelopeOf(others, { type: 'object' });
  if (others.length === codes.length) return ofOthers;
  const ofValidation = envelopeOf(['VALIDATION_ERRORS'], validationDetails);
  return others.length === 0 ? ofValidation : { oneOf: [ofValidation, ofOthers] };
}

/** The statuses whose responses differ between routes. Every other status has one code. */
const routeStatuses: readonly number[] = [400, 401, 403, 404, 409, 422];
const sharedCodes = Object.keys(errorCatalogue)
  .filter(isErrorCode)
  .filter((code) => !routeStatuses.includes(errorCatalogue[code].status));

const stringField = (description: string, example: string) => ({
  type: 'string',
  description,
  examples: [example],
});

/** An entry of `details.errors` (D3). */
const fieldError = {
  type: 'object',
  description: 'One failing field.',
  properties: {
    field: stringField("The field's name in PascalCase.", 'CostIsVatInclusive'),
    path: stringField('A JSON pointer into the request body.', '/costIsVatInclusive'),
    code: stringField('The reason, for programs.', 'required'),
    message: stringField('The reason, for people.', 'is required'),
  },
  required: ['field', 'path', 'code', 'message'],
  additionalProperties: false,
};

/** The parts of the document that error responses refer to. */
export const errorComponents = {
  schemas: { FieldError: fieldError },
  headers,
  responses: Object.fromEntries(
    sharedCodes.map((code) => [code, errorResponse([code], errorCatalogue[code].status, true)]),
  ),
  examples: Object.fromEntries(
    [...errorGuide].map(([code, { when, example }]) => [
      code,
      { summary: errorCatalogue[code].meaning, description: when, value: example },
    ]),
  ),
};
