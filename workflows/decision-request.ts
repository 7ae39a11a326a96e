import { ApplicationFailure } from '@temporalio/common';

/**
 * The operator of a decision and the id of its command. The content of the decision (a variant, a
 * reason) stays in Postgres, so that no free text reaches a history.
 */
export type DecisionRequest = {
  readonly commandId: string;
  readonly operatorId: string;
  /** The `X-Request-Id` of the operator's call, for the logs. */
  readonly requestId?: string;
};

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/**
 * Refuses a malformed decision before it enters the history. The activity checks whether the state
 * allows it, because the run may not know the latest change.
 */
export function validateDecision({ commandId, operatorId }: DecisionRequest): void {
  if (uuid.test(commandId) && operatorId !== '') return;
  throw ApplicationFailure.nonRetryable(
    'A decision names its command and its operator.',
    'VALIDATION_ERRORS',
  );
}
