import type { OfferStatus } from './offer.ts';

/**
 * The offer's state machine, row by row as the specification's part 3 has it. `(none)` is an offer that does not
 * exist yet; the target may depend on whether a match to a variant is proposed.
 */
export type OfferTrigger = 'createDraft' | 'create' | 'approve' | 'reject';

type Row = {
  readonly from: readonly (OfferStatus | '(none)')[];
  readonly trigger: OfferTrigger;
  readonly to: OfferStatus | { readonly matched: OfferStatus; readonly unmatched: OfferStatus };
  readonly also: string;
};

export const offerTransitions: readonly Row[] = [
  { from: ['(none)'], trigger: 'createDraft', to: 'Draft', also: 'no review queue entry' },
  {
    from: ['(none)'],
    trigger: 'create',
    to: { matched: 'PendingReview', unmatched: 'PendingMatch' },
    also: 'enters the review workflow',
  },
  {
    from: ['PendingMatch', 'PendingReview'],
    trigger: 'approve',
    to: 'Approved',
    also: 'the supply option is made or refreshed',
  },
  { from: ['Draft', 'PendingMatch', 'PendingReview'], trigger: 'reject', to: 'Rejected', also: '' },
];

/** The status after a trigger; null when the table has no such row. */
export function nextOfferStatus(
  from: OfferStatus | '(none)',
  trigger: OfferTrigger,
  isMatched: boolean,
): OfferStatus | null {
  const row = offerTransitions.find((entry) => entry.trigger === trigger && entry.from.includes(from));
  if (row === undefined) return null;
  if (typeof row.to === 'string') return row.to;
  return isMatched ? row.to.matched : row.to.unmatched;
}

/** Statuses in which an offer as a whole waits for a reviewer. */
export const statusesInReview: readonly OfferStatus[] = ['PendingMatch', 'PendingReview'];
