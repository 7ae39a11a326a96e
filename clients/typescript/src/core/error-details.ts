// Generated from the gateway's document by `npm run client:types`: do not edit.

import type { components } from '../schema.ts';

/** One failing field of a request body. */
export type FieldError = Readonly<components['schemas']['FieldError']>;

type All = Readonly<components['schemas']['ErrorDetails']>;
/** `help` is where the gateway explains the code. */
type Details<Always extends keyof All, Sometimes extends keyof All = never> = Required<
  Pick<All, Always | 'help'>
> &
  Pick<All, Sometimes>;
type NoDetails = Readonly<Record<string, never>>;

/** The details of each code that the gateway returns to vendors. */
export type DetailsByCode = {
  VALIDATION_ERRORS: Details<'errors', 'allowedValues'>;
  VALIDATION_INVALID_PAGE: Details<'parameter' | 'minimum' | 'maximum', 'received' | 'message'>;
  VALIDATION_INVALID_PAGE_SIZE: Details<'parameter' | 'minimum' | 'maximum', 'received' | 'message'>;
  VALIDATION_UNKNOWN_QUERY_PARAMETER: Details<'parameters' | 'allowedParameters'>;
  VALIDATION_INVALID_QUERY_PARAMETER: Details<'parameter', 'received' | 'message' | 'allowedValues'>;
  VALIDATION_UNKNOWN_INCLUDE: Details<'parameter' | 'allowedValues'>;
  VALIDATION_INVALID_DATE: Details<'parameter' | 'expected', 'received' | 'message'>;
  VALIDATION_WEBHOOK_EVENT_TYPE_NOT_SUBSCRIBED: Details<'allowedValues'>;
  UNAUTHORIZED_INVALID_CREDENTIALS: NoDetails;
  UNAUTHORIZED_VENDOR_INACTIVE: NoDetails;
  UNAUTHORIZED_MISSING_TOKEN: Details<never>;
  UNAUTHORIZED_INVALID_TOKEN: Details<never>;
  UNAUTHORIZED_TOKEN_EXPIRED: Details<never>;
  UPSTREAM_AUTH_FAILED: Details<never>;
  FORBIDDEN: Details<never, 'requiredRole' | 'reason' | 'message'>;
  FORBIDDEN_CAPABILITY_NOT_GRANTED: Details<'requiredCapability', 'eventType'>;
  FORBIDDEN_CAPABILITY_NOT_GRANTED_TO_VENDOR: Details<'notHeld'>;
  NOT_FOUND_ROUTE: Details<never, 'allowedMethods'>;
  NOT_FOUND_VENDOR_OFFER: Details<never>;
  NOT_FOUND_RETURN_REQUEST: Details<never>;
  NOT_FOUND_FULFILMENT_GROUP: Details<never>;
  NOT_FOUND_VENDOR_WEBHOOK_SUBSCRIPTION: Details<never>;
  NOT_FOUND_VENDOR_WEBHOOK_DELIVERY: Details<never>;
  NOT_FOUND_BULK_JOB: Details<never>;
  NOT_FOUND_VENDOR_CREDENTIAL: Details<never>;
  REQUEST_TIMEOUT: Details<never>;
  CONFLICT_VERSION: Details<never, 'expectedVersion' | 'reviewVersion' | 'version' | 'expectedMoved' | 'offersMovedToRepricing' | 'reason' | 'message' | 'decidedBy' | 'decision' | 'at'>;
  PAYLOAD_TOO_LARGE: Details<'maximum' | 'message'>;
  UNSUPPORTED_MEDIA_TYPE: Details<'received' | 'allowedValues', 'message'>;
  BUSINESS_OFFER_PRICE_FIELD_NOT_FOR_AGREEMENT: Details<'field' | 'pricingModel' | 'fieldToSend' | 'message'>;
  BUSINESS_OFFER_PRICE_REQUIRED: Details<'field'>;
  BUSINESS_OFFER_NO_PENDING_PRICE: Details<never, 'decidedBy' | 'decision' | 'at'>;
  BUSINESS_SANDBOX_NOTHING_TO_ORDER: Details<never, 'status' | 'message'>;
  BUSINESS_OFFER_INVALID_TRANSITION: Details<never, 'status' | 'action' | 'reason' | 'decidedBy' | 'decision' | 'at'>;
  BUSINESS_RETURN_INSPECTION_EVIDENCE_REQUIRED: Details<never>;
  BUSINESS_RETURN_REQUEST_INVALID_TRANSITION: Details<never, 'status' | 'action' | 'reason' | 'decidedBy' | 'decision' | 'at'>;
  BUSINESS_RETURN_REQUEST_NOT_RECEIVED: Details<'status'>;
  BUSINESS_RETURN_QUANTITY_EXCEEDED: Details<'lines'>;
  BUSINESS_RETURN_EVIDENCE_LIMIT: Details<'maximum'>;
  BUSINESS_VENDOR_FIRST_CREDENTIAL_REQUIRES_ONBOARDING: Details<never>;
  BUSINESS_VENDOR_CREDENTIAL_LIMIT: Details<'reason'>;
  BUSINESS_FULFILMENT_GROUP_INVALID_TRANSITION: Details<never, 'status' | 'action' | 'reason'>;
  BUSINESS_VENDOR_WEBHOOK_SUBSCRIPTION_LIMIT: Details<'reason', 'message'>;
  BUSINESS_VENDOR_WEBHOOK_SUBSCRIPTION_INACTIVE: Details<never>;
  BUSINESS_BULK_JOB_INVALID_TRANSITION: Details<never, 'status' | 'action' | 'reason' | 'message'>;
  BUSINESS_VENDOR_WEBHOOK_DELIVERY_NOT_REDELIVERABLE: Details<'reason'>;
  BUSINESS_SANDBOX_CLOCK_ADVANCING: Details<never>;
  BUSINESS_SANDBOX_CLOCK_LIMIT: Details<'left'>;
  BUSINESS_IDEMPOTENCY_KEY_REUSED: Details<'reason' | 'message'>;
  TOO_MANY_REQUESTS: Details<'reason' | 'message', 'maximum' | 'maxInProgress'>;
  HEADERS_TOO_LARGE: Details<'maximum' | 'message'>;
  INTERNAL_ERROR: Details<'requestId'>;
  BAD_GATEWAY: Details<never>;
  SERVICE_UNAVAILABLE: Details<never>;
  GATEWAY_TIMEOUT: Details<never, 'reason' | 'message'>;
};
export type ErrorCode = keyof DetailsByCode;

export const errorCodes: readonly ErrorCode[] = [
  'VALIDATION_ERRORS',
  'VALIDATION_INVALID_PAGE',
  'VALIDATION_INVALID_PAGE_SIZE',
  'VALIDATION_UNKNOWN_QUERY_PARAMETER',
  'VALIDATION_INVALID_QUERY_PARAMETER',
  'VALIDATION_UNKNOWN_INCLUDE',
  'VALIDATION_INVALID_DATE',
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
  'NOT_FOUND_RETURN_REQUEST',
  'NOT_FOUND_FULFILMENT_GROUP',
  'NOT_FOUND_VENDOR_WEBHOOK_SUBSCRIPTION',
  'NOT_FOUND_VENDOR_WEBHOOK_DELIVERY',
  'NOT_FOUND_BULK_JOB',
  'NOT_FOUND_VENDOR_CREDENTIAL',
  'REQUEST_TIMEOUT',
  'CONFLICT_VERSION',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'BUSINESS_OFFER_PRICE_FIELD_NOT_FOR_AGREEMENT',
  'BUSINESS_OFFER_PRICE_REQUIRED',
  'BUSINESS_OFFER_NO_PENDING_PRICE',
  'BUSINESS_SANDBOX_NOTHING_TO_ORDER',
  'BUSINESS_OFFER_INVALID_TRANSITION',
  'BUSINESS_RETURN_INSPECTION_EVIDENCE_REQUIRED',
  'BUSINESS_RETURN_REQUEST_INVALID_TRANSITION',
  'BUSINESS_RETURN_REQUEST_NOT_RECEIVED',
  'BUSINESS_RETURN_QUANTITY_EXCEEDED',
  'BUSINESS_RETURN_EVIDENCE_LIMIT',
  'BUSINESS_VENDOR_FIRST_CREDENTIAL_REQUIRES_ONBOARDING',
  'BUSINESS_VENDOR_CREDENTIAL_LIMIT',
  'BUSINESS_FULFILMENT_GROUP_INVALID_TRANSITION',
  'BUSINESS_VENDOR_WEBHOOK_SUBSCRIPTION_LIMIT',
  'BUSINESS_VENDOR_WEBHOOK_SUBSCRIPTION_INACTIVE',
  'BUSINESS_BULK_JOB_INVALID_TRANSITION',
  'BUSINESS_VENDOR_WEBHOOK_DELIVERY_NOT_REDELIVERABLE',
  'BUSINESS_SANDBOX_CLOCK_ADVANCING',
  'BUSINESS_SANDBOX_CLOCK_LIMIT',
  'BUSINESS_IDEMPOTENCY_KEY_REUSED',
  'TOO_MANY_REQUESTS',
  'HEADERS_TOO_LARGE',
  'INTERNAL_ERROR',
  'BAD_GATEWAY',
  'SERVICE_UNAVAILABLE',
  'GATEWAY_TIMEOUT',
];
