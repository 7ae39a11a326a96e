import { supplyPrices, type Agreement } from '../accounts/agreement.ts';
import type { Price } from '../vat.ts';
import { isSameGtin } from './gtin.ts';
import { judgedFacts } from './offer-change.ts';
import { livePrice, stagedPrice } from './offer-prices.ts';
import type { Offer } from './offer.ts';

/** A price with what it sells for and what it pays the vendor, net, in halalas. */
export type JudgedPrice = Price & {
  readonly sellHalalas: number;
  readonly payoutHalalas: number;
};

export function judgedPrice(price: Price, agreement: Agreement): JudgedPrice {
  const { sell, payout } = supplyPrices(agreement, price.netHalalas);
  return { ...price, sellHalalas: sell, payoutHalalas: payout };
}

type Facts = Pick<Offer, (typeof judgedFacts)[number]>;

/** What a reviewer approved. */
export type JudgedOffer = Facts & Pick<Offer, 'pricingModel'> & { readonly price: JudgedPrice };

/** The price that an approval makes live. */
export const priceToJudge = (offer: Offer): Price | null => stagedPrice(offer) ?? livePrice(offer);

/** The facts and the live price of an offer that was just approved. */
export function judgedOffer(offer: Offer, agreement: Agreement): JudgedOffer {
  const price = livePrice(offer);
  if (price === null) throw new Error('an approved offer has a price');
  const facts = Object.fromEntries(judgedFacts.map((name) => [name, offer[name]]));
  const { pricingModel } = offer;
  return { ...(facts as Facts), pricingModel, price: judgedPrice(price, agreement) };
}

export const judgedFields = [...judgedFacts, 'price'] as const;

/**
 * The fields in which an offer differs from what was approved. Its price is the one that an
 * approval would make live, and a price of another pricing model differs.
 */
export function changedSince(
  approved: JudgedOffer,
  offer: Offer,
): readonly (typeof judgedFields)[number][] {
  const price = priceToJudge(offer);
  const isSamePrice =
    approved.pricingModel === offer.pricingModel &&
    approved.price.netHalalas === price?.netHalalas &&
    approved.price.vatHalalas === price.vatHalalas;
  return judgedFields.filter((field) => {
    if (field === 'price') return !isSamePrice;
    if (field === 'barcode') return !isSameGtin(approved.barcode, offer.barcode);
    return approved[field] !== offer[field];
  });
}
