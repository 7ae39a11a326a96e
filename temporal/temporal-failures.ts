import { isGrpcServiceError, ServiceError } from '@temporalio/client';
import type { ErrorCode } from '../domain/errors.ts';

/** The gRPC statuses that matter here, by their numbers in the protocol. */
const grpc = {
  cancelled: 1,
  deadlineExceeded: 4,
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

/** Temporal could not be reached at all. */
export class TemporalUnavailable extends Error {
  override readonly name = 'TemporalAway';

  constructor(options: ErrorOptions) {
    super('Temporal cannot be reached', options);
  }
}

/** Temporal did not answer within the caller's time. */
export class TemporalTimeout extends Error {
  override readonly name = 'TemporalSlow';
}

/** Whatever answered cannot be understood. */
export class TemporalInvalidResponse extends Error {
  override readonly name = 'TemporalGarbled';

  constructor(options: ErrorOptions) {
    super('the answer of Temporal cannot be read', options);
  }
}

/** What a caller is told when Temporal failed (D7); null when the failure is not Temporal's. */
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

/** An update that a closing run did not take. */
export const isUpdateRejected = (error: unknown): boolean => {
  const code = grpcCode(error);
  return code === grpc.failedPrecondition || code === grpc.aborted;
};

/** Whether Temporal as a whole is away, rather than one request refused. */
export const isTemporalOutage = (error: unknown): boolean => {
  const code = temporalFailureCode(error);
  return code !== null && code !== 'BAD_GATEWAY';
};
