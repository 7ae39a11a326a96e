import { setTimeout as delay } from 'node:timers/promises';
import {
  WithStartWorkflowOperation,
  WorkflowUpdateFailedError,
  type Client,
} from '@temporalio/client';
import { ApplicationFailure, type Workflow } from '@temporalio/common';
import type { ReviewAction } from '../domain/offers/review-offer.ts';
import { fail, isErrorCode, ok, type Result } from '../domain/errors.ts';
import type { DecisionRequest } from '../workflows/decision-request.ts';
import type {
  DecisionOutcome,
  OfferReviewInput,
} from '../workflows/offers/offer-review-messages.ts';
import type { ReturnCommand } from '../domain/returns/apply-return-command.ts';
import type {
  ReturnDecisionOutcome,
  ReturnInspectionInput,
} from '../workflows/returns/return-inspection-messages.ts';
import { withTimeout } from './connection/with-timeout.ts';
import { isUpdateRejected, TemporalTimeout } from './temporal-failures.ts';
import { offerReviewStart, returnInspectionStart } from './workflow-starts.ts';

/** A decision with its command's id and its operator. */
type Sent<TAction> = DecisionRequest & { readonly action: TAction };

/**
 * Sends operators' decisions as updates to the subject's run, and starts the run if none is open.
 * Idempotent by the command's id. Rejects when Temporal is unavailable or does not answer in time.
 */
export const createDecisions = (
  client: Client,
  { taskQueue, timeoutMs }: { readonly taskQueue: string; readonly timeoutMs: number },
) => {
  const send = <TOutcome>(
    { action, ...request }: Sent<string>,
    newStart: () => WithStartWorkflowOperation<Workflow>,
  ): Promise<Result<TOutcome>> =>
    sendWithTimeout(client, timeoutMs, () =>
      // An update has the name of its action.
      client.workflow.executeUpdateWithStart<Workflow, TOutcome, [DecisionRequest]>(action, {
        updateId: request.commandId,
        args: [request],
        startWorkflowOperation: newStart(),
      }),
    );
  return {
    decideOffer: (input: OfferReviewInput, decision: Sent<ReviewAction>) =>
      send<DecisionOutcome>(
        decision,
        () => new WithStartWorkflowOperation('offerReview', offerReviewStart(input, taskQueue)),
      ),
    decideReturn: (input: ReturnInspectionInput, decision: Sent<ReturnCommand['action']>) =>
      send<ReturnDecisionOutcome>(
        decision,
        () =>
          new WithStartWorkflowOperation(
            'returnInspection',
            returnInspectionStart(input, taskQueue),
          ),
      ),
  };
};
export type Decisions = ReturnType<typeof createDecisions>;

/** Returns the result of an update, or a rule's refusal, within the caller's time limit. */
async function sendWithTimeout<T>(
  client: Client,
  timeoutMs: number,
  send: () => Promise<T>,
): Promise<Result<T>> {
  try {
    return ok(await withTimeout(client, timeoutMs, (deadline) => retryRejected(send, deadline)));
  } catch (error) {
    const refused = refusal(error);
    if (refused === null) throw error;
    return refused;
  }
}

/**
 * Repeats an update that a closing run rejected, so that the next run takes it. Safe, because the
 * command's id makes a decision apply once. The server also rejects the updates of a run whose task
 * failed several times, for example because its worker died.
 */
async function retryRejected<T>(send: () => Promise<T>, deadline: number): Promise<T> {
  for (let waitMs = 20; ; waitMs *= 2) {
    try {
      return await send();
    } catch (error) {
      if (!isUpdateRejected(error)) throw error;
      if (Date.now() + waitMs >= deadline) {
        throw new TemporalTimeout('no run took the decision in time', { cause: error });
      }
      await delay(waitMs);
    }
  }
}

const isDetails = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The refusal that an ApplicationFailure carries as its type; null for other errors. */
function refusal(error: unknown): Result<never> | null {
  if (!(error instanceof WorkflowUpdateFailedError)) return null;
  const { cause } = error;
  if (!(cause instanceof ApplicationFailure)) return null;
  const code = cause.type ?? '';
  if (!isErrorCode(code)) return null;
  const [details] = cause.details ?? [];
  return fail(code, isDetails(details) ? details : {});
}
