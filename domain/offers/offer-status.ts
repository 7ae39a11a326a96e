import type { OfferStatus } from './offer.ts';

/** What may move an offer's status. Commands are refused where the table has no row; edits are taken, and keep the status. */
export const offerCommands = [
  'submit',
  'withdraw',
  'approve',
  'reject',
  'suspend',
  'reinstate',
] as const;
export const offerEdits = ['edit', 'changeIdentity', 'declarePrice', 'switchAgreement'] as const;
export type OfferCommand = (typeof offerCommands)[number];
export type OfferTrigger = 'createDraft' | 'create' | OfferCommand | (typeof offerEdits)[number];

type Condition =
  'matched' | 'unmatched' | 'as approved' | 'identity changed' | 'agreement switched';

export type OfferTransition = {
  readonly from: readonly (OfferStatus | '(none)')[];
  readonly trigger: OfferTrigger;
  readonly when?: Condition;
  readonly to: OfferStatus;
  /** What becomes of the linked supply option, if there is one. */
  readonly supply: 'untouched' | 'paused' | 'live';
  readonly also: string;
};

/**
 * The offer's state machine, row by row as the specification's part 3 has it (D23, D28 to D30 where that shows nothing).
 * `(none)` is an offer that does not exist yet. A stock push has no row: it never moves a status.
 */
export const offerTransitions: readonly OfferTransition[] = [
  {
    from: ['(none)'],
    trigger: 'createDraft',
    to: 'Draft',
    supply: 'untouched',
    also: 'no review queue entry',
  },
  {
    from: ['(none)'],
    trigger: 'create',
    when: 'unmatched',
    to: 'PendingMatch',
    supply: 'untouched',
    also: 'enters the review workflow',
  },
  {
    from: ['(none)'],
    trigger: 'create',
    when: 'matched',
    to: 'PendingReview',
    supply: 'untouched',
    also: 'enters the review workflow',
  },
  {
    from: ['Draft', 'Withdrawn'],
    trigger: 'submit',
    when: 'unmatched',
    to: 'PendingMatch',
    supply: 'untouched',
    also: 'enters the review workflow',
  },
  {
    from: ['Draft', 'Withdrawn'],
    trigger: 'submit',
    when: 'matched',
    to: 'PendingReview',
    supply: 'untouched',
    also: 'enters the review workflow; supply stays paused until it is approved again',
  },
  {
    from: ['PendingMatch', 'PendingReview'],
    trigger: 'approve',
    to: 'Approved',
    supply: 'live',
    also: 'the supply option is made or refreshed; a staged price becomes live',
  },
  {
    from: ['Draft', 'PendingMatch', 'PendingReview'],
    trigger: 'reject',
    to: 'Rejected',
    supply: 'paused',
    also: 'a staged price stays staged',
  },
  {
    from: [
      'Draft',
      'PendingMatch',
      'PendingReview',
      'Approved',
      'Rejected',
      'Suspended',
      'PendingRepricing',
    ],
    trigger: 'withdraw',
    to: 'Withdrawn',
    supply: 'paused',
    also: "the vendor's",
  },
  {
    from: ['Approved'],
    trigger: 'suspend',
    to: 'Suspended',
    supply: 'paused',
    also: "the operator's",
  },
  {
    from: ['Suspended'],
    trigger: 'reinstate',
    when: 'as approved',
    to: 'Approved',
    supply: 'live',
    also: "the operator's",
  },
  {
    from: ['Suspended'],
    trigger: 'reinstate',
    when: 'identity changed',
    to: 'PendingReview',
    supply: 'paused',
    also: 'what was edited while it was suspended has not been reviewed',
  },
  {
    from: ['Suspended'],
    trigger: 'reinstate',
    when: 'agreement switched',
    to: 'PendingRepricing',
    supply: 'paused',
    also: 'its live price is not of the present agreement',
  },
  {
    from: ['Approved'],
    trigger: 'declarePrice',
    to: 'Approved',
    supply: 'untouched',
    also: 'the price goes pending; the live one is untouched until a reviewer applies or discards it',
  },
  {
    from: ['Approved'],
    trigger: 'changeIdentity',
    to: 'PendingReview',
    supply: 'untouched',
    also: 'adding a first barcode is not an identity change',
  },
  {
    from: ['Approved', 'PendingReview'],
    trigger: 'switchAgreement',
    to: 'PendingRepricing',
    supply: 'paused',
    also: 'what was staged under the old agreement is dropped',
  },
  {
    from: ['PendingRepricing'],
    trigger: 'declarePrice',
    to: 'PendingReview',
    supply: 'untouched',
    also: "the new model's price field only, also with its value unchanged; needs a barcode",
  },
  {
    from: ['Rejected'],
    trigger: 'edit',
    when: 'unmatched',
    to: 'PendingMatch',
    supply: 'untouched',
    also: 'needs a barcode',
  },
  {
    from: ['Rejected'],
    trigger: 'edit',
    when: 'matched',
    to: 'PendingReview',
    supply: 'untouched',
    also: 'needs a barcode',
  },
];

/** What the table's conditions ask about. */
export type TransitionFacts = {
  readonly isMatched: boolean;
  /** Whether the live price is of another agreement than the present one. */
  readonly isAgreementSwitched: boolean;
  /** Whether an identity fact has changed since the last approval. */
  readonly isIdentityChanged: boolean;
};

const holds: Readonly<Record<Condition, (facts: TransitionFacts) => boolean>> = {
  matched: ({ isMatched }) => isMatched,
  unmatched: ({ isMatched }) => !isMatched,
  'as approved': ({ isAgreementSwitched, isIdentityChanged }) =>
    !isAgreementSwitched && !isIdentityChanged,
  'identity changed': ({ isAgreementSwitched, isIdentityChanged }) =>
    !isAgreementSwitched && isIdentityChanged,
  'agreement switched': ({ isAgreementSwitched }) => isAgreementSwitched,
};

/** The table's row for a trigger; null when it has none. */
export function findTransition(
  from: OfferStatus | '(none)',
  trigger: OfferTrigger,
  facts: TransitionFacts,
): OfferTransition | null {
  const row = offerTransitions.find(
    (entry) =>
      entry.trigger === trigger &&
      entry.from.includes(from) &&
      (entry.when === undefined || holds[entry.when](facts)),
  );
  return row ?? null;
}

/** Statuses in which an offer as a whole waits for a reviewer. */
export const statusesInReview: readonly OfferStatus[] = ['PendingMatch', 'PendingReview'];

/** Statuses that an agreement switch moves to PendingRepricing. */
export const statusesToReprice: readonly OfferStatus[] = offerTransitions
  .filter(({ trigger }) => trigger === 'switchAgreement')
  .flatMap(({ from }) => from)
  .filter((status) => status !== '(none)');
