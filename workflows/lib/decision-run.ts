import * as workflow from '@temporalio/workflow';
import { ActivityFailure, ApplicationFailure } from '@temporalio/common';
import type { DecisionRequest } from '../decision-request.ts';

/**
 * Creates the handler of an operator's update. `apply` gets the update's name and the operator as
 * the summary for the UI; `onRefused` gets a sentence about a decision that a rule refuses. The
 * handler fails with ApplicationFailure only.
 */
export const createDecisionHandler =
  <TOutcome>(
    apply: (request: DecisionRequest, summary: string) => Promise<TOutcome>,
    onRefused: (text: string) => void,
  ) =>
  async (request: DecisionRequest): Promise<TOutcome> => {
    const { name = 'decide' } = workflow.currentUpdateInfo() ?? {};
    try {
      return await apply(request, `${name}, by ${request.operatorId}`);
    } catch (error) {
      const failure = toApplicationFailure(error);
      onRefused(
        `Refused: **${name}** by operator \`${request.operatorId}\` (\`${failure.type}\`).`,
      );
      throw failure;
    }
  };

/** A plain Error would retry the workflow task without end. */
function toApplicationFailure(error: unknown): ApplicationFailure {
  const failure = error instanceof ActivityFailure ? error.cause : error;
  return failure instanceof ApplicationFailure
    ? failure
    : ApplicationFailure.nonRetryable('The activity failed.', 'INTERNAL_ERROR');
}

/**
 * Waits a second for late messages; false when none came and the run can end. A message of the last
 * change then reaches this run and does not open an empty one. And Temporal stores the last
 * decision before the run closes: a closing task that meets a new message is discarded, with the
 * decision's trace.
 */
export const hasLateMessage = (isOver: () => boolean): Promise<boolean> =>
  workflow.condition(() => !isOver(), drainMs, { summary: 'for late messages' });

const drainMs = 1000;

export const shouldContinueAsNew = (): boolean =>
  workflow.workflowInfo().continueAsNewSuggested && workflow.allHandlersFinished();
