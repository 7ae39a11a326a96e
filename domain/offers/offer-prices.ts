import { modelNumber, type PricingModel } from '../accounts/agreement.ts';
import { fail, fieldName, ok, type Result } from '../errors.ts';
import type { Offer } from './offer.ts';
import { priceFromDeclaration, type Price } from '../vat.ts';

/** A price as a vendor declares it. */
export type PriceDeclaration = { readonly amountHalalas: number; readonly isVatInclusive: boolean };

/** The prices of an offer; each pricing model uses one of them. */
export type PriceField = 'cost' | 'salePrice';
export const priceFieldOf: Readonly<Record<PricingModel, PriceField>> = {
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

/** The refusal names the agreement in force and the field to send. */
const wrongField = (pricingModel: PricingModel, field: PriceField, action: string) =>
  fail('BUSINESS_OFFER_PRICE_FIELD_NOT_FOR_AGREEMENT', {
    field: fieldName(field),
    pricingModel,
    fieldToSend: fieldName(priceFieldOf[pricingModel]),
    message:
      `The agreement in force is ${pricingModel} (model ${modelNumber[pricingModel]}): ` +
      `${action}.`,
  });

/** Fails with BUSINESS_OFFER_PRICE_FIELD_NOT_FOR_AGREEMENT for the other model's field. */
export function checkPriceField(pricingModel: PricingModel, field: PriceField): Result<null> {
  const fieldToSend = priceFieldOf[pricingModel];
  return fieldToSend === field
    ? ok(null)
    : wrongField(pricingModel, field, `send ${fieldToSend} with its VAT flag instead of ${field}`);
}

/**
 * Fails with BUSINESS_OFFER_PRICE_FIELD_NOT_FOR_AGREEMENT under Model 2: the older form of
 * update-offer has a cost only.
 */
export const checkOlderForm = (pricingModel: PricingModel): Result<null> =>
  priceFieldOf[pricingModel] === 'cost'
    ? ok(null)
    : wrongField(
        pricingModel,
        'cost',
        'push stock to PATCH /api/v1/scent/offers/{id}/stock, and send salePrice with its VAT ' +
          'flag in a body without declaredStockQuantity and declaredInStock',
      );

/** A price declared net equals by its net; one declared gross, by net and VAT. */
const isSame = (stored: Price | null, declared: Price): boolean =>
  stored?.netHalalas === declared.netHalalas &&
  (!declared.enteredVatInclusive || stored.vatHalalas === declared.vatHalalas);

/**
 * The offer after a declared price of its pricing model; the same object when nothing changes.
 * Before the first approval the price is live at once; later it is staged and replaces a staged
 * one. Declaring the staged price again changes nothing. Declaring the live price again drops
 * another staged price in a push, and keeps it in an edit, where sending back what was read must
 * change nothing.
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
  if (isSame(staged, declared)) return offer;
  if (isSame(live, declared)) {
    return by === 'push' && staged !== null ? withPrices(offer, live, null) : offer;
  }
  return offer.everApproved ? withPrices(offer, live, declared) : withPrices(offer, declared, null);
}
