/** The two pricing models of a vendor's agreement (part 1, rule 4). */
export const pricingModels = ['CostPlusMargin', 'PercentageOfSale'] as const;
export type PricingModel = (typeof pricingModels)[number];

export const modelNumber: Record<PricingModel, 1 | 2> = { CostPlusMargin: 1, PercentageOfSale: 2 };

/**
 * `rateBasisPoints` is the markup on the cost (Model 1) or the commission on the sale price (2).
 */
export type Agreement = { readonly pricingModel: PricingModel; readonly rateBasisPoints: number };

const portion = (amountHalalas: number, rateBasisPoints: number): number =>
  Math.floor((2 * amountHalalas * rateBasisPoints + 10_000) / 20_000);

/**
 * The prices of a supply option, in halalas, from the offer's live net price. Model 1 sells at the
 * cost plus markup and pays the cost. Model 2 sells at the sale price and pays it less the
 * commission.
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
