import { offerStatuses } from '../../../../domain/offers/offer.ts';

export const wrongPrice = 'BUSINESS_OFFER_PRICE_FIELD_NOT_FOR_AGREEMENT';

/** Each field alone, and where the nested form shows it. */
export const fields: readonly (readonly [string, string | number])[] = [
  ['vendorSku', 'SKU-2'],
  ['vendorExternalId', 'key-2'],
  ['rawBrandName', 'Brand 2'],
  ['rawProductName', 'Product 2'],
  ['rawConcentration', 'EDT'],
  ['rawDescription', 'Text 2'],
  ['rawSizeMl', 75],
];

export const said = {
  vendorSku: 'SKU-1',
  vendorExternalId: 'key-1',
  rawConcentration: 'EDP',
  rawDescription: 'Text 1',
  rawSizeMl: 50,
  declaredStockQuantity: 7,
};

/** What a vendor sends back that takes the nested form for its own record. */
export function roundTrip(
  payload: Readonly<Record<string, unknown>> | null,
): Record<string, unknown> {
  const { vendorExternalId, product, cost, price, pricingModel } = payload as {
    pricingModel: { model: 1 | 2 };
    vendorExternalId: string | null;
    product: Record<string, unknown>;
    cost: { amount: number | null; isVatInclusive: boolean };
    price: { amount: number | null; isVatInclusive: boolean };
  };
  const { variantId: _, ...details } = product;
  // The price of the other model is stored, but not for this agreement (D73).
  const declared =
    pricingModel.model === 1
      ? { cost: cost.amount, costIsVatInclusive: cost.isVatInclusive }
      : { salePrice: price.amount, salePriceIsVatInclusive: price.isVatInclusive };
  return { ...details, vendorExternalId, ...declared };
}

export const settled = offerStatuses.filter((status) => status !== 'PendingRepricing');
