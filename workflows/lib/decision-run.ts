import * as workflow from '@temporalio/workflow';
import { ActivityFailure, ApplicationFailure } from '@temporalio/common';
import type { DecisionRequest } from '../decision-request.ts';

/**
 * Creates the handler of an operator's update. `apply` gets the update's name and the operator as
 * the summary for the UI. `onRefused` gets a sentence for the details when a rule refuses the
 * decision. The handler fails with ApplicationFailure only.
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
 * Waits a second for late messages; false when none came and the run can end. Without the wait, a
 * message of the last change would start an empty run. It also lets Temporal store the last
 * decision before the run closes: Temporal discards a closing task that meets a new message, and
 * with it the trace of the decision.
 */
export const hasLateMessage = (isOver: () => boolean): Promise<boolean> =>
  workflow.condition(() => !isOver(), drainMs, { summary: 'for late messages' });

const drainMs = 1000;

export const shouldContinueAsNew = (): boolean =>
  workflow.workflowInfo().continueAsNewSuggested && workflow.allHandlersFinished();
