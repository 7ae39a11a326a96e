import type { Offer, OfferStatus } from '../../../../domain/offers/offer.ts';
import { deepFrozen, offer, price, supply, variant } from '../offer-builders.ts';

/** The statuses in which an offer does not sell. */
export const stopped: readonly OfferStatus[] = [
  'Rejected',
  'Withdrawn',
  'Suspended',
  'PendingRepricing',
];

/** Whether a reviewer has something to decide. */
export const isAwaited = ({ status, pendingCost, pendingSalePrice }: Offer): boolean =>
  status === 'PendingMatch' ||
  status === 'PendingReview' ||
  (status === 'Approved' && (pendingCost !== null || pendingSalePrice !== null));

/** The facts about an offer that decide the outcome of a command. */
type Facts = Pick<Offer, 'status' | 'pricingModel'> & Readonly<Record<Flag, boolean>>;
/**
 * `hasPrice`: a live price of the agreement; Model 2 may have none yet. `isSwitched`: the agreement
 * was switched since its live price was approved. `isEdited`: an identity fact was changed since.
 */
const flags = [
  'isMatched',
  'hasBarcode',
  'wasApproved',
  'hasPrice',
  'isStaged',
  'isSwitched',
  'isEdited',
] as const;
type Flag = (typeof flags)[number];

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
  Array.from({ length: 2 ** (flags.length + 1) }, (_, bits): Facts => {
    const set = flags.map((flag, index) => [flag, (bits >> index) % 2 === 1] as const);
    const pricingModel = bits >> flags.length === 0 ? 'CostPlusMargin' : 'PercentageOfSale';
    return { ...(Object.fromEntries(set) as Record<Flag, boolean>), status, pricingModel };
  }).filter(isPossible);

/** An offer with these facts. */
export function offerWith(facts: Facts): Offer {
  const { status, pricingModel, wasApproved, isSwitched } = facts;
  const isModel1 = pricingModel === 'CostPlusMargin';
  const live = facts.hasPrice ? price(10_000, 1500) : null;
  const staged = facts.isStaged ? price(9000, 1350) : null;
  const given = offer({
    status,
    pricingModel,
    variantId: facts.isMatched ? variant.id : null,
    barcode: facts.hasBarcode ? '4006381333931' : null,
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
