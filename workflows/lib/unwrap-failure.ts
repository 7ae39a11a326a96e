import { ActivityFailure, ApplicationFailure } from '@temporalio/common';

/**
 * Returns the ApplicationFailure for an update's caller: a refusal with its catalogue code, or
 * INTERNAL_ERROR. A plain Error would retry the workflow task without end.
 */
export function unwrapFailure(error: unknown): ApplicationFailure {
  if (error instanceof ApplicationFailure) return error;
  if (error instanceof ActivityFailure && error.cause instanceof ApplicationFailure)
    return error.cause;
  return ApplicationFailure.nonRetryable('The activity failed.', 'INTERNAL_ERROR');
}
