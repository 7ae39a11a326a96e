import { isDeepStrictEqual } from 'node:util';
import type { CreationContext, OfferDeclaration } from '../../../domain/offers/create-offer.ts';
import type { Failure, Result } from '../../../domain/errors.ts';
import type { Offer, OfferStatus, Supply, Variant } from '../../../domain/offers/offer.ts';
import type { Price } from '../../../domain/vat.ts';

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
  agreementEpoch: 0,
  agreementVersion: 0,
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
  cost: price(10_000, 1500),
  pendingCost: null,
  salePrice: null,
  pendingSalePrice: null,
  declaredStockQuantity: 5,
  declaredInStock: true,
  everApproved: false,
  identityChanged: false,
  awaitingSince: new Date('2026-02-01T00:00:00.000Z'),
  reviewedAt: null,
  reviewReason: null,
  supply: null,
  agreementEpoch: 0,
  version: 3,
  judgedVersion: 3,
  agreementVersion: 0,
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

export const price = (
  netHalalas: number,
  vatHalalas: number,
  enteredVatInclusive = false,
): Price => ({ netHalalas, vatHalalas, enteredVatInclusive });

export const supply = (given: Partial<Supply> = {}): Supply => ({
  optionId: 'option-1',
  isPaused: false,
  pricingModel: 'CostPlusMargin',
  ...given,
});

const onceApproved = { everApproved: true, awaitingSince: null };
/** How an offer comes to each status in the shortest way. */
const typical: Readonly<Record<OfferStatus, Partial<Offer>>> = {
  Draft: { awaitingSince: null },
  PendingMatch: { variantId: null },
  PendingReview: {},
  Approved: { ...onceApproved, supply: supply() },
  Rejected: { awaitingSince: null },
  Withdrawn: { awaitingSince: null },
  Suspended: { ...onceApproved, supply: supply({ isPaused: true }) },
  PendingRepricing: { awaitingSince: null },
};

/**
 * An offer of a status, as it can be: nothing is staged, and only Approved and Suspended were ever
 * approved.
 */
export const offerIn = (status: OfferStatus, given: Partial<Offer> = {}): Offer =>
  offer({ status, ...typical[status], ...given });

/** What a reviewer judges of an offer, apart from its agreement (D83). */
export const judgedFacts = (given: Offer): readonly unknown[] => [
  given.vendorSku,
  given.vendorExternalId,
  given.rawBrandName,
  given.rawProductName,
  given.rawConcentration,
  given.rawDescription,
  given.rawSizeMl,
  given.barcode,
  given.variantId,
  given.cost,
  given.pendingCost,
  given.salePrice,
  given.pendingSalePrice,
];

/** `given` after a change at `now` that makes it this, and nothing else. */
export function changedTo(given: Offer, change: Partial<Offer>): Offer {
  const after = { ...given, ...change, version: given.version + 1, changedAt: now };
  const isJudgedAnew = !isDeepStrictEqual(judgedFacts(given), judgedFacts(after));
  return { ...after, judgedVersion: given.judgedVersion + (isJudgedAnew ? 1 : 0) };
}

/** The same value, deeply frozen, so that a change throws. */
export function deepFrozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.values(Object.freeze(value)).forEach(deepFrozen);
  }
  return value;
}
