import { fail, ok, type Result } from '../errors.ts';
import type { Price } from '../vat.ts';
import { livePrice, stagedPrice, withPrices } from './offer-prices.ts';
import type { Offer, OfferStatus } from './offer.ts';

export const undoableActions = ['reject', 'applyPrice', 'discardPrice'] as const;
type UndoableAction = (typeof undoableActions)[number];

/** What a decision has replaced, and what the offer was after it. The audit log stores it. */
export type UndoFacts = {
  readonly action: UndoableAction;
  readonly status: OfferStatus;
  readonly awaitingSince: Date | null;
  /** Whether the offer did not sell; null without a supply option. */
  readonly isPaused: boolean | null;
  /** Null where the offer had none of its agreement, or sold under another one. */
  readonly live: Price | null;
  readonly staged: Price | null;
  readonly after: Pick<Offer, 'status' | 'judgedVersion' | 'agreementEpoch'>;
};

/** The facts by which a decision can be taken back; null for one that cannot be. */
export function undoFactsOf(action: string, before: Offer, after: Offer): UndoFacts | null {
  const undoable = undoableActions.find((each) => each === action);
  if (undoable === undefined) return null;
  const { status, awaitingSince, supply, pricingModel } = before;
  const sellsUnderOther = supply !== null && supply.pricingModel !== pricingModel;
  return {
    action: undoable,
    status,
    awaitingSince,
    isPaused: supply?.isPaused ?? null,
    live: sellsUnderOther ? null : livePrice(before),
    staged: stagedPrice(before),
    after: {
      status: after.status,
      judgedVersion: after.judgedVersion,
      agreementEpoch: after.agreementEpoch,
    },
  };
}

/** The latest act of an operator on an offer. */
export type LatestAct = {
  /** Null for an act that is not undoable. */
  readonly undo: UndoFacts | null;
  /** The time in which it can be taken back is over. */
  readonly isOver: boolean;
};

const refused = (reason: string, message: string) =>
  fail('BUSINESS_OFFER_DECISION_NOT_UNDOABLE', { reason, message });

const isSame = (offer: Offer, after: UndoFacts['after']): boolean =>
  offer.status === after.status &&
  offer.judgedVersion === after.judgedVersion &&
  offer.agreementEpoch === after.agreementEpoch;

/**
 * The offer with its latest rejection, or its latest decision on a staged price, taken back: it
 * waits for a reviewer as before. Fails with BUSINESS_OFFER_DECISION_NOT_UNDOABLE.
 */
export function undoDecision(offer: Offer, latest: LatestAct | null): Result<Offer> {
  const undo = latest?.undo ?? null;
  if (latest === null || undo === null)
    return refused(
      'NOTHING_TO_UNDO',
      'The latest act of an operator is no rejection and no decision on a staged price.',
    );
  if (latest.isOver) return refused('TIME_OVER', 'The decision is too old.');
  if (undo.action === 'discardPrice' && stagedPrice(offer) !== null)
    return refused('OTHER_PRICE_STAGED', 'The vendor has staged another price.');
  if (!isSame(offer, undo.after))
    return refused('OFFER_CHANGED', 'The offer has changed since the decision.');
  if (undo.action === 'applyPrice' && undo.live === null)
    return refused('NO_EARLIER_PRICE', 'Before it, the offer had no price of its agreement.');
  const { status, awaitingSince, isPaused } = undo;
  const supply =
    offer.supply === null ? null : { ...offer.supply, isPaused: isPaused ?? offer.supply.isPaused };
  const former = {
    ...offer,
    status,
    supply,
    reviewReason: null,
    awaitingSince,
  };
  if (undo.action === 'reject') return ok(former);
  const live = undo.action === 'applyPrice' ? undo.live : livePrice(offer);
  return ok(withPrices(former, live, undo.staged));
}
