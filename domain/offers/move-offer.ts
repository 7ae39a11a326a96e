import { ok, type Result } from '../errors.ts';
import type { Offer } from './offer.ts';
import { commandOf, moved, nextVersion } from './offer-change.ts';

/** Commands that move an offer as a whole; suspend and reinstate are the operator's, with a reason for the vendor. */
export type OfferMove =
  | { readonly action: 'submit' | 'withdraw' }
  | { readonly action: 'suspend' | 'reinstate'; readonly reason: string };

/** The offer after a move (D23, D30). Fails with BUSINESS_OFFER_INVALID_TRANSITION. */
export function moveOffer(offer: Offer, move: OfferMove, now: Date): Result<Offer> {
  const transition = commandOf(offer, move.action);
  if (!transition.ok) return transition;
  const after = moved(offer, transition.value);
  const told = 'reason' in move ? { ...after, reviewedAt: now, reviewReason: move.reason } : after;
  return ok(nextVersion(offer, told, now));
}
