import * as v from 'valibot';
import { reviewFound, storeDecisions } from '../commands/offers/decide-offers.ts';
import type { Queryable, Sql } from '../db/core/client.ts';
import { findAnyOffer, lockAnyOffer } from '../db/offers/offers.ts';
import type { OperatorCommand } from '../db/accounts/operator-commands.ts';
import { reviewDecisions } from '../domain/webhooks/events.ts';
import type { Offer } from '../domain/offers/offer.ts';
import { decisionOf, type ReviewCommand } from '../domain/offers/review-offer.ts';
import type { DecisionRequest } from '../workflows/decision-request.ts';
import type { DecisionOutcome, ReviewState } from '../workflows/offers/offer-review-messages.ts';
import { applyCommandOnce, refusal, type Applied } from './operator-command.ts';

/** The decision in the command's row, which the API writes. */
const expectedVersion = v.nullable(v.number());
const storedCommand = v.variant('action', [
  v.object({ action: v.literal('approve'), variantId: v.nullable(v.string()), expectedVersion }),
  v.object({
    action: v.picklist(['reject', 'returnToReview']),
    reason: v.string(),
    expectedVersion,
  }),
  v.object({
    action: v.picklist(['applyPrice', 'discardPrice']),
    reason: v.nullable(v.string()),
    expectedVersion,
  }),
  v.object({ action: v.literal('undo'), expectedVersion }),
]);
const storedOutcome = v.object({ decision: v.picklist(reviewDecisions), status: v.string() });

export type ReviewDependencies = {
  readonly sql: Sql;
  /** The time in which a decision can be taken back. */
  readonly decisionUndoMs: number;
};

type OfOffer = { readonly offerId: string };

export const createReviewActivities = ({ sql, decisionUndoMs }: ReviewDependencies) => ({
  /** The current state of the offer; null for an unknown id. */
  readReviewState: async ({ offerId }: OfOffer): Promise<ReviewState | null> => {
    const offer = await findAnyOffer(sql, offerId);
    return offer === null ? null : stateOf(offer);
  },
  /**
   * Applies one decision in one transaction: offer, supply option, status change, audit entry,
   * event. A repetition returns the first outcome. A refusal is an ApplicationFailure with the
   * catalogue code as type.
   */
  applyReviewDecision: ({ commandId, operatorId }: DecisionRequest): Promise<DecisionOutcome> =>
    applyCommandOnce(sql, commandId, {
      apply: (transaction, command) =>
        applyDecision(transaction, command, operatorId, decisionUndoMs),
      repeat: async (transaction, command) => {
        const { offer } = await lockedOffer(transaction, command);
        const { decision } = v.parse(storedOutcome, command.result);
        return { ...stateOf(offer), decision, operatorId };
      },
    }),
});

export type ReviewActivities = ReturnType<typeof createReviewActivities>;

const stateOf = (offer: Offer): ReviewState => ({
  status: offer.status,
  version: offer.version,
  isAwaitingDecision: offer.awaitingSince !== null,
});

async function lockedOffer(sql: Queryable, { subjectId }: OperatorCommand) {
  const found = await lockAnyOffer(sql, subjectId);
  if (found === null) throw refusal({ code: 'NOT_FOUND_VENDOR_OFFER', details: {} });
  return found;
}

async function applyDecision(
  sql: Queryable,
  command: OperatorCommand,
  operatorId: string,
  undoMs: number,
): Promise<Applied<DecisionOutcome>> {
  const found = await lockedOffer(sql, command);
  const review: ReviewCommand = v.parse(storedCommand, command.input);
  const reviewed = await reviewFound(sql, found, review, undoMs);
  if (!reviewed.ok) throw refusal(reviewed.failure);
  const decision = decisionOf[review.action];
  const after = reviewed.value;
  const { operatorId: reviewerId, requestId } = command;
  await storeDecisions(sql, [{ found, after, action: review.action }], { reviewerId, requestId });
  return {
    outcome: { ...stateOf(after), decision, operatorId },
    at: after.changedAt,
    // The API returns this offer: one read later may show a later edit of the vendor.
    result: { decision, status: after.status, offer: after },
  };
}
