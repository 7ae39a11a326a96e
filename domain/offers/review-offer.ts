import { fail, fieldError, fieldName, invalid, ok, type Result } from '../errors.ts';
import type { ReviewDecision } from '../webhooks/events.ts';
import {
  reviewVersionOf,
  type Offer,
  type OfferStatus,
  type Supply,
  type Variant,
} from './offer.ts';
import { applyCommand, nextVersion } from './offer-change.ts';
import { undoDecision, type LatestAct } from './undo-decision.ts';
import { livePrice, priceFieldOf, stagedPrice, withPrices } from './offer-prices.ts';

/** The `reviewVersion` that the reviewer has read; the API requires it to approve or apply. */
type Expected = { readonly expectedVersion: number | null };

/** A reviewer's decision on an offer in review, or on a staged price. */
export type ReviewCommand =
  /** `variantId` is the match: required from PendingMatch, a new match from PendingReview. */
  | (Expected & { readonly action: 'approve'; readonly variantId: string | null })
  | (Expected & { readonly action: 'reject' | 'returnToReview'; readonly reason: string })
  | (Expected & { readonly action: 'applyPrice' | 'discardPrice'; readonly reason: string | null })
  /** Takes back the latest decision. */
  | (Expected & { readonly action: 'undo' });

export type ReviewAction = ReviewCommand['action'];

export const decisionOf: Readonly<Record<ReviewAction, ReviewDecision>> = {
  approve: 'Approved',
  reject: 'Rejected',
  applyPrice: 'PriceApplied',
  discardPrice: 'PriceDiscarded',
  returnToReview: 'ReturnedToReview',
  undo: 'ReturnedToReview',
};

export type ReviewContext = {
  /** The variant of {@link variantIdAfter}. */
  readonly variant: Variant | null;
  /** The id of the supply option if this is the offer's first approval. */
  readonly newSupplyOptionId: string;
  /** For an undo. */
  readonly latest?: LatestAct | null;
  readonly now: Date;
};

/** The match after a decision: the decision's own, else the present one. */
export const variantIdAfter = (offer: Offer, command: ReviewCommand): string | null =>
  (command.action === 'approve' ? command.variantId : null) ?? offer.variantId;

/** Fails with CONFLICT_VERSION where a version is expected that is not the offer's. */
export function checkReviewVersion(offer: Offer, { expectedVersion }: Expected): Result<null> {
  const reviewVersion = reviewVersionOf(offer);
  return expectedVersion === null || expectedVersion === reviewVersion
    ? ok(null)
    : fail('CONFLICT_VERSION', { expectedVersion, reviewVersion });
}

/**
 * The offer after a reviewer's decision (part 3; D60, D63, D64, D83, D162). Fails with
 * CONFLICT_VERSION, BUSINESS_OFFER_INVALID_TRANSITION, BUSINESS_OFFER_NO_PENDING_PRICE,
 * BUSINESS_OFFER_PRICE_REQUIRED, BUSINESS_OFFER_DECISION_NOT_UNDOABLE or VALIDATION_ERRORS on
 * VariantId.
 */
export function reviewOffer(
  offer: Offer,
  command: ReviewCommand,
  context: ReviewContext,
): Result<Offer> {
  const checked = checkReviewVersion(offer, command);
  if (!checked.ok) return checked;
  const decided = decide(offer, command, context);
  if (!decided.ok) return decided;
  return ok(nextVersion(offer, { ...decided.value, reviewedAt: context.now }, context.now));
}

function decide(offer: Offer, command: ReviewCommand, context: ReviewContext): Result<Offer> {
  if (command.action === 'approve') return approve(offer, command.variantId, context);
  if (command.action === 'reject') return reject(offer, command.reason);
  if (command.action === 'returnToReview') return returnToReview(offer, command.reason);
  if (command.action === 'undo') return undoDecision(offer, context.latest ?? null);
  return settleStagedPrice(offer, command.action, command.reason);
}

/** Approval takes the match, its barcode and a staged price. */
function approve(offer: Offer, variantId: string | null, context: ReviewContext): Result<Offer> {
  const approved = applyCommand(offer, 'approve');
  if (!approved.ok) return approved;
  const { variant } = context;
  if (offer.variantId === null && variantId === null) {
    return invalid(
      fieldError(
        'variantId',
        'required',
        'is required: the offer has no match yet; name a variant',
      ),
    );
  }
  if (variant?.isActive !== true) {
    return invalid(fieldError('variantId', 'unknown_variant', 'must be an active variant'));
  }
  const price = stagedPrice(offer) ?? livePrice(offer);
  // A cost of 0 was information under Model 2.
  if (price === null || price.netHalalas === 0) {
    const field = fieldName(priceFieldOf[offer.pricingModel]);
    return fail('BUSINESS_OFFER_PRICE_REQUIRED', { field });
  }
  const supply: Supply = {
    optionId: offer.supply?.optionId ?? context.newSupplyOptionId,
    isPaused: false,
    pricingModel: offer.pricingModel,
  };
  return ok({
    ...withPrices(approved.value, price, null),
    variantId: variant.id,
    barcode: offer.barcode ?? variant.barcode,
    everApproved: true,
    identityChanged: false,
    reviewReason: null,
    supply,
  });
}

function reject(offer: Offer, reason: string): Result<Offer> {
  const rejected = applyCommand(offer, 'reject');
  return rejected.ok ? ok({ ...rejected.value, reviewReason: reason }) : rejected;
}

/**
 * Suspends an Approved offer, then returns it to review. Its prices stay, and its supply option is
 * paused until the next approval.
 */
function returnToReview(offer: Offer, reason: string): Result<Offer> {
  const suspended = offer.status === 'Approved' ? applyCommand(offer, 'suspend') : ok(offer);
  if (!suspended.ok) return suspended;
  const returned = applyCommand(suspended.value, 'returnToReview');
  return returned.ok ? ok({ ...returned.value, reviewReason: reason }) : returned;
}

/** The statuses that a decision passes on its way to another one. */
export const statusesPassedBy = (
  action: ReviewAction,
  { status }: Offer,
): readonly OfferStatus[] =>
  action === 'returnToReview' && status === 'Approved' ? ['Suspended'] : [];

/** Makes the staged price live or drops it, in any status; the status does not change. */
function settleStagedPrice(
  offer: Offer,
  action: 'applyPrice' | 'discardPrice',
  reason: string | null,
): Result<Offer> {
  const staged = stagedPrice(offer);
  if (staged === null) return fail('BUSINESS_OFFER_NO_PENDING_PRICE');
  const reviewed = { ...offer, reviewReason: reason };
  if (action === 'discardPrice') return ok(withPrices(reviewed, livePrice(offer), null));
  const supply =
    offer.supply === null ? null : { ...offer.supply, pricingModel: offer.pricingModel };
  return ok({ ...withPrices(reviewed, staged, null), supply });
}
