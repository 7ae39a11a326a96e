import type { CreationContext, OfferDeclaration } from '../../domain/create-offer.ts';
import type { Failure, Result } from '../../domain/errors.ts';
import type { Offer, Variant } from '../../domain/offer.ts';

export const now = new Date('2026-03-01T10:00:00.000Z');

export const variant: Variant = {
  id: 'variant-1',
  sku: 'SKU',
  brandName: 'Brand',
  productName: 'Product',
  concentration: null,
  sizeMl: 50,
  barcode: '4006381333931',
  isActive: true,
};

export const declaration = (given: Partial<OfferDeclaration> = {}): OfferDeclaration => ({
  variantId: null,
  vendorSku: null,
  vendorExternalId: null,
  barcode: null,
  costHalalas: 10_000,
  costIsVatInclusive: false,
  salePriceHalalas: null,
  salePriceIsVatInclusive: null,
  declaredStockQuantity: null,
  declaredInStock: null,
  rawBrandName: 'Brand',
  rawProductName: 'Product',
  rawConcentration: null,
  rawDescription: null,
  rawSizeMl: null,
  saveAsDraft: false,
  ...given,
});

export const context = (given: Partial<CreationContext> = {}): CreationContext => ({
  id: 'offer-1',
  vendorId: 'vendor-1',
  pricingModel: 'CostPlusMargin',
  source: 'Api',
  variant: null,
  vatRateBasisPoints: 1500,
  now,
  ...given,
});

export const offer = (given: Partial<Offer> = {}): Offer => ({
  id: 'offer-1',
  vendorId: 'vendor-1',
  status: 'PendingReview',
  source: 'Api',
  pricingModel: 'CostPlusMargin',
  variantId: variant.id,
  vendorSku: null,
  vendorExternalId: 'key',
  barcode: null,
  rawBrandName: 'Brand',
  rawProductName: 'Product',
  rawConcentration: null,
  rawDescription: null,
  rawSizeMl: null,
  cost: { netHalalas: 10_000, vatHalalas: 1500, enteredVatInclusive: false },
  pendingCost: null,
  salePrice: null,
  pendingSalePrice: null,
  declaredStockQuantity: 5,
  declaredInStock: true,
  everApproved: false,
  awaitingSince: new Date('2026-02-01T00:00:00.000Z'),
  reviewedAt: null,
  reviewReason: null,
  supplyOptionId: null,
  syncPaused: false,
  version: 3,
  createdAt: new Date('2026-02-01T00:00:00.000Z'),
  changedAt: new Date('2026-02-01T00:00:00.000Z'),
  ...given,
});

/** The value of a result that must have one. */
export function expectValue<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`refused: ${JSON.stringify(result.failure)}`);
  return result.value;
}

/** The failure of a result that must have one. */
export function expectFailure<T>(result: Result<T>): Failure {
  if (result.ok) throw new Error('was not refused');
  return result.failure;
}
