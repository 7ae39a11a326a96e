import type { PricingModel } from '../accounts/agreement.ts';
import { fail, fieldName, ok, type Result } from '../errors.ts';
import type { Offer } from './offer.ts';
import { priceFromDeclaration, type Price } from '../vat.ts';

/** A price as a vendor declares it. */
export type PriceDeclaration = { readonly amountHalalas: number; readonly isVatInclusive: boolean };

/** The prices of an offer; each pricing model uses one of them. */
export type PriceField = 'cost' | 'salePrice';
const priceFieldOf: Readonly<Record<PricingModel, PriceField>> = {
  CostPlusMargin: 'cost',
  PercentageOfSale: 'salePrice',
};

/** The live price of the offer's pricing model; null when the vendor has declared none. */
export const livePrice = (offer: Offer): Price | null => offer[priceFieldOf[offer.pricingModel]];
/** The staged price of the offer's pricing model. */
export const stagedPrice = (offer: Offer): Price | null =>
  offer.pricingModel === 'CostPlusMargin' ? offer.pendingCost : offer.pendingSalePrice;

/** The offer with another live and staged price of its pricing model. */
export const withPrices = (offer: Offer, live: Price | null, staged: Price | null): Offer =>
  offer.pricingModel === 'CostPlusMargin'
    ? { ...offer, cost: live ?? offer.cost, pendingCost: staged }
    : { ...offer, salePrice: live, pendingSalePrice: staged };

/** Fails with BUSINESS_OFFER_PRICE_FIELD_NOT_FOR_AGREEMENT for the other model's field (D20). */
export const checkPriceField = (pricingModel: PricingModel, field: PriceField): Result<null> =>
  priceFieldOf[pricingModel] === field
    ? ok(null)
    : fail('BUSINESS_OFFER_PRICE_FIELD_NOT_FOR_AGREEMENT', { field: fieldName(field) });

/** A price entered net equals by its net; one entered gross, by net and VAT (D18, D61). */
const isSame = (stored: Price | null, declared: Price): boolean =>
  stored?.netHalalas === declared.netHalalas &&
  (!declared.enteredVatInclusive || stored.vatHalalas === declared.vatHalalas);

const isIdentical = (stored: Price | null, declared: Price): boolean =>
  stored?.netHalalas === declared.netHalalas &&
  stored.vatHalalas === declared.vatHalalas &&
  stored.enteredVatInclusive === declared.enteredVatInclusive;

/**
 * The offer after a declared price of its pricing model; the same object when nothing changes.
 * Before the first approval the price is live at once; later it is staged and replaces a staged one
 * (D19). Declaring the live price again drops a staged price in a push, and keeps it in an edit,
 * where sending back what was read must change nothing.
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
