import {
  errorCatalogue,
  invalid,
  type ErrorCode,
  type ErrorDetails,
  type Failure,
  type FieldError,
  type Result,
} from '../../domain/errors.ts';

/** An expected failure, which the error handler turns into the response. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ErrorCode;
  readonly statusCode: number;
  readonly details: ErrorDetails;
  readonly headers: Readonly<Record<string, string>>;
  /** Facts for the security log. They are never returned. */
  readonly logged: Readonly<Record<string, string>>;

  constructor(
    { code, details }: Failure,
    headers: Readonly<Record<string, string>> = {},
    logged: Readonly<Record<string, string>> = {},
  ) {
    super(code);
    this.code = code;
    this.statusCode = errorCatalogue[code].status;
    this.details = details;
    this.headers = headers;
    this.logged = logged;
  }
}

export const apiError = (
  code: ErrorCode,
  details: ErrorDetails = {},
  headers: Readonly<Record<string, string>> = {},
): ApiError => new ApiError({ code, details }, headers);

/** As {@link apiError}, with facts for the security log that are not returned. */
export const refusedWith = (code: ErrorCode, logged: Readonly<Record<string, string>>): ApiError =>
  new ApiError({ code, details: {} }, {}, logged);

/** 400 with an entry for each failing field. */
export const validationErrors = (...errors: readonly FieldError[]): ApiError =>
  new ApiError(invalid(...errors).failure);

/** 413 with the limit in bytes. */
export const payloadTooLarge = (maximum: number): ApiError =>
  apiError('PAYLOAD_TOO_LARGE', {
    maximum,
    message: `The body may have at most ${maximum} bytes.`,
  });

/** What each rate counts in its window. */
const countedBy = {
  TOKEN_CALLS: 'token calls of one client from one network',
  ADDRESS_TOKEN_CALLS: 'token calls from one source address',
  FAILED_LOG_INS: 'failed log-ins of one operator from one network',
  CALLS: 'calls of your account',
  PUSHES: 'stock and price pushes of your account',
  BULK_ITEMS: 'items of bulk pushes of your account',
  JOB_ITEMS: 'items of bulk jobs of your account',
  SAMPLES: 'samples of one subscription',
  REDELIVERIES: 'redeliveries of one subscription',
  SANDBOX_REGISTRATIONS: 'registrations from one source address',
} as const;
export type RateName = keyof typeof countedBy;

/** 429 with the rate that is used up and the seconds to wait; `logged` is for the security log. */
export const tooManyRequests = (
  reason: RateName,
  { limit, resetSeconds }: { readonly limit: number; readonly resetSeconds: number },
  logged: Readonly<Record<string, string>> = {},
): ApiError => {
  const window = reason === 'SANDBOX_REGISTRATIONS' ? 'an hour' : '60 seconds';
  const message = `The limit is ${limit} ${countedBy[reason]} in ${window}.`;
  return new ApiError(
    { code: 'TOO_MANY_REQUESTS', details: { reason, maximum: limit, message } },
    { 'retry-after': String(resetSeconds) },
    logged,
  );
};

/** 429 above a number of things in progress: there may be room again after a second. */
export const tooManyAtOnce = (
  reason: 'CALLS_IN_PROGRESS' | 'BODIES_IN_PROGRESS',
  message: string,
  limit: { readonly maximum: number } | { readonly maxInProgress: number },
): ApiError => apiError('TOO_MANY_REQUESTS', { reason, message, ...limit }, { 'retry-after': '1' });

/** The value of a result. Throws its failure. */
export function unwrap<T>(result: Result<T>): T {
  if (!result.ok) throw new ApiError(result.failure);
  return result.value;
}

/** The row that was found. Throws the resource's 404 for null. */
export function orNotFound<T>(found: T | null, notFound: ErrorCode): T {
  if (found === null) throw apiError(notFound);
  return found;
}
