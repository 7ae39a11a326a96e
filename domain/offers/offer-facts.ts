/** Changing one of these, or replacing a barcode (D26), is an identity change (part 3). */
export const productDetails = [
  'vendorSku',
  'vendorExternalId',
  'rawBrandName',
  'rawProductName',
  'rawConcentration',
  'rawDescription',
  'rawSizeMl',
] as const;

/** The live and the staged prices of an offer. A price that changes is a new object. */
export const priceFields = ['cost', 'pendingCost', 'salePrice', 'pendingSalePrice'] as const;
