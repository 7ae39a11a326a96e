import * as workflow from '@temporalio/workflow';
import type { ReviewActivities } from '../../activities/offer-review.ts';
import type { ReviewAction } from '../../domain/offers/review-offer.ts';
import { handleDecisions, hasLateMessage, shouldContinueAsNew } from '../lib/decision-run.ts';
import { detailsText } from '../lib/details-text.ts';
import { localActivities } from '../lib/local-activities.ts';
import { createMutex } from '../lib/mutex.ts';
import { handleRecordSignals } from '../lib/record-signals.ts';
import { recordChanged } from '../record-changed.ts';
import type { DecisionOutcome, OfferReviewInput, ReviewState } from './offer-review-messages.ts';
import { reviewStateKey } from '../search-attributes.ts';

const activities = localActivities<ReviewActivities>;

/**
 * Runs one review of an offer: from the moment that the offer awaits a reviewer until it no longer
 * does. Decisions are updates; a local activity applies each by one idempotent Postgres
 * transaction. Postgres decides, so that a decision, an edit and another decision at the same time
 * have one outcome.
 */
export async function offerReview(input: OfferReviewInput): Promise<DecisionOutcome | null> {
  const { offerId } = input;
  let state: ReviewState | null = null;
  let lastDecision: DecisionOutcome | null = null;
  /** The latest refused decision, until another is applied. */
  let refusal: string | null = null;
  const refresh = handleRecordSignals({
    [recordChanged.name]: 'The offer changed. The run reads it and ends if it awaits no reviewer.',
  });
  refresh.isNeeded = true;
  const runExclusive = createMutex();

  // The mutex keeps the results in the order in which Postgres gave them, so none is outdated. A
  // version below the known one comes from a restored record, and the record decides.
  const accept = (next: ReviewState | null): void => {
    state = next;
    if (next === null) return;
    workflow.upsertSearchAttributes([{ key: reviewStateKey, value: next.status }]);
    describe(next, lastDecision, refusal);
  };
  handleDecisions(
    decisions,
    async (request, summary) => {
      lastDecision = await runExclusive(() => activities(summary).applyReviewDecision(request));
      refusal = null;
      accept(lastDecision);
      return lastDecision;
    },
    (text) => {
      refusal = text;
      if (state !== null) describe(state, lastDecision, refusal);
    },
  );

  const isOver = (): boolean =>
    !refresh.isNeeded && state?.isAwaitingDecision !== true && workflow.allHandlersFinished();
  for (;;) {
    if (refresh.isNeeded) {
      refresh.isNeeded = false;
      accept(await runExclusive(() => activities('read the offer').readReviewState({ offerId })));
    }
    await workflow.condition(() => refresh.isNeeded || isOver() || shouldContinueAsNew());
    if (shouldContinueAsNew()) await workflow.continueAsNew<typeof offerReview>(input);
    if (!(await hasLateMessage(isOver))) return lastDecision;
  }
}

/** The updates, named after the actions of their decisions. */
const decisions: Readonly<Record<ReviewAction, string>> = {
  approve: 'An operator approves the offer. In PendingMatch the decision names the match.',
  reject: 'An operator rejects the offer. The reason is in Postgres.',
  applyPrice: 'An operator applies the staged price.',
  discardPrice: 'An operator discards the staged price. The live price stays.',
  returnToReview: 'An operator returns a live or suspended offer to review.',
  undo: 'An operator takes back the latest rejection or decision on a price.',
};

/** Shows the state in the Temporal UI. */
function describe(
  state: ReviewState,
  decision: DecisionOutcome | null,
  refusal: string | null,
): void {
  const waiting = state.isAwaitingDecision ? 'Awaits a reviewer.' : 'Awaits no reviewer.';
  const decided =
    decision === null ? [] : [`**${decision.decision}** by operator \`${decision.operatorId}\`.`];
  const refused = refusal === null ? [] : [refusal];
  workflow.setCurrentDetails(
    detailsText([`**${state.status}**. ${waiting}`, ...decided, ...refused]),
  );
}
