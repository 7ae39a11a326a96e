import * as workflow from '@temporalio/workflow';
import { ActivityFailure, ApplicationFailure } from '@temporalio/common';
import { validateDecision, type DecisionRequest } from '../decision-request.ts';

/**
 * Handles the updates of operators; `descriptions` has them by name. `apply` gets the update's name
 * and the operator as the summary for the UI. `onRefused` gets a sentence for the details when a
 * rule refuses the decision. The handlers fail with ApplicationFailure only.
 */
export function handleDecisions<TOutcome>(
  descriptions: Readonly<Record<string, string>>,
  apply: (request: DecisionRequest, summary: string) => Promise<TOutcome>,
  onRefused: (text: string) => void,
): void {
  const decide = async (name: string, request: DecisionRequest): Promise<TOutcome> => {
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
  for (const [name, description] of Object.entries(descriptions)) {
    const update = workflow.defineUpdate<TOutcome, [DecisionRequest]>(name);
    const options = { validator: validateDecision, description };
    workflow.setHandler(update, (request) => decide(name, request), options);
  }
}

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
