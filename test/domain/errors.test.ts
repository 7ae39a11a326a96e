import { expect, test } from 'vitest';
import {
  errorCatalogue,
  fail,
  fieldError,
  fieldName,
  invalid,
  isErrorCode,
  ok,
  type ErrorCode,
} from '../../domain/errors.ts';

/** The specification's part 7, and the codes that D7 and D64 add. `UPSTREAM_AUTH_FAILED` is of the 401 family. */
const statuses: Readonly<Record<string, number>> = {
  VALIDATION_ERRORS: 400,
  VALIDATION_INVALID_PAGE: 400,
  VALIDATION_INVALID_PAGE_SIZE: 400,
  VALIDATION_UNKNOWN_QUERY_PARAMETER: 400,
  VALIDATION_INVALID_QUERY_PARAMETER: 400,
  VALIDATION_UNKNOWN_INCLUDE: 400,
  VALIDATION_INVALID_DATE: 400,
  VALIDATION_WEBHOOK_EVENT_TYPE_NOT_SUBSCRIBED: 400,
  UNAUTHORIZED_INVALID_CREDENTIALS: 401,
  UNAUTHORIZED_VENDOR_INACTIVE: 401,
  UNAUTHORIZED_MISSING_TOKEN: 401,
  UNAUTHORIZED_INVALID_TOKEN: 401,
  UNAUTHORIZED_TOKEN_EXPIRED: 401,
  UPSTREAM_AUTH_FAILED: 401,
  FORBIDDEN_CAPABILITY_NOT_GRANTED: 403,
  FORBIDDEN_CAPABILITY_NOT_GRANTED_TO_VENDOR: 403,
  FORBIDDEN: 403,
  REQUEST_TIMEOUT: 408,
  HEADERS_TOO_LARGE: 431,
  CONFLICT_VERSION: 409,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  TOO_MANY_REQUESTS: 429,
  INTERNAL_ERROR: 500,
  BAD_GATEWAY: 502,
  SERVICE_UNAVAILABLE: 503,
  GATEWAY_TIMEOUT: 504,
};

/** Whole families have one status. */
const families: readonly (readonly [string, number])[] = [
  ['NOT_FOUND_', 404],
  ['BUSINESS_', 422],
];

const codes = Object.keys(errorCatalogue) as ErrorCode[];

test.each(codes)('%s has the status that the specification or a decision gives it', (code) => {
  const family = families.find(([prefix]) => code.startsWith(prefix));
  expect(errorCatalogue[code].status).toBe(statuses[code] ?? family?.[1]);
});

/** Codes of part 7, and of D39 and D44, that orders and returns are refused with. */
test.each([
  ['NOT_FOUND_RETURN_REQUEST', 404],
  ['NOT_FOUND_FULFILMENT_GROUP', 404],
  ['BUSINESS_RETURN_INSPECTION_EVIDENCE_REQUIRED', 422],
  ['BUSINESS_RETURN_REQUEST_INVALID_TRANSITION', 422],
  ['BUSINESS_RETURN_REQUEST_NOT_RECEIVED', 422],
  ['BUSINESS_RETURN_EVIDENCE_LIMIT', 422],
  ['BUSINESS_FULFILMENT_GROUP_INVALID_TRANSITION', 422],
] as const)('%s is in the catalogue, as %i', (code, status) => {
  expect(isErrorCode(code)).toBe(true);
  expect(errorCatalogue[code].status).toBe(status);
});

test('every code says what it means', () => {
  for (const code of codes) expect(errorCatalogue[code].meaning).toMatch(/^\w.*\.$/);
});

test('only the catalogue has codes; names that every object has are none', () => {
  expect(isErrorCode('FORBIDDEN')).toBe(true);
  for (const name of ['', 'NOPE', 'toString', '__proto__', 'constructor', 'forbidden']) {
    expect(isErrorCode(name)).toBe(false);
  }
});

test('a field is named in PascalCase and pointed to in what was sent', () => {
  expect(fieldName('costIsVatInclusive')).toBe('CostIsVatInclusive');
  expect(fieldError('barcode', 'required', 'is required')).toEqual({
    field: 'Barcode',
    path: '/barcode',
    code: 'required',
    message: 'is required',
  });
});

test('a validation failure lists every entry, a failure without details has none', () => {
  const first = fieldError('a', 'required', 'is required');
  const second = fieldError('b', 'required', 'is required');
  expect(invalid(first, second).failure).toEqual({
    code: 'VALIDATION_ERRORS',
    details: { errors: [first, second] },
  });
  expect(fail('FORBIDDEN')).toEqual({ ok: false, failure: { code: 'FORBIDDEN', details: {} } });
  expect(ok(5)).toEqual({ ok: true, value: 5 });
});
