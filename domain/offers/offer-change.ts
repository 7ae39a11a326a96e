import { fail, ok, type Result } from '../errors.ts';
import { priceFields, productDetails, type Offer } from './offer.ts';
import { isEqualPrice } from '../vat.ts';
import { stagedPrice } from './offer-prices.ts';
import {
  findTransition,
  statusesInReview,
  type OfferCommand,
  type OfferTransition,
  type OfferTrigger,
} from './offer-status.ts';

/** A rule's result for an offer at an instant; the same object when nothing changes. */
export type OfferRule = (offer: Offer, now: Date) => Result<Offer>;

/** The table's row for an offer and a trigger; null when there is none. */
export const transitionOf = (offer: Offer, trigger: OfferTrigger): OfferTransition | null =>
  findTransition(offer.status, trigger, {
    isMatched: offer.variantId !== null,
    isAgreementSwitched: offer.supply !== null && offer.supply.pricingModel !== offer.pricingModel,
    isIdentityChanged: offer.identityChanged,
  });

/** The offer with the status and the supply option of a row. */
export const applyTransition = (offer: Offer, { to, supply: effect }: OfferTransition): Offer => ({
  ...offer,
  status: to,
  supply:
    offer.supply === null || effect === 'untouched'
      ? offer.supply
      : { ...offer.supply, isPaused: effect === 'paused' },
});

/**
 * The offer after a command; BUSINESS_OFFER_INVALID_TRANSITION where the table has no row.
 */
export function applyCommand(offer: Offer, command: OfferCommand): Result<Offer> {
  const transition = transitionOf(offer, command);
  return transition === null
    ? fail('BUSINESS_OFFER_INVALID_TRANSITION', { status: offer.status, action: command })
    : ok(applyTransition(offer, transition));
}

/** Whether the offer, or a staged price of a live offer, waits for a reviewer. */
const awaitsReviewer = (offer: Offer): boolean =>
  statusesInReview.includes(offer.status) ||
  (offer.status === 'Approved' && stagedPrice(offer) !== null);

/** Identity facts and the match. */
export const judgedFacts = [...productDetails, 'barcode', 'variantId'] as const;

/** Whether a fact differs that a reviewer judges; the agreement has its own counter. */
const changesJudgedFacts = (before: Offer, after: Offer): boolean =>
  judgedFacts.some((name) => before[name] !== after[name]) ||
  priceFields.some((name) => !isEqualPrice(before[name], after[name]));

/** `after` as the next version of `before`; it keeps its position in the review queue. */
export const nextVersion = (before: Offer, after: Offer, now: Date): Offer => ({
  ...after,
  version: before.version + 1,
  judgedVersion: before.judgedVersion + (changesJudgedFacts(before, after) ? 1 : 0),
  changedAt: now,
  awaitingSince: awaitsReviewer(after) ? (after.awaitingSince ?? now) : null,
});
