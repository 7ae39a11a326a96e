import { expect, test } from 'vitest';
import { errorCatalogue } from '../../../domain/errors.ts';
import { namedTests } from './named-tests.ts';

/** The table of the API specification's part 7, code by code; `TOO_MANY_REQUESTS` is our name for its 429. */
const specified: Readonly<Record<string, number>> = {
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
};

/** Named there, their statuses left open: what was decided for them (D7). */
const leftOpen: Readonly<Record<string, number>> = {
  BUSINESS_VENDOR_WEBHOOK_SUBSCRIPTION_LIMIT: 422,
  VALIDATION_WEBHOOK_EVENT_TYPE_NOT_SUBSCRIBED: 400,
};

const tests = namedTests();

test('the tests of this folder name the whole catalogue, and nothing else', () => {
  expect([...new Set(tests.map(({ code }) => code))].toSorted()).toEqual(
    Object.keys(errorCatalogue).toSorted(),
  );
});

test('each of them looks at an answer of one status, and that is the catalogue’s', () => {
  const found = tests.map(({ name, code, statuses }) => ({ name, code, statuses }));
  const expected = found.map(({ name, code }) => ({
    name,
    code,
    statuses: Object.entries(errorCatalogue).flatMap(([each, { status }]) =>
      each === code ? [status] : [],
    ),
  }));
  expect(found).toEqual(expected);
});

test('every code of the specification’s part 7 is produced, with the status that it has there', () => {
  for (const [code, status] of Object.entries({ ...specified, ...leftOpen })) {
    const produced = tests.filter((each) => each.code === code);
    expect(produced.length, code).toBeGreaterThan(0);
    for (const { statuses } of produced) expect(statuses, code).toEqual([status]);
  }
});
