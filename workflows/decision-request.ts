import { ApplicationFailure } from '@temporalio/common';

/**
 * Who decided, and under which id the decision is kept. The decision's own content (a match, a reason) stays in
 * Postgres: free text never reaches a history.
 */
export type DecisionRequest = { readonly commandId: string; readonly operatorId: string };

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/**
 * Refuses a malformed decision before it enters the history. Whether the state allows it is the record's to say, since the
 * run may not have heard of the latest change yet.
 */
export function validateDecision(request: DecisionRequest): void {
  if (!uuid.test(request.commandId) || request.operatorId === '') {
    throw ApplicationFailure.nonRetryable(
      'A decision names its command and its operator.',
      'VALIDATION_ERRORS',
    );
  }
}
