import { setTimeout as delay } from 'node:timers/promises';
import { WithStartWorkflowOperation, WorkflowUpdateFailedError, type Client } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import type { ReviewAction } from '../domain/review-offer.ts';
import { fail, isErrorCode, ok, type Result } from '../domain/errors.ts';
import {
  applyOfferPrice,
  approveOffer,
  discardOfferPrice,
  rejectOffer,
  type DecisionOutcome,
  type OfferReviewInput,
} from '../workflows/offer-review-messages.ts';
import { isTurnedAway, TemporalAway, TemporalSlow, temporalFailureCode } from './outage.ts';
import { offerReviewStart } from './starts.ts';

/** Sends operators' decisions to the workflows. */
export type Decisions = {
  /**
   * One decision as an Update on the offer's review, which is started if no run is open. Idempotent by the command's id.
   * Rejects when Temporal is away or does not answer in time.
   */
  readonly decideOffer: (
    input: OfferReviewInput,
    decision: {
      readonly action: ReviewAction;
      readonly commandId: string;
      readonly operatorId: string;
    },
  ) => Promise<Result<DecisionOutcome>>;
};

export const createDecisions = (
  client: Client,
  options: { readonly taskQueue: string; readonly timeoutMs: number },
): Decisions => ({
  decideOffer: async (input, { action, commandId, operatorId }) => {
    const send = () =>
      client.workflow.executeUpdateWithStart(updates[action], {
        updateId: commandId,
        args: [{ commandId, operatorId }],
        startWorkflowOperation: new WithStartWorkflowOperation(
          'offerReview',
          offerReviewStart(input, options.taskQueue),
        ),
      });
    await requireTemporal(client);
    const deadline = Date.now() + options.timeoutMs;
    try {
      // The client's own retries do not always keep to the deadline.
      return ok(
        await Promise.race([
          client.withDeadline(deadline, () => untilTaken(send, deadline)),
          delay(options.timeoutMs + 500, undefined, { ref: false }).then(() =>
            Promise.reject(new TemporalSlow()),
          ),
        ]),
      );
    } catch (error) {
      const refused = refusal(error);
      if (refused === null) throw error;
      return refused;
    }
  },
});

const updates = {
  approve: approveOffer,
  reject: rejectOffer,
  applyPrice: applyOfferPrice,
  discardPrice: discardOfferPrice,
} as const satisfies Record<ReviewAction, unknown>;

/** A server that is up answers this in a millisecond or two. */
const reachableWithinMs = 2000;

/** Tells a server that is away (503) from one that is slow with the decision itself (504). */
async function requireTemporal(client: Client): Promise<void> {
  try {
    await client.withDeadline(Date.now() + reachableWithinMs, () => client.workflowService.getSystemInfo({}));
  } catch (error) {
    if (temporalFailureCode(error) === 'UPSTREAM_AUTH_FAILED') throw error;
    throw new TemporalAway({ cause: error });
  }
}

/**
 * A run that closes at the very moment turns an update away, and says so: the next run takes it. Sending it again is
 * safe, since a decision is applied once by its command's id.
 */
async function untilTaken<T>(send: () => Promise<T>, deadline: number): Promise<T> {
  for (let waitMs = 20; ; waitMs *= 2) {
    try {
      return await send();
    } catch (error) {
      if (!isTurnedAway(error) || Date.now() + waitMs >= deadline) throw error;
      await delay(waitMs);
    }
  }
}

const isDetails = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A rule's refusal comes back as an ApplicationFailure whose type is the catalogue's code. */
function refusal(error: unknown): Result<never> | null {
  if (!(error instanceof WorkflowUpdateFailedError)) return null;
  const { cause } = error;
  if (!(cause instanceof ApplicationFailure)) return null;
  const code = cause.type ?? '';
  if (!isErrorCode(code)) return null;
  const [details] = cause.details ?? [];
  return fail(code, isDetails(details) ? details : {});
}
