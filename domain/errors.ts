/**
 * The catalogue of error codes by HTTP status, each with its meaning and what to do next. Source:
 * part 7 of the specification; docs/choices.md explains the codes that it lacks.
 */
const meanings = {
  400: {
    VALIDATION_ERRORS: 'The request body is invalid; details.errors names each field.',
    VALIDATION_INVALID_PAGE: 'page is not a whole number of at least 1 and at most 15 digits.',
    VALIDATION_INVALID_PAGE_SIZE: 'pageSize is not a whole number from 1 to 100.',
    VALIDATION_UNKNOWN_QUERY_PARAMETER:
      'A query parameter is unknown; details.allowedParameters lists the known ones.',
    VALIDATION_INVALID_QUERY_PARAMETER:
      'A query parameter has an invalid value; details.parameter names it.',
    VALIDATION_UNKNOWN_INCLUDE:
      'An include token is unknown; details.allowedValues lists the known.',
    VALIDATION_INVALID_DATE: 'A date is not RFC 3339 with an offset, or from is after to.',
    VALIDATION_WEBHOOK_EVENT_TYPE_NOT_SUBSCRIBED:
      'The subscription lacks this event type; details.allowedValues lists its types.',
  },
  401: {
    UNAUTHORIZED_INVALID_CREDENTIALS: 'The client id is unknown or the secret is wrong.',
    UNAUTHORIZED_VENDOR_INACTIVE: 'The vendor is inactive; contact the operator.',
    UNAUTHORIZED_MISSING_TOKEN: 'The request has no bearer token.',
    UNAUTHORIZED_INVALID_TOKEN: 'The bearer token is invalid; fetch a new one.',
    UNAUTHORIZED_TOKEN_EXPIRED: 'The bearer token has expired; fetch a new one.',
    UPSTREAM_AUTH_FAILED: 'A dependency refused the gateway itself; retry later.',
  },
  403: {
    FORBIDDEN: 'The call is not available to this credential; see details.',
    FORBIDDEN_CAPABILITY_NOT_GRANTED:
      'The token lacks a capability; details.requiredCapability names it.',
    FORBIDDEN_CAPABILITY_NOT_GRANTED_TO_VENDOR:
      "The capabilities exceed what the vendor's active credentials hold; see details.notHeld.",
  },
  404: {
    NOT_FOUND_ROUTE: 'No route matches the path and method.',
    NOT_FOUND_VENDOR_OFFER: 'There is no offer with this id that you can access.',
    NOT_FOUND_RETURN_REQUEST: 'There is no return request with this id that you can access.',
    NOT_FOUND_FULFILMENT_GROUP: 'There is no fulfilment group with this id that you can access.',
    NOT_FOUND_VENDOR_WEBHOOK_SUBSCRIPTION:
      'There is no subscription with this id that you can access.',
    NOT_FOUND_VENDOR_WEBHOOK_DELIVERY: 'The subscription has no delivery with this id.',
    NOT_FOUND_BULK_JOB: 'There is no bulk job with this id that you can access.',
    NOT_FOUND_VENDOR_CREDENTIAL: 'There is no credential with this id.',
    // Operator routes only.
    NOT_FOUND_VENDOR: 'There is no vendor with this id.',
    NOT_FOUND_VARIANT: 'There is no variant with this id.',
    NOT_FOUND_ORDER: 'There is no order with this orderGlobalId.',
    NOT_FOUND_OPERATOR: 'There is no operator with this id.',
  },
  // Ours: the request arrives too slowly.
  408: { REQUEST_TIMEOUT: 'The request did not arrive within 30 seconds; send it again.' },
  // Operator routes only.
  409: {
    CONFLICT_VERSION:
      'What you judge has changed since expectedVersion; read it again, then decide again.',
  },
  413: { PAYLOAD_TOO_LARGE: 'The body is larger than 1 MiB; a bulk job may have 8 MiB.' },
  415: {
    UNSUPPORTED_MEDIA_TYPE: 'The body is not application/json, or is compressed; see details.',
  },
  422: {
    BUSINESS_OFFER_PRICE_FIELD_NOT_FOR_AGREEMENT:
      'The price field belongs to the other pricing model; send details.fieldToSend.',
    BUSINESS_OFFER_PRICE_REQUIRED:
      'The offer has no price above 0 for its agreement; the vendor must push one first.',
    BUSINESS_OFFER_NO_PENDING_PRICE: 'The offer has no staged price.',
    BUSINESS_OFFER_DECISION_NOT_UNDOABLE:
      'The latest decision cannot be taken back; see details.reason.',
    BUSINESS_SANDBOX_NOTHING_TO_ORDER: 'No offer can be ordered; approve one first.',
    BUSINESS_OFFER_INVALID_TRANSITION: "The offer's status does not allow this action.",
    BUSINESS_RETURN_INSPECTION_EVIDENCE_REQUIRED:
      'A proposal requires at least one Photo; add it as evidence first.',
    BUSINESS_RETURN_REQUEST_INVALID_TRANSITION: "The return's status does not allow this action.",
    BUSINESS_RETURN_REQUEST_NOT_RECEIVED:
      'The return has not been received; confirm its receipt first.',
    BUSINESS_RETURN_QUANTITY_EXCEEDED:
      'Other returns leave less of a line than this one asks for; see details.lines.',
    // Ours: a limit on the evidence of one return.
    BUSINESS_RETURN_EVIDENCE_LIMIT: 'The return already has 100 pieces of evidence.',
    BUSINESS_NOTE_LIMIT: 'There are 200 notes on this already.',
    BUSINESS_VENDOR_FIRST_CREDENTIAL_REQUIRES_ONBOARDING:
      'The vendor has no active credential; an operator must issue one.',
    BUSINESS_OPERATOR_LAST_ADMIN:
      'The last active Admin cannot be deactivated; create or activate another first.',
    // details.reason is TOTAL_LIMIT.
    BUSINESS_VENDOR_CREDENTIAL_LIMIT:
      'The vendor has twenty credentials; delete one that is no longer used.',
    BUSINESS_FULFILMENT_GROUP_INVALID_TRANSITION: "The group's status does not allow this action.",
    // details.reason is ACTIVE_LIMIT, TOTAL_LIMIT or URL_NOT_ALLOWED.
    BUSINESS_VENDOR_WEBHOOK_SUBSCRIPTION_LIMIT:
      'There are too many subscriptions, or the URL is not allowed; see details.reason.',
    BUSINESS_VENDOR_WEBHOOK_SUBSCRIPTION_INACTIVE:
      'The subscription is inactive; activate it first.',
    BUSINESS_BULK_JOB_INVALID_TRANSITION: "The job's state does not allow this action.",
    // details.reason is WAITING, SUBSCRIPTION_INACTIVE or TEST.
    BUSINESS_VENDOR_WEBHOOK_DELIVERY_NOT_REDELIVERABLE:
      'The delivery cannot be redelivered; see details.reason.',
    BUSINESS_SANDBOX_CLOCK_ADVANCING: 'The clock advances already; wait until it is Ready.',
    BUSINESS_SANDBOX_CLOCK_LIMIT:
      'The clock would be more than 365 days ahead; details.left is what is left.',
    // details.reason is OTHER_REQUEST or ANSWER_UNAVAILABLE.
    BUSINESS_IDEMPOTENCY_KEY_REUSED:
      'The Idempotency-Key has no answer for this request; see details.reason.',
  },
  429: {
    TOO_MANY_REQUESTS:
      'The rate limit is used up, or too many calls are in progress (details.reason); wait ' +
      'Retry-After seconds.',
  },
  // Ours: Node accepts 16 KiB of headers.
  431: { HEADERS_TOO_LARGE: 'The headers are larger than 16 KiB.' },
  500: { INTERNAL_ERROR: 'An unexpected error; report details.requestId.' },
  502: { BAD_GATEWAY: 'A dependency gave an invalid answer; retry with back-off.' },
  503: { SERVICE_UNAVAILABLE: 'A dependency is unavailable; retry with back-off.' },
  504: { GATEWAY_TIMEOUT: 'A dependency did not answer in time; retry with back-off.' },
} as const;

type CodesByStatus = { [S in keyof typeof meanings]: keyof (typeof meanings)[S] };
export type ErrorCode = CodesByStatus[keyof CodesByStatus];

export const errorCatalogue = Object.fromEntries(
  Object.entries(meanings).flatMap(([status, codes]) =>
    Object.entries(codes).map(([code, meaning]) => [code, { status: Number(status), meaning }]),
  ),
) as Readonly<Record<ErrorCode, { readonly status: number; readonly meaning: string }>>;

export const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(errorCatalogue, code);

/** What `details` may hold: JSON only. */
export type ErrorDetails = Readonly<Record<string, unknown>>;

/** One expected failure: a code of the catalogue and its details. */
export type Failure = { readonly code: ErrorCode; readonly details: ErrorDetails };

/** The result of a rule: a value, or the failure that the caller gets. */
export type Result<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: Failure };

export const ok = <T>(value: T): Result<T> => ({ ok: true, value });
export const fail = (
  code: ErrorCode,
  details: ErrorDetails = {},
): { ok: false; failure: Failure } => ({ ok: false, failure: { code, details } });

/** The codes of decisions that another one may have made impossible. */
const overtaken: ReadonlySet<string> = new Set<ErrorCode>([
  'CONFLICT_VERSION',
  'BUSINESS_OFFER_INVALID_TRANSITION',
  'BUSINESS_OFFER_NO_PENDING_PRICE',
  'BUSINESS_OFFER_DECISION_NOT_UNDOABLE',
  'BUSINESS_RETURN_REQUEST_INVALID_TRANSITION',
]);
export const isOvertaken = (code: string): boolean => overtaken.has(code);

/** One entry of `details.errors`. */
export type FieldError = {
  /** The field's name in PascalCase, as in the specification. */
  readonly field: string;
  /** A JSON pointer into the body. */
  readonly path: string;
  readonly code: string;
  readonly message: string;
};

/** `costIsVatInclusive` becomes `CostIsVatInclusive`. */
export const fieldName = (property: string): string =>
  property.charAt(0).toUpperCase() + property.slice(1);

/** An entry for a top-level property of the body. */
export const fieldError = (property: string, code: string, message: string): FieldError => ({
  field: fieldName(property),
  path: `/${property}`,
  code,
  message,
});

/** A `VALIDATION_ERRORS` failure with its entries. */
export const invalid = (...errors: readonly FieldError[]) => fail('VALIDATION_ERRORS', { errors });
