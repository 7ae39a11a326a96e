import { offerStatuses, type OfferStatus } from './offer.ts';

/** A command without a row in the table is refused. */
export type OfferCommand =
  'submit' | 'withdraw' | 'approve' | 'reject' | 'suspend' | 'reinstate' | 'returnToReview';
/** An edit without a row in the table is stored and keeps the status. */
type OfferEditing = 'edit' | 'changeIdentity' | 'declarePrice' | 'switchAgreement';
export type OfferTrigger = 'createDraft' | 'create' | OfferCommand | OfferEditing;

type From = OfferStatus | '(none)';
type Condition =
  | 'matched'
  | 'unmatched'
  | 'as approved'
  | 'identity changed'
  | 'agreement switched'
  | 'agreement kept';
/** What happens to the supply option, if the offer has one. */
type SupplyEffect = 'untouched' | 'paused' | 'live';

export type OfferTransition = {
  readonly from: readonly From[];
  readonly trigger: OfferTrigger;
  readonly when?: Condition;
  readonly to: OfferStatus;
  readonly supply: SupplyEffect;
};

type Row = readonly [readonly From[], OfferTrigger, Condition | null, OfferStatus, SupplyEffect];

const notWithdrawn = offerStatuses.filter((status) => status !== 'Withdrawn');

/**
 * The offer's state machine, row by row as in part 3 (D23, D28 to D30 where part 3 has no row):
 * from, trigger, condition, to, supply option. `(none)` is an offer that does not exist yet. A
 * stock push has no row: it never changes a status.
 */
const rows: readonly Row[] = [
  // A draft is in no review queue; each row to PendingMatch or PendingReview enters it.
  [['(none)'], 'createDraft', null, 'Draft', 'untouched'],
  [['(none)'], 'create', 'unmatched', 'PendingMatch', 'untouched'],
  [['(none)'], 'create', 'matched', 'PendingReview', 'untouched'],
  // A paused supply option stays paused until the next approval.
  // From Rejected it requires a barcode, as an edit does (D78).
  [['Draft', 'Rejected', 'Withdrawn'], 'submit', 'unmatched', 'PendingMatch', 'untouched'],
  [['Draft', 'Rejected', 'Withdrawn'], 'submit', 'matched', 'PendingReview', 'untouched'],
  // Creates or updates the supply option; a staged price becomes live.
  [['PendingMatch', 'PendingReview'], 'approve', null, 'Approved', 'live'],
  // A staged price stays staged.
  [['Draft', 'PendingMatch', 'PendingReview'], 'reject', null, 'Rejected', 'paused'],
  [notWithdrawn, 'withdraw', null, 'Withdrawn', 'paused'],
  [['Approved'], 'suspend', null, 'Suspended', 'paused'],
  [['Suspended'], 'reinstate', 'as approved', 'Approved', 'live'],
  // Edits during the suspension have not been reviewed.
  [['Suspended'], 'reinstate', 'identity changed', 'PendingReview', 'paused'],
  // The live price is not of the present agreement.
  [['Suspended'], 'reinstate', 'agreement switched', 'PendingRepricing', 'paused'],
  // A decision is corrected (D134). An Approved offer is suspended first. After a switch the offer
  // waits for a price of the new model, so reinstating leads on.
  [['Suspended'], 'returnToReview', 'agreement kept', 'PendingReview', 'paused'],
  // The price is staged; the live price stays in force until a reviewer decides.
  [['Approved'], 'declarePrice', null, 'Approved', 'untouched'],
  // Adding a first barcode is no identity change.
  [['Approved'], 'changeIdentity', null, 'PendingReview', 'untouched'],
  // Drops what was staged under the old agreement.
  [['Approved', 'PendingReview'], 'switchAgreement', null, 'PendingRepricing', 'paused'],
  // The new model's price field only, also with an unchanged value; requires a barcode.
  [['PendingRepricing'], 'declarePrice', null, 'PendingReview', 'untouched'],
  // Both require a barcode.
  [['Rejected'], 'edit', 'unmatched', 'PendingMatch', 'untouched'],
  [['Rejected'], 'edit', 'matched', 'PendingReview', 'untouched'],
];

export const offerTransitions: readonly OfferTransition[] = rows.map(
  ([from, trigger, when, to, supply]) => ({
    from,
    trigger,
    ...(when === null ? {} : { when }),
    to,
    supply,
  }),
);

/** The facts that the table's conditions test. */
export type TransitionFacts = {
  readonly isMatched: boolean;
  /** The live price is of an earlier agreement. */
  readonly isAgreementSwitched: boolean;
  /** An identity fact has changed since the last approval. */
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
  'agreement kept': ({ isAgreementSwitched }) => !isAgreementSwitched,
};

/** The table's row for a trigger; null when there is none. */
export const findTransition = (
  from: From,
  trigger: OfferTrigger,
  facts: TransitionFacts,
): OfferTransition | null =>
  offerTransitions.find(
    (row) =>
      row.trigger === trigger &&
      row.from.includes(from) &&
      (row.when === undefined || holds[row.when](facts)),
  ) ?? null;

/** Statuses in which the whole offer waits for a reviewer. */
export const statusesInReview: readonly OfferStatus[] = ['PendingMatch', 'PendingReview'];

/** Statuses whose offers do not sell: each row to them pauses the supply option. */
export const pausedStatuses: readonly OfferStatus[] = offerStatuses.filter((status) => {
  const ways = offerTransitions.filter(({ to }) => to === status);
  return ways.length > 0 && ways.every(({ supply }) => supply === 'paused');
});

/** Statuses that an agreement switch moves to PendingRepricing. */
export const statusesToReprice: readonly OfferStatus[] = offerTransitions
  .filter(({ trigger }) => trigger === 'switchAgreement')
  .flatMap(({ from }) => from)
  .filter((status) => status !== '(none)');
