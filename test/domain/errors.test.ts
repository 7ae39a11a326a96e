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

/** The table of the API specification's part 7; D7 decides the statuses that it leaves open. */
const specified = {
  VALIDATION_ERRORS: 400,
  VALIDATION_INVALID_PAGE: 400,
  VALIDATION_INVALID_PAGE_SIZE: 400,
  VALIDATION_UNKNOWN_QUERY_PARAMETER: 400,
  VALIDATION_INVALID_QUERY_PARAMETER: 400,
  VALIDATION_UNKNOWN_INCLUDE: 400,
  VALIDATION_INVALID_DATE: 400,
  UNAUTHORIZED_INVALID_CREDENTIALS: 401,
  UNAUTHORIZED_VENDOR_INACTIVE: 401,
  UNAUTHORIZED_MISSING_TOKEN: 401,
  UNAUTHORIZED_INVALID_TOKEN: 401,
  UNAUTHORIZED_TOKEN_EXPIRED: 401,
  UPSTREAM_AUTH_FAILED: 401,
  FORBIDDEN_CAPABILITY_NOT_GRANTED: 403,
  FORBIDDEN_CAPABILITY_NOT_GRANTED_TO_VENDOR: 403,
  FORBIDDEN: 403,
  NOT_FOUND_ROUTE: 404,
  NOT_FOUND_VENDOR_OFFER: 404,
  NOT_FOUND_RETURN_REQUEST: 404,
  NOT_FOUND_VENDOR_WEBHOOK_SUBSCRIPTION: 404,
  NOT_FOUND_VENDOR_CREDENTIAL: 404,
  UNSUPPORTED_MEDIA_TYPE: 415,
  BUSINESS_RETURN_INSPECTION_EVIDENCE_REQUIRED: 422,
  BUSINESS_RETURN_REQUEST_INVALID_TRANSITION: 422,
  BUSINESS_RETURN_REQUEST_NOT_RECEIVED: 422,
  BUSINESS_VENDOR_FIRST_CREDENTIAL_REQUIRES_ONBOARDING: 422,
  BUSINESS_OFFER_PRICE_FIELD_NOT_FOR_AGREEMENT: 422,
  TOO_MANY_REQUESTS: 429,
  BAD_GATEWAY: 502,
  SERVICE_UNAVAILABLE: 503,
  GATEWAY_TIMEOUT: 504,
  BUSINESS_VENDOR_WEBHOOK_SUBSCRIPTION_LIMIT: 422,
  VALIDATION_WEBHOOK_EVENT_TYPE_NOT_SUBSCRIBED: 400,
} satisfies Partial<Record<ErrorCode, number>>;

/** Codes that decisions add; D39 and D44 name those of orders and returns. */
const decided = {
  REQUEST_TIMEOUT: 408,
  HEADERS_TOO_LARGE: 431,
  CONFLICT_VERSION: 409,
  PAYLOAD_TOO_LARGE: 413,
  INTERNAL_ERROR: 500,
  NOT_FOUND_FULFILMENT_GROUP: 404,
  BUSINESS_RETURN_EVIDENCE_LIMIT: 422,
  BUSINESS_FULFILMENT_GROUP_INVALID_TRANSITION: 422,
} satisfies Partial<Record<ErrorCode, number>>;

/** Whole families have one status. */
const families: readonly (readonly [string, number])[] = [
  ['NOT_FOUND_', 404],
  ['BUSINESS_', 422],
];

const codes = Object.keys(errorCatalogue) as ErrorCode[];

test.each(codes)('%s has the status that the specification or a decision gives it', (code) => {
  const statuses: Readonly<Record<string, number>> = { ...specified, ...decided };
  const family = families.find(([prefix]) => code.startsWith(prefix));
  expect(errorCatalogue[code].status).toBe(statuses[code] ?? family?.[1]);
});

test('every code of the specification and of these decisions is in the catalogue', () => {
  expect(Object.keys({ ...specified, ...decided }).filter((code) => !isErrorCode(code))).toEqual(
    [],
  );
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
