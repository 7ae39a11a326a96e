import { isGrpcServiceError, ServiceError } from '@temporalio/client';
import type { ErrorCode } from '../domain/errors.ts';

/** The gRPC status codes that the functions below distinguish. */
const grpc = {
  cancelled: 1,
  deadlineExceeded: 4,
  notFound: 5,
  permissionDenied: 7,
  resourceExhausted: 8,
  failedPrecondition: 9,
  aborted: 10,
  unavailable: 14,
  unauthenticated: 16,
} as const;

function grpcCode(error: unknown): number | null {
  for (let current = error; current instanceof Error; current = current.cause) {
    if (isGrpcServiceError(current)) return current.code;
  }
  return null;
}

/** Temporal cannot be reached. */
export class TemporalUnavailable extends Error {
  override readonly name = 'TemporalUnavailable';

  constructor(options: ErrorOptions) {
    super('Temporal cannot be reached', options);
  }
}

/** Temporal did not answer within the caller's time limit. */
export class TemporalTimeout extends Error {
  override readonly name = 'TemporalTimeout';
}

/** The response does not follow Temporal's protocol. */
export class TemporalInvalidResponse extends Error {
  override readonly name = 'TemporalInvalidResponse';

  constructor(options: ErrorOptions) {
    super('the response of Temporal cannot be read', options);
  }
}

/** The catalogue code for a failure of Temporal; null for other failures. */
export function temporalFailureCode(error: unknown): ErrorCode | null {
  if (error instanceof TemporalUnavailable) return 'SERVICE_UNAVAILABLE';
  if (error instanceof TemporalTimeout) return 'GATEWAY_TIMEOUT';
  if (error instanceof TemporalInvalidResponse) return 'BAD_GATEWAY';
  switch (grpcCode(error)) {
    case grpc.deadlineExceeded:
    case grpc.cancelled:
      return 'GATEWAY_TIMEOUT';
    case grpc.unavailable:
    case grpc.resourceExhausted:
      return 'SERVICE_UNAVAILABLE';
    case grpc.permissionDenied:
    case grpc.unauthenticated:
      return 'UPSTREAM_AUTH_FAILED';
    case null:
      return error instanceof ServiceError ? 'SERVICE_UNAVAILABLE' : null;
    default:
      return 'BAD_GATEWAY';
  }
}

/** Whether the server does not have the subject of a call. */
export const isNotFound = (error: unknown): boolean => grpcCode(error) === grpc.notFound;

/** Whether a closing run rejected an update. */
export const isUpdateRejected = (error: unknown): boolean => {
  const code = grpcCode(error);
  return code === grpc.failedPrecondition || code === grpc.aborted;
};

/** Whether Temporal is unavailable, rather than refusing one request. */
export const isTemporalOutage = (error: unknown): boolean => {
  const code = temporalFailureCode(error);
  return code !== null && code !== 'BAD_GATEWAY';
};
