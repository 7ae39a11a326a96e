/** The codes that the gateway returns to vendors. */
export const errorCodes = [
  'VALIDATION_ERRORS',
  'VALIDATION_INVALID_PAGE',
  'VALIDATION_INVALID_PAGE_SIZE',
  'VALIDATION_UNKNOWN_QUERY_PARAMETER',
  'VALIDATION_INVALID_QUERY_PARAMETER',
  'VALIDATION_INVALID_DATE',
  'VALIDATION_UNKNOWN_INCLUDE',
  'VALIDATION_WEBHOOK_EVENT_TYPE_NOT_SUBSCRIBED',
  'UNAUTHORIZED_INVALID_CREDENTIALS',
  'UNAUTHORIZED_VENDOR_INACTIVE',
  'UNAUTHORIZED_MISSING_TOKEN',
  'UNAUTHORIZED_INVALID_TOKEN',
  'UNAUTHORIZED_TOKEN_EXPIRED',
  'UPSTREAM_AUTH_FAILED',
  'FORBIDDEN',
  'FORBIDDEN_CAPABILITY_NOT_GRANTED',
  'FORBIDDEN_CAPABILITY_NOT_GRANTED_TO_VENDOR',
  'NOT_FOUND_ROUTE',
  'NOT_FOUND_VENDOR_OFFER',
  'NOT_FOUND_FULFILMENT_GROUP',
  'NOT_FOUND_RETURN_REQUEST',
  'NOT_FOUND_VENDOR_WEBHOOK_SUBSCRIPTION',
  'NOT_FOUND_VENDOR_WEBHOOK_DELIVERY',
  'NOT_FOUND_BULK_JOB',
  'NOT_FOUND_VENDOR_CREDENTIAL',
  'CONFLICT_VERSION',
  'REQUEST_TIMEOUT',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'HEADERS_TOO_LARGE',
  'BUSINESS_OFFER_PRICE_FIELD_NOT_FOR_AGREEMENT',
  'BUSINESS_OFFER_INVALID_TRANSITION',
  'BUSINESS_OFFER_PRICE_REQUIRED',
  'BUSINESS_OFFER_NO_PENDING_PRICE',
  'BUSINESS_SANDBOX_NOTHING_TO_ORDER',
  'BUSINESS_BULK_JOB_INVALID_TRANSITION',
  'BUSINESS_FULFILMENT_GROUP_INVALID_TRANSITION',
  'BUSINESS_RETURN_REQUEST_INVALID_TRANSITION',
  'BUSINESS_RETURN_REQUEST_NOT_RECEIVED',
  'BUSINESS_RETURN_INSPECTION_EVIDENCE_REQUIRED',
  'BUSINESS_RETURN_EVIDENCE_LIMIT',
  'BUSINESS_RETURN_QUANTITY_EXCEEDED',
  'BUSINESS_SANDBOX_CLOCK_ADVANCING',
  'BUSINESS_SANDBOX_CLOCK_LIMIT',
  'BUSINESS_VENDOR_FIRST_CREDENTIAL_REQUIRES_ONBOARDING',
  'BUSINESS_VENDOR_CREDENTIAL_LIMIT',
  'BUSINESS_VENDOR_WEBHOOK_SUBSCRIPTION_LIMIT',
  'BUSINESS_VENDOR_WEBHOOK_SUBSCRIPTION_INACTIVE',
  'BUSINESS_VENDOR_WEBHOOK_DELIVERY_NOT_REDELIVERABLE',
  'BUSINESS_IDEMPOTENCY_KEY_REUSED',
  'TOO_MANY_REQUESTS',
  'INTERNAL_ERROR',
  'BAD_GATEWAY',
  'SERVICE_UNAVAILABLE',
  'GATEWAY_TIMEOUT',
] as const;
export type ErrorCode = (typeof errorCodes)[number];

/** One failing field of a request body. */
export type FieldError = {
  /** The field's name in PascalCase. */
  readonly field: string;
  /** A JSON pointer into the body. */
  readonly path: string;
  /** The reason, for programs. */
  readonly code: string;
  /** The reason, for people. */
  readonly message: string;
};

type Transition = { readonly status?: string; readonly action?: string; readonly reason?: string };

/** Of a parameter that the call gave more than once; `message` also says why a value is refused. */
type Refused = { readonly received?: unknown; readonly message?: string };
type OutOfRange = Refused & {
  readonly parameter: string;
  readonly minimum: number;
  readonly maximum: number;
};
/** The limit in bytes. */
type ByteLimit = { readonly maximum: number; readonly message: string };

/** The details of the codes that have some of their own. */
type OwnDetails = {
  VALIDATION_ERRORS: { readonly errors: readonly FieldError[] };
  VALIDATION_INVALID_PAGE: OutOfRange;
  VALIDATION_INVALID_PAGE_SIZE: OutOfRange;
  VALIDATION_UNKNOWN_QUERY_PARAMETER: {
    readonly parameters: readonly string[];
    readonly allowedParameters: readonly string[];
  };
  VALIDATION_INVALID_QUERY_PARAMETER: Refused & {
    readonly parameter: string;
    readonly allowedValues?: readonly string[];
  };
  VALIDATION_INVALID_DATE: Refused & {
    readonly parameter: string;
    readonly expected: string;
  };
  VALIDATION_UNKNOWN_INCLUDE: {
    readonly parameter: string;
    readonly allowedValues: readonly string[];
  };
  VALIDATION_WEBHOOK_EVENT_TYPE_NOT_SUBSCRIBED: { readonly allowedValues: readonly string[] };
  FORBIDDEN: {
    readonly requiredRole?: string;
    readonly reason?: string;
    readonly message?: string;
  };
  FORBIDDEN_CAPABILITY_NOT_GRANTED: {
    readonly requiredCapability: string;
    readonly eventType?: string;
  };
  FORBIDDEN_CAPABILITY_NOT_GRANTED_TO_VENDOR: { readonly notHeld: readonly string[] };
  NOT_FOUND_ROUTE: { readonly allowedMethods?: readonly string[] };
  PAYLOAD_TOO_LARGE: ByteLimit;
  UNSUPPORTED_MEDIA_TYPE: {
    readonly received: string | null;
    readonly allowedValues: readonly string[];
    readonly message?: string;
  };
  HEADERS_TOO_LARGE: ByteLimit;
  BUSINESS_OFFER_PRICE_FIELD_NOT_FOR_AGREEMENT: {
    readonly field: string;
    readonly pricingModel: string;
    readonly fieldToSend: string;
    readonly message: string;
  };
  CONFLICT_VERSION: { readonly expectedVersion: number; readonly reviewVersion: number };
  BUSINESS_OFFER_INVALID_TRANSITION: Transition;
  BUSINESS_OFFER_PRICE_REQUIRED: { readonly field: string };
  BUSINESS_SANDBOX_NOTHING_TO_ORDER: { readonly status?: string; readonly message?: string };
  BUSINESS_BULK_JOB_INVALID_TRANSITION: Transition & { readonly message?: string };
  BUSINESS_FULFILMENT_GROUP_INVALID_TRANSITION: Transition;
  BUSINESS_RETURN_REQUEST_INVALID_TRANSITION: Transition;
  BUSINESS_RETURN_REQUEST_NOT_RECEIVED: { readonly status: string };
  BUSINESS_RETURN_QUANTITY_EXCEEDED: {
    readonly lines: readonly {
      readonly path: string;
      readonly orderedQuantity: number;
      readonly returnedQuantity: number;
      readonly requestedQuantity: number;
    }[];
  };
  BUSINESS_RETURN_EVIDENCE_LIMIT: { readonly maximum: number };
  BUSINESS_SANDBOX_CLOCK_LIMIT: { readonly left: string };
  BUSINESS_VENDOR_CREDENTIAL_LIMIT: { readonly reason: string };
  BUSINESS_VENDOR_WEBHOOK_SUBSCRIPTION_LIMIT: {
    readonly reason: string;
    readonly message?: string;
  };
  BUSINESS_VENDOR_WEBHOOK_DELIVERY_NOT_REDELIVERABLE: { readonly reason: string };
  BUSINESS_IDEMPOTENCY_KEY_REUSED: { readonly reason: string; readonly message: string };
  TOO_MANY_REQUESTS: {
    readonly reason: string;
    readonly message: string;
    readonly maximum?: number;
    readonly maxInProgress?: number;
  };
  INTERNAL_ERROR: { readonly requestId: string };
  GATEWAY_TIMEOUT: { readonly reason?: string; readonly message?: string };
};

/** Where the gateway explains the code. */
type Help = { readonly help: string };

/** The refusals of a log-in have empty details. */
type WithoutDetails = 'UNAUTHORIZED_INVALID_CREDENTIALS' | 'UNAUTHORIZED_VENDOR_INACTIVE';

/** The details of each code. */
export type DetailsByCode = {
  [C in ErrorCode]: C extends WithoutDetails
    ? Readonly<Record<string, never>>
    : C extends keyof OwnDetails
      ? OwnDetails[C] & Help
      : Help;
};
