import type { PricingModel } from '../accounts/agreement.ts';
import { fail, fieldName, ok, type Result } from '../errors.ts';
import type { Offer } from './offer.ts';
import { priceFromDeclaration, type Price } from '../vat.ts';

/** A price as a vendor declares it, in halalas. */
export type PriceDeclaration = { readonly amountHalalas: number; readonly isVatInclusive: boolean };

/** The two prices an offer may have; each agreement uses one of them. */
export type PriceField = 'cost' | 'salePrice';
const priceFieldOf: Readonly<Record<PricingModel, PriceField>> = {
  CostPlusMargin: 'cost',
  PercentageOfSale: 'salePrice',
};

/** The live price of the offer's agreement; null where none was declared yet. */
export const livePrice = (offer: Offer): Price | null => offer[priceFieldOf[offer.pricingModel]];
/** The price that waits for a reviewer. */
export const stagedPrice = (offer: Offer): Price | null =>
  offer.pricingModel === 'CostPlusMargin' ? offer.pendingCost : offer.pendingSalePrice;

/** The offer with another live and staged price of its agreement. */
export const withPrices = (offer: Offer, live: Price | null, staged: Price | null): Offer =>
  offer.pricingModel === 'CostPlusMargin'
    ? { ...offer, cost: live ?? offer.cost, pendingCost: staged }
    : { ...offer, salePrice: live, pendingSalePrice: staged };

/** Fails with BUSINESS_OFFER_PRICE_FIELD_NOT_FOR_AGREEMENT when the field is the other model's (D20). */
export const checkPriceField = (pricingModel: PricingModel, field: PriceField): Result<null> =>
  priceFieldOf[pricingModel] === field
    ? ok(null)
    : fail('BUSINESS_OFFER_PRICE_FIELD_NOT_FOR_AGREEMENT', { field: fieldName(field) });

/** Net says it all when it was entered net; entered gross, the VAT must be the same too (D18, D61). */
const isSame = (stored: Price | null, declared: Price): boolean =>
  stored !== null &&
  stored.netHalalas === declared.netHalalas &&
  (!declared.enteredVatInclusive || stored.vatHalalas === declared.vatHalalas);

const isIdentical = (stored: Price | null, declared: Price): boolean =>
  stored !== null &&
  stored.netHalalas === declared.netHalalas &&
  stored.vatHalalas === declared.vatHalalas &&
  stored.enteredVatInclusive === declared.enteredVatInclusive;

/**
 * The offer after a price of its agreement was declared; the very same offer when that changes nothing. Never yet
 * approved, the price is set at once; else it is staged, the last one only (D19). The live value declared again leaves a
 * staged one as it is in an edit, since a round trip changes nothing, and discards it in a push.
 */
export function declarePrice(
  offer: Offer,
  { amountHalalas, isVatInclusive }: PriceDeclaration,
  by: 'edit' | 'push',
  vatRateBasisPoints: number,
): Offer {
  const declared = priceFromDeclaration(amountHalalas, isVatInclusive, vatRateBasisPoints);
  const live = livePrice(offer);
  const staged = stagedPrice(offer);
  if (isSame(live, declared)) {
    return by === 'push' && staged !== null ? withPrices(offer, live, null) : offer;
  }
  if (!offer.everApproved) return withPrices(offer, declared, null);
  return isIdentical(staged, declared) ? offer : withPrices(offer, live, declared);
}
