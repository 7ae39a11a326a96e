import * as workflow from '@temporalio/workflow';
import type { ReviewActivities } from '../activities/offer-review.ts';
import { validateDecision, type DecisionRequest } from './decision-request.ts';
import type { DecisionOutcome, OfferReviewInput, ReviewState } from './offer-review-messages.ts';
import {
  applyOfferPrice,
  approveOffer,
  discardOfferPrice,
  offerChanged,
  rejectOffer,
} from './offer-review-messages.ts';
import { reviewStateKey } from './search-attributes.ts';
import { createMutex } from './lib/mutex.ts';
import { unwrapFailure } from './lib/unwrap-failure.ts';

/** Postgres away is our own fault, so a step is repeated until it answers; a rule's refusal is not retryable. */
const steps = (summary: string) =>
  workflow.proxyLocalActivities<ReviewActivities>({
    startToCloseTimeout: '10 seconds',
    retry: { initialInterval: '100 milliseconds', maximumInterval: '10 seconds' },
    summary,
  });

/**
 * How long a run stays open after nothing awaits a reviewer. The message of the change that was just decided may still be
 * on its way: it is to find this run, not to open an empty one behind it. And a decision is stored in the history before
 * the run closes: a closing task that meets a new message is thrown away, and the decision's trace with it.
 */
const drainMs = 1000;

/**
 * One episode of one offer's review: from something awaiting a reviewer until nothing does. Decisions come as
 * Updates and are applied by a local activity, one idempotent Postgres transaction each; the record decides, so
 * that a decision, an edit and another decision at the same instant have one right outcome.
 */
export async function offerReview({
  offerId,
  vendorId,
}: OfferReviewInput): Promise<DecisionOutcome | null> {
  let state: ReviewState | null = null;
  let lastDecision: DecisionOutcome | null = null;
  let needsRefresh = true;

  const runExclusive = createMutex();
  const accept = (next: ReviewState): void => {
    if (state !== null && next.version < state.version) return;
    state = next;
    publish(next, lastDecision);
  };
  const decide = async (request: DecisionRequest): Promise<DecisionOutcome> => {
    try {
      const summary = `${workflow.currentUpdateInfo()?.name ?? 'decide'}, by ${request.operatorId}`;
      lastDecision = await runExclusive(() => steps(summary).applyReviewDecision(request));
    } catch (error) {
      throw unwrapFailure(error);
    }
    accept(lastDecision);
    return lastDecision;
  };

  workflow.setHandler(
    offerChanged,
    () => {
      needsRefresh = true;
    },
    {
      description:
        'The offer may have changed: it is read again; the run ends when no reviewer is awaited.',
    },
  );
  for (const [update, description] of decisions) {
    workflow.setHandler(update, decide, { validator: validateDecision, description });
  }

  const isOver = (): boolean =>
    !needsRefresh && state?.isAwaitingDecision !== true && workflow.allHandlersFinished();
  for (;;) {
    if (needsRefresh) {
      needsRefresh = false;
      const found = await runExclusive(() =>
        steps('where the offer stands').readReviewState({ offerId }),
      );
      if (found !== null) accept(found);
    }
    await workflow.condition(() => needsRefresh || isOver() || shouldContinueAsNew());
    if (shouldContinueAsNew())
      await workflow.continueAsNew<typeof offerReview>({ offerId, vendorId });
    const hasMore = await workflow.condition(() => !isOver(), drainMs, {
      summary: 'for late messages',
    });
    if (!hasMore) return lastDecision;
  }
}

const decisions = [
  [
    approveOffer,
    'A reviewer approves the offer; from PendingMatch the decision carries the match.',
  ],
  [rejectOffer, 'A reviewer rejects the offer, with a reason that is kept in the record.'],
  [applyOfferPrice, 'A reviewer makes the staged price the live one.'],
  [discardOfferPrice, 'A reviewer drops the staged price; the live one stays.'],
] as const;

const shouldContinueAsNew = (): boolean =>
  workflow.workflowInfo().continueAsNewSuggested && workflow.allHandlersFinished();

/** What an operator sees of the run in the Temporal UI. */
function publish(state: ReviewState, decision: DecisionOutcome | null): void {
  workflow.upsertSearchAttributes([{ key: reviewStateKey, value: state.status }]);
  const waiting = state.isAwaitingDecision ? 'A reviewer is awaited.' : 'No reviewer is awaited.';
  const decided =
    decision === null ? '' : `\n\n**${decision.decision}** by operator \`${decision.operatorId}\`.`;
  workflow.setCurrentDetails(`**${state.status}**. ${waiting}${decided}`);
}
