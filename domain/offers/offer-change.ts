import { fail, type Result } from '../errors.ts';
import type { Offer, Supply } from './offer.ts';
import {
  findTransition,
  statusesInReview,
  type OfferCommand,
  type OfferTransition,
  type OfferTrigger,
} from './offer-status.ts';
import { stagedPrice } from './offer-prices.ts';

/** The table's row for an offer as it stands. */
export const transitionOf = (offer: Offer, trigger: OfferTrigger): OfferTransition | null =>
  findTransition(offer.status, trigger, {
    isMatched: offer.variantId !== null,
    isAgreementSwitched: offer.supply !== null && offer.supply.pricingModel !== offer.pricingModel,
    isIdentityChanged: offer.identityChanged,
  });

/** Status and supply after a command; BUSINESS_OFFER_INVALID_TRANSITION where the table has no row (D64). */
export function commandOf(offer: Offer, command: OfferCommand): Result<OfferTransition> {
  const transition = transitionOf(offer, command);
  return transition === null
    ? fail('BUSINESS_OFFER_INVALID_TRANSITION', { status: offer.status, action: command })
    : { ok: true, value: transition };
}

/** The supply option after a transition. */
export function supplyAfter(
  supply: Supply | null,
  { supply: effect }: OfferTransition,
): Supply | null {
  if (supply === null || effect === 'untouched') return supply;
  return { ...supply, isPaused: effect === 'paused' };
}

/** An offer moved by the table's row: its status and its supply. */
export const moved = (offer: Offer, transition: OfferTransition): Offer => ({
  ...offer,
  status: transition.to,
  supply: supplyAfter(offer.supply, transition),
});

/** Whether a reviewer is awaited: for the offer as a whole, or for a price staged on a live one. */
const awaitsReviewer = (offer: Offer): boolean =>
  statusesInReview.includes(offer.status) ||
  (offer.status === 'Approved' && stagedPrice(offer) !== null);

/** `after` as the next version of `before`: counted, dated, and in the review queue since it first had to be. */
export const nextVersion = (before: Offer, after: Offer, now: Date): Offer => ({
  ...after,
  version: before.version + 1,
  changedAt: now,
  awaitingSince: awaitsReviewer(after) ? (before.awaitingSince ?? now) : null,
});
