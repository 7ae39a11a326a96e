/** The two pricing models of a vendor's agreement (part 1, rule 4). */
export const pricingModels = ['CostPlusMargin', 'PercentageOfSale'] as const;
export type PricingModel = (typeof pricingModels)[number];

export const modelNumber: Record<PricingModel, 1 | 2> = { CostPlusMargin: 1, PercentageOfSale: 2 };

/**
 * What a vendor and the service have agreed. `rateBasisPoints` is the markup on the cost under Model 1 and the
 * commission on the sale price under Model 2.
 */
export type Agreement = { readonly pricingModel: PricingModel; readonly rateBasisPoints: number };

const portion = (amountHalalas: number, rateBasisPoints: number): number =>
  Math.floor((2 * amountHalalas * rateBasisPoints + 10_000) / 20_000);

/**
 * Prices of a supply option, in halalas, from the offer's live net price (D35). Model 1: the vendor is paid the cost
 * and the option sells at cost plus markup. Model 2: it sells at the sale price and the vendor is paid that less the commission.
 */
export function supplyPrices(
  agreement: Agreement,
  netHalalas: number,
): { sell: number; payout: number } {
  const share = portion(netHalalas, agreement.rateBasisPoints);
  return agreement.pricingModel === 'CostPlusMargin'
    ? { sell: netHalalas + share, payout: netHalalas }
    : { sell: netHalalas, payout: netHalalas - share };
}
