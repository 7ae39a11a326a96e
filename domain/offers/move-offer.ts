import { invalid, ok, type Result } from '../errors.ts';
import { barcodeMissing, lacksBarcode } from './barcode-rule.ts';
import type { Offer } from './offer.ts';
import { applyCommand, nextVersion } from './offer-change.ts';

/** A command on the offer as a whole. Operators suspend and reinstate, with a reason. */
export type OfferMove =
  | { readonly action: 'submit' | 'withdraw' }
  | { readonly action: 'suspend' | 'reinstate'; readonly reason: string };

/**
 * The offer after a move. Fails with BUSINESS_OFFER_INVALID_TRANSITION, or VALIDATION_ERRORS on
 * Barcode where a Rejected offer has none.
 */
export function moveOffer(offer: Offer, move: OfferMove, now: Date): Result<Offer> {
  const moved = applyCommand(offer, move.action);
  if (!moved.ok) return moved;
  // A submit resubmits the offer, as an edit does, and changes no detail and no price.
  if (move.action === 'submit' && lacksBarcode(offer, { changesAnything: true }))
    return invalid(barcodeMissing);
  const review = 'reason' in move ? { reviewedAt: now, reviewReason: move.reason } : {};
  return ok(nextVersion(offer, { ...moved.value, ...review }, now));
}
