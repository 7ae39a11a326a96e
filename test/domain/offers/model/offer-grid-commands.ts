import {
  editOffer,
  pushPrice,
  pushStock,
  type DeclaredPrice,
  type OfferEdit,
} from '../../../../domain/offers/edit-offer.ts';
import { moveOffer, type OfferMove } from '../../../../domain/offers/move-offer.ts';
import type { Offer } from '../../../../domain/offers/offer.ts';
import { reviewOffer, type ReviewCommand } from '../../../../domain/offers/review-offer.ts';
import { applyPendingSwitch } from '../../../../domain/offers/switch-agreement.ts';
import { now, variant } from '../offer-builders.ts';

/** The price field of each model, and the other model's. */
export const own = { CostPlusMargin: 'cost', PercentageOfSale: 'salePrice' } as const;
export const others = { CostPlusMargin: 'salePrice', PercentageOfSale: 'cost' } as const;
export const livePrice = 10_000;
export const newPrice = 8000;
const priceOf = (field: DeclaredPrice['field'], amountHalalas: number): DeclaredPrice => ({
  field,
  declared: { amountHalalas, isVatInclusive: false },
});
const context15 = { vatRateBasisPoints: 1500, now };

export const edit = (edit: Partial<OfferEdit>, ownPrice?: number) => (offer: Offer) =>
  editOffer(
    offer,
    {
      description: {},
      prices: ownPrice === undefined ? [] : [priceOf(own[offer.pricingModel], ownPrice)],
      stock: null,
      ...edit,
    },
    context15,
  );
export const editOther = (description: OfferEdit['description']) => (offer: Offer) =>
  edit({ description, prices: [priceOf(others[offer.pricingModel], newPrice)] })(offer);
/** The older form declares a cost only (D59). */
export const editOlder = (cost: number) =>
  edit({
    prices: [priceOf('cost', cost)],
    stock: { declaredInStock: true, declaredStockQuantity: 9 },
  });
export const push = (fields: typeof own | typeof others, amount: number) => (offer: Offer) =>
  pushPrice(offer, priceOf(fields[offer.pricingModel], amount), context15);
export const stock = (declaredStockQuantity: number) => (offer: Offer) =>
  pushStock(offer, { declaredInStock: true, declaredStockQuantity }, now);
export const move = (move: OfferMove) => (offer: Offer) => moveOffer(offer, move, now);
export const review =
  (command: ReviewCommand, isActive = true) =>
  (offer: Offer) => {
    const isMatched =
      offer.variantId !== null || (command.action === 'approve' && command.variantId !== null);
    const found = isMatched ? { ...variant, isActive } : null;
    return reviewOffer(offer, command, { variant: found, newSupplyOptionId: 'option-new', now });
  };
export const approve = { action: 'approve', variantId: null, expectedVersion: null } as const;
export const approveMatch = { ...approve, variantId: variant.id };
export const switchTo = (epoch: number) => (offer: Offer) => {
  const pricingModel =
    offer.pricingModel === 'CostPlusMargin' ? 'PercentageOfSale' : 'CostPlusMargin';
  return {
    ok: true,
    value: applyPendingSwitch(offer, { pricingModel, epoch, changedAt: now }),
  } as const;
};

export const detail = { vendorSku: 'V-2' };
export const barcode = '96385074';
