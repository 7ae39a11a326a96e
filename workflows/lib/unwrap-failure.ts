import { ActivityFailure, ApplicationFailure } from '@temporalio/common';

/**
 * What an update's caller is told: the refusal with its catalogue code, out of the activity's wrapping. Anything else
 * becomes an ApplicationFailure too, since a plain Error would retry the workflow task for ever.
 */
export function unwrapFailure(error: unknown): ApplicationFailure {
  if (error instanceof ApplicationFailure) return error;
  if (error instanceof ActivityFailure && error.cause instanceof ApplicationFailure)
    return error.cause;
  return ApplicationFailure.nonRetryable('The step failed.', 'INTERNAL_ERROR');
}
