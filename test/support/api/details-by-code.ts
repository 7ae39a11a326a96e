import type { ErrorCode } from '../../../domain/errors.ts';

/** The latest act on what a decision is about; for operators. */
const latestAct = 'decidedBy? decision? at?';

/** The details of each code beside `help`; a name with `?` is in some of its responses only. */
export const detailsByCode: Readonly<Partial<Record<ErrorCode, string>>> = {
  VALIDATION_ERRORS: 'errors allowedValues?',
  VALIDATION_INVALID_PAGE: 'parameter minimum maximum received? message?',
  VALIDATION_INVALID_PAGE_SIZE: 'parameter minimum maximum received? message?',
  VALIDATION_UNKNOWN_QUERY_PARAMETER: 'parameters allowedParameters',
  VALIDATION_INVALID_QUERY_PARAMETER: 'parameter received? message? allowedValues?',
  VALIDATION_UNKNOWN_INCLUDE: 'parameter allowedValues',
  VALIDATION_INVALID_DATE: 'parameter expected received? message?',
  VALIDATION_WEBHOOK_EVENT_TYPE_NOT_SUBSCRIBED: 'allowedValues',
  FORBIDDEN: 'requiredRole? reason? message?',
  FORBIDDEN_CAPABILITY_NOT_GRANTED: 'requiredCapability eventType?',
  FORBIDDEN_CAPABILITY_NOT_GRANTED_TO_VENDOR: 'notHeld',
  NOT_FOUND_ROUTE: 'allowedMethods?',
  CONFLICT_VERSION:
    'expectedVersion? reviewVersion? version? expectedMoved? offersMovedToRepricing? reason? ' +
    `message? ${latestAct}`,
  PAYLOAD_TOO_LARGE: 'maximum message',
  UNSUPPORTED_MEDIA_TYPE: 'received allowedValues message?',
  BUSINESS_OFFER_PRICE_FIELD_NOT_FOR_AGREEMENT: 'field pricingModel fieldToSend message',
  BUSINESS_OFFER_PRICE_REQUIRED: 'field',
  BUSINESS_OFFER_NO_PENDING_PRICE: latestAct,
  BUSINESS_OFFER_DECISION_NOT_UNDOABLE: `reason message ${latestAct}`,
  BUSINESS_SANDBOX_NOTHING_TO_ORDER: 'status? message?',
  BUSINESS_OFFER_INVALID_TRANSITION: `status? action? reason? ${latestAct}`,
  BUSINESS_RETURN_REQUEST_INVALID_TRANSITION: `status? action? reason? ${latestAct}`,
  BUSINESS_RETURN_REQUEST_NOT_RECEIVED: 'status',
  BUSINESS_RETURN_QUANTITY_EXCEEDED: 'lines',
  BUSINESS_RETURN_EVIDENCE_LIMIT: 'maximum',
  BUSINESS_NOTE_LIMIT: 'maximum',
  BUSINESS_VENDOR_CREDENTIAL_LIMIT: 'reason',
  BUSINESS_FULFILMENT_GROUP_INVALID_TRANSITION: 'status? action? reason?',
  BUSINESS_VENDOR_WEBHOOK_SUBSCRIPTION_LIMIT: 'reason message?',
  BUSINESS_BULK_JOB_INVALID_TRANSITION: 'status? action? reason? message?',
  BUSINESS_VENDOR_WEBHOOK_DELIVERY_NOT_REDELIVERABLE: 'reason',
  BUSINESS_SANDBOX_CLOCK_LIMIT: 'left',
  BUSINESS_IDEMPOTENCY_KEY_REUSED: 'reason message',
  TOO_MANY_REQUESTS: 'reason message maximum? maxInProgress?',
  HEADERS_TOO_LARGE: 'maximum message',
  INTERNAL_ERROR: 'requestId',
  GATEWAY_TIMEOUT: 'reason? message?',
};
