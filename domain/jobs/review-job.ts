import type { Failure } from '../errors.ts';
import type { ReviewAction, ReviewCommand } from '../offers/review-offer.ts';

/** What a review job does with each of its offers. */
export const reviewJobActions = ['approve', 'reject', 'apply', 'discard'] as const;
export type ReviewJobAction = (typeof reviewJobActions)[number];

/** The decision of an action, as single calls and the audit log name it. */
export const reviewActionOf = {
  approve: 'approve',
  reject: 'reject',
  apply: 'applyPrice',
  discard: 'discardPrice',
} as const satisfies Record<ReviewJobAction, ReviewAction>;

/** What each item of a job does. Only a rejection requires a reason; an approval has none. */
export type ReviewJobKind = {
  readonly action: ReviewJobAction;
  readonly reason: string | null;
};

/** An item that names an offer. */
export type DecisionItem = {
  readonly type: 'decision';
  readonly offerId: string;
  readonly expectedVersion: number | null;
  readonly variantId: string | null;
};

/** An item of a review job as it is stored: parsed when the job was accepted. */
export type ReviewJobItem =
  | DecisionItem
  /** `offerId` is what the item names, if that is well-formed. */
  | { readonly type: 'malformed'; readonly offerId: string | null; readonly failure: Failure };

/** The command of the single call that an item represents. */
export function commandOf(
  { action, reason }: ReviewJobKind,
  { expectedVersion, variantId }: DecisionItem,
): ReviewCommand {
  const decision = reviewActionOf[action];
  if (decision === 'approve') return { action: decision, variantId, expectedVersion };
  if (decision !== 'reject') return { action: decision, reason, expectedVersion };
  if (reason === null) throw new Error('a job that rejects has a reason');
  return { action: decision, reason, expectedVersion };
}
