/** The nested form of a new offer under Model 1 that states a cost of 100 and nothing optional. */
export const newNestedOffer = (id: string) => ({
  id,
  status: 'PendingMatch',
  pricingModel: { name: 'CostPlusMargin', model: 1 },
  vendorExternalId: null,
  product: {
    variantId: null,
    vendorSku: null,
    barcode: null,
    rawBrandName: 'Brand',
    rawProductName: 'Product',
    rawConcentration: null,
    rawDescription: null,
    rawSizeMl: null,
  },
  cost: {
    amount: 100,
    isVatInclusive: false,
    enteredVatInclusive: false,
    inputVat: 15,
    pending: null,
  },
  price: {
    amount: null,
    isVatInclusive: false,
    enteredVatInclusive: null,
    vat: null,
    pending: null,
  },
  stock: { declaredQuantity: null, declaredInStock: false },
  review: { reviewedAt: null, reason: null },
});
