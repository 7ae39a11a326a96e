/**
 * The one catalogue of error codes: what `state` says and which HTTP status goes with it.
 * Source: the specification's part 7; codes of our own are marked with the decision that made them.
 */
export const errorCatalogue = {
  VALIDATION_ERRORS: { status: 400, meaning: 'The request body is invalid.' },
  VALIDATION_INVALID_PAGE: { status: 400, meaning: 'page is below 1 or not a whole number.' },
  VALIDATION_INVALID_PAGE_SIZE: { status: 400, meaning: 'pageSize is outside 1 to 100.' },
  VALIDATION_UNKNOWN_QUERY_PARAMETER: {
    status: 400,
    meaning: 'A query parameter has an unknown name.',
  },
  VALIDATION_INVALID_QUERY_PARAMETER: { status: 400, meaning: 'A query parameter does not parse.' },
  VALIDATION_UNKNOWN_INCLUDE: { status: 400, meaning: 'An include token is unknown.' },
  VALIDATION_INVALID_DATE: { status: 400, meaning: 'A date does not parse, or from is after to.' },
  /** D7: details.allowedValues are the subscribed types. */
  VALIDATION_WEBHOOK_EVENT_TYPE_NOT_SUBSCRIBED: {
    status: 400,
    meaning: 'The subscription is not subscribed to this event type.',
  },
  UNAUTHORIZED_INVALID_CREDENTIALS: { status: 401, meaning: 'Unknown client or wrong secret.' },
  UNAUTHORIZED_VENDOR_INACTIVE: { status: 401, meaning: 'The vendor is inactive.' },
  UNAUTHORIZED_MISSING_TOKEN: { status: 401, meaning: 'No bearer token was sent.' },
  UNAUTHORIZED_INVALID_TOKEN: { status: 401, meaning: 'The bearer token is invalid.' },
  UNAUTHORIZED_TOKEN_EXPIRED: {
    status: 401,
    meaning: 'The bearer token has expired; fetch a new one.',
  },
  UPSTREAM_AUTH_FAILED: {
    status: 401,
    meaning: 'A dependency refused the gateway itself; retry later.',
  },
  FORBIDDEN: { status: 403, meaning: 'The route is not available to this credential.' },
  FORBIDDEN_CAPABILITY_NOT_GRANTED: { status: 403, meaning: 'The token lacks a capability.' },
  FORBIDDEN_CAPABILITY_NOT_GRANTED_TO_VENDOR: {
    status: 403,
    meaning: "The capabilities exceed what the vendor's active credentials hold.",
  },
  NOT_FOUND_ROUTE: { status: 404, meaning: 'No route matches the path and method.' },
  NOT_FOUND_VENDOR_OFFER: { status: 404, meaning: 'No such offer of yours.' },
  NOT_FOUND_RETURN_REQUEST: { status: 404, meaning: 'No such return request of yours.' },
  /** D39. */
  NOT_FOUND_FULFILMENT_GROUP: { status: 404, meaning: 'No such fulfilment group of yours.' },
  NOT_FOUND_VENDOR_WEBHOOK_SUBSCRIPTION: { status: 404, meaning: 'No such subscription of yours.' },
  /** Ours: redelivery (D51). */
  NOT_FOUND_VENDOR_WEBHOOK_DELIVERY: {
    status: 404,
    meaning: 'No such delivery of this subscription.',
  },
  NOT_FOUND_VENDOR_CREDENTIAL: { status: 404, meaning: 'No such credential.' },
  /** Operator routes only (D64). */
  NOT_FOUND_VENDOR: { status: 404, meaning: 'No such vendor.' },
  /** Operator routes only (D64). */
  NOT_FOUND_VARIANT: { status: 404, meaning: 'No such variant.' },
  /** Operator routes: a decision on something that has changed meanwhile. */
  CONFLICT_VERSION: { status: 409, meaning: 'The offer has changed since the expected version.' },
  /** Ours: the request did not arrive in time. */
  REQUEST_TIMEOUT: { status: 408, meaning: 'The request did not arrive within 30 seconds.' },
  /** D7. */
  PAYLOAD_TOO_LARGE: { status: 413, meaning: 'The body is larger than 1 MiB.' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, meaning: 'The body was not sent as application/json.' },
  /** Ours: Node takes 16 KiB of headers. */
  HEADERS_TOO_LARGE: { status: 431, meaning: 'The headers are larger than 16 KiB.' },
  BUSINESS_OFFER_PRICE_FIELD_NOT_FOR_AGREEMENT: {
    status: 422,
    meaning: "The price field is not the agreement's.",
  },
  /** D64. */
  BUSINESS_OFFER_PRICE_REQUIRED: {
    status: 422,
    meaning: 'The offer has no price of its agreement yet.',
  },
  /** D64. */
  BUSINESS_OFFER_NO_PENDING_PRICE: { status: 422, meaning: 'No price of the offer is staged.' },
  /** D64. */
  BUSINESS_OFFER_INVALID_TRANSITION: {
    status: 422,
    meaning: "The offer's status does not allow this.",
  },
  BUSINESS_RETURN_INSPECTION_EVIDENCE_REQUIRED: {
    status: 422,
    meaning: 'A proposal needs at least one Photo as evidence.',
  },
  BUSINESS_RETURN_REQUEST_INVALID_TRANSITION: {
    status: 422,
    meaning: "The return request's status does not allow this.",
  },
  BUSINESS_RETURN_REQUEST_NOT_RECEIVED: {
    status: 422,
    meaning: 'The return has not been received yet.',
  },
  /** Ours: a return carries at most 100 pieces of evidence. */
  BUSINESS_RETURN_EVIDENCE_LIMIT: {
    status: 422,
    meaning: 'The return has 100 pieces of evidence already.',
  },
  BUSINESS_VENDOR_FIRST_CREDENTIAL_REQUIRES_ONBOARDING: {
    status: 422,
    meaning: 'The vendor has no active credential; the operator issues the first one.',
  },
  /** D39. */
  BUSINESS_FULFILMENT_GROUP_INVALID_TRANSITION: {
    status: 422,
    meaning: "The fulfilment group's status does not allow this.",
  },
  /** D7: 422 with details.reason ACTIVE_LIMIT or URL_NOT_ALLOWED. */
  BUSINESS_VENDOR_WEBHOOK_SUBSCRIPTION_LIMIT: {
    status: 422,
    meaning: 'Five subscriptions are active, or the URL is not allowed.',
  },
  /** D64. */
  BUSINESS_VENDOR_WEBHOOK_SUBSCRIPTION_INACTIVE: {
    status: 422,
    meaning: 'The subscription is inactive.',
  },
  /** D64: details.reason is WAITING, SUBSCRIPTION_INACTIVE or TEST. */
  BUSINESS_VENDOR_WEBHOOK_DELIVERY_NOT_REDELIVERABLE: {
    status: 422,
    meaning: 'The delivery cannot be made once more.',
  },
  /** D7. */
  TOO_MANY_REQUESTS: { status: 429, meaning: 'Too many requests; wait for Retry-After seconds.' },
  /** D7. */
  INTERNAL_ERROR: { status: 500, meaning: 'An unexpected fault; details.requestId names it.' },
  BAD_GATEWAY: {
    status: 502,
    meaning: 'A dependency gave an invalid answer; retry with back-off.',
  },
  SERVICE_UNAVAILABLE: { status: 503, meaning: 'A dependency is away; retry with back-off.' },
  GATEWAY_TIMEOUT: {
    status: 504,
    meaning: 'A dependency did not answer in time; retry with back-off.',
  },
} as const satisfies Record<string, { status: number; meaning: string }>;

export type ErrorCode = keyof typeof errorCatalogue;

export const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(errorCatalogue, code);

/** What `details` may hold: JSON only. */
export type ErrorDetails = Readonly<Record<string, unknown>>;

/** One expected failure: a code of the catalogue and its details. */
export type Failure = { readonly code: ErrorCode; readonly details: ErrorDetails };

/** What a rule answers: a value, or the failure that the caller is told. */
export type Result<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: Failure };

export const ok = <T>(value: T): Result<T> => ({ ok: true, value });
export const fail = (
  code: ErrorCode,
  details: ErrorDetails = {},
): { ok: false; failure: Failure } => ({
  ok: false,
  failure: { code, details },
});

/** One entry of a validation failure's `details.errors` (D3). */
export type FieldError = {
  /** The field's name in PascalCase, as the specification writes it. */
  readonly field: string;
  /** A JSON pointer into what was sent. */
  readonly path: string;
  readonly code: string;
  readonly message: string;
};

/** `costIsVatInclusive` becomes `CostIsVatInclusive`. */
export const fieldName = (property: string): string =>
  property.charAt(0).toUpperCase() + property.slice(1);

/** One entry for a property of the body's top level (D3). */
export const fieldError = (property: string, code: string, message: string): FieldError => ({
  field: fieldName(property),
  path: `/${property}`,
  code,
  message,
});

/** A `VALIDATION_ERRORS` failure that names each failing field (D3). */
export const invalidFields = (errors: readonly FieldError[]) =>
  fail('VALIDATION_ERRORS', { errors });
export const invalid = (...errors: readonly FieldError[]) => invalidFields(errors);
