import { fail, fieldError, invalid, ok, type Result } from './errors.ts';
import type { ReviewDecision } from './events.ts';
import type { Offer, Variant } from './offer.ts';
import { nextOfferStatus } from './offer-status.ts';

/** A reviewer's decision on an offer in review. */
export type ReviewCommand =
  | {
      readonly action: 'approve';
      /** The match; required from PendingMatch, and a re-match from PendingReview. */
      readonly variantId: string | null;
      readonly expectedVersion: number | null;
    }
  | { readonly action: 'reject'; readonly reason: string; readonly expectedVersion: number | null };

export type Reviewed = { readonly offer: Offer; readonly decision: ReviewDecision };

/** The match that an offer has after a decision: the decision's own, else the one it had. */
export const variantIdAfter = (offer: Offer, command: ReviewCommand): string | null =>
  (command.action === 'approve' ? command.variantId : null) ?? offer.variantId;

/**
 * What a reviewer's decision makes of an offer (part 3; D60, D63, D64). `variant` is the one that the offer ends with.
 * Fails with CONFLICT_VERSION, BUSINESS_OFFER_INVALID_TRANSITION, BUSINESS_OFFER_PRICE_REQUIRED or
 * VALIDATION_ERRORS on VariantId.
 */
export function reviewOffer(
  offer: Offer,
  command: ReviewCommand,
  variant: Variant | null,
  now: Date,
): Result<Reviewed> {
  if (command.expectedVersion !== null && command.expectedVersion !== offer.version) {
    return fail('CONFLICT_VERSION', { expectedVersion: command.expectedVersion, version: offer.version });
  }
  const status = nextOfferStatus(offer.status, command.action, variant !== null);
  if (status === null) {
    return fail('BUSINESS_OFFER_INVALID_TRANSITION', { status: offer.status, action: command.action });
  }
  const reviewed = {
    ...offer,
    status,
    reviewedAt: now,
    awaitingSince: null,
    version: offer.version + 1,
    changedAt: now,
  };
  if (command.action === 'reject') {
    return ok({ decision: 'Rejected', offer: { ...reviewed, reviewReason: command.reason } });
  }
  return approve(reviewed, command.variantId, variant);
}

/** Approval takes over the match, its barcode and whatever price was staged (D60, D63). */
function approve(offer: Offer, variantId: string | null, variant: Variant | null): Result<Reviewed> {
  if (offer.variantId === null && variantId === null) {
    return invalid(fieldError('variantId', 'required', 'is required: the offer has no match yet'));
  }
  if (variant?.isActive !== true) {
    return invalid(fieldError('variantId', 'unknown_variant', 'names no active variant'));
  }
  const salePrice = offer.pendingSalePrice ?? offer.salePrice;
  if (offer.pricingModel === 'PercentageOfSale' && salePrice === null) {
    return fail('BUSINESS_OFFER_PRICE_REQUIRED', { field: 'SalePrice' });
  }
  return ok({
    decision: 'Approved',
    offer: {
      ...offer,
      variantId: variant.id,
      barcode: offer.barcode ?? variant.barcode,
      cost: offer.pendingCost ?? offer.cost,
      pendingCost: null,
      salePrice,
      pendingSalePrice: null,
      everApproved: true,
      reviewReason: null,
    },
  });
}
