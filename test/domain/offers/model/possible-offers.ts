import type { Offer, OfferStatus } from '../../../../domain/offers/offer.ts';
import { deepFrozen, offer, price, supply, variant } from '../offer-builders.ts';
import { isAwaited, stopped } from './offer-facts.ts';

/** The facts about an offer that decide the answer to a command. */
export type Facts = {
  readonly status: OfferStatus;
  readonly isMatched: boolean;
  readonly hasBarcode: boolean;
  readonly wasApproved: boolean;
  readonly pricingModel: Offer['pricingModel'];
  /** A live price of the agreement; Model 2 may have none yet. */
  readonly hasPrice: boolean;
  readonly isStaged: boolean;
  /** The agreement was switched since its live price was approved. */
  readonly isSwitched: boolean;
  /** An identity fact was changed since it was approved. */
  readonly isEdited: boolean;
};

const either = [true, false];
const matchedOnly: readonly OfferStatus[] = [
  'PendingReview',
  'Approved',
  'Suspended',
  'PendingRepricing',
];
const approvedOnly: readonly OfferStatus[] = ['Approved', 'Suspended'];

/** Whether an offer can have these facts together. */
function isPossible(facts: Facts): boolean {
  const { status, isMatched, wasApproved, hasPrice, isStaged, isSwitched, isEdited } = facts;
  if (status === 'PendingMatch' && isMatched) return false;
  if (matchedOnly.includes(status) && !isMatched) return false;
  if (wasApproved && (!isMatched || status === 'Draft' || status === 'PendingMatch')) return false;
  if (!wasApproved && (approvedOnly.includes(status) || isStaged || isSwitched || isEdited))
    return false;
  if (status === 'Approved' && (isSwitched || isEdited)) return false;
  if (hasPrice) return true;
  return (
    facts.pricingModel === 'PercentageOfSale' && (isSwitched || !approvedOnly.includes(status))
  );
}

/** Every possible combination of facts in a status. */
export const factsOf = (status: OfferStatus): readonly Facts[] =>
  (['CostPlusMargin', 'PercentageOfSale'] as const)
    .flatMap((pricingModel) => either.map((isMatched) => ({ status, pricingModel, isMatched })))
    .flatMap((facts) => either.map((hasBarcode) => ({ ...facts, hasBarcode })))
    .flatMap((facts) => either.map((wasApproved) => ({ ...facts, wasApproved })))
    .flatMap((facts) => either.map((hasPrice) => ({ ...facts, hasPrice })))
    .flatMap((facts) => either.map((isStaged) => ({ ...facts, isStaged })))
    .flatMap((facts) => either.map((isSwitched) => ({ ...facts, isSwitched })))
    .flatMap((facts) => either.map((isEdited) => ({ ...facts, isEdited })))
    .filter(isPossible);

/** An offer with these facts. */
export function offerWith(facts: Facts): Offer {
  const {
    status,
    isMatched,
    hasBarcode,
    wasApproved,
    pricingModel,
    hasPrice,
    isStaged,
    isSwitched,
  } = facts;
  const isModel1 = pricingModel === 'CostPlusMargin';
  const live = hasPrice ? price(10_000, 1500) : null;
  const staged = isStaged ? price(9000, 1350) : null;
  const given = offer({
    status,
    pricingModel,
    variantId: isMatched ? variant.id : null,
    barcode: hasBarcode ? '4006381333931' : null,
    everApproved: wasApproved,
    identityChanged: facts.isEdited,
    cost: (isModel1 ? live : null) ?? price(7000, 1050),
    salePrice: isModel1 ? price(20_000, 3000) : live,
    pendingCost: isModel1 ? staged : null,
    pendingSalePrice: isModel1 ? null : staged,
    supply: wasApproved
      ? supply({
          isPaused: isSwitched || stopped.includes(status),
          pricingModel: isModel1 === isSwitched ? 'PercentageOfSale' : 'CostPlusMargin',
        })
      : null,
  });
  return deepFrozen({ ...given, awaitingSince: isAwaited(given) ? given.createdAt : null });
}
