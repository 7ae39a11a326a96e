import type { PricingModel } from '../accounts/agreement.ts';
import type { Price } from '../vat.ts';

/** Every status an offer can have (part 3). */
export const offerStatuses = [
  'Draft',
  'PendingMatch',
  'PendingReview',
  'Approved',
  'Rejected',
  'Withdrawn',
  'Suspended',
  'PendingRepricing',
] as const;
export type OfferStatus = (typeof offerStatuses)[number];

export const offerSources = ['Manual', 'Import', 'Api'] as const;
export type OfferSource = (typeof offerSources)[number];

/** The vendor's description of the product; null where the vendor gives none. */
export type OfferDescription = {
  readonly vendorSku: string | null;
  readonly vendorExternalId: string | null;
  readonly barcode: string | null;
  readonly rawBrandName: string | null;
  readonly rawProductName: string | null;
  readonly rawConcentration: string | null;
  readonly rawDescription: string | null;
  readonly rawSizeMl: number | null;
};

/** The name that a vendor gives an offer: exactly one of the two is not null. */
export type OfferName = {
  readonly offerId: string | null;
  readonly vendorExternalId: string | null;
};

/** Changing one of these, or replacing a barcode, is an identity change (part 3). */
export const productDetails = [
  'vendorSku',
  'vendorExternalId',
  'rawBrandName',
  'rawProductName',
  'rawConcentration',
  'rawDescription',
  'rawSizeMl',
] as const satisfies readonly (keyof OfferDescription)[];

/** The supply option of an offer that was approved. */
export type Supply = {
  readonly optionId: string;
  /** A paused supply option is off sale. */
  readonly isPaused: boolean;
  /** The pricing model under which a reviewer approved the price. */
  readonly pricingModel: PricingModel;
};

/** An offer as stored (part 2); amounts in halalas. */
export type Offer = OfferDescription & {
  readonly id: string;
  readonly vendorId: string;
  readonly status: OfferStatus;
  readonly source: OfferSource;
  readonly pricingModel: PricingModel;
  readonly variantId: string | null;
  /** The live cost. Under Model 2 it is information only. */
  readonly cost: Price;
  /** The staged cost. */
  readonly pendingCost: Price | null;
  readonly salePrice: Price | null;
  readonly pendingSalePrice: Price | null;
  readonly declaredStockQuantity: number | null;
  readonly declaredInStock: boolean;
  /** A reviewer has approved it at least once, whatever its status. */
  readonly everApproved: boolean;
  /** An identity fact has changed since the last approval. */
  readonly identityChanged: boolean;
  /** The start of its wait for a reviewer; null when it does not wait. */
  readonly awaitingSince: Date | null;
  readonly reviewedAt: Date | null;
  readonly reviewReason: string | null;
  /** Null until the first approval. */
  readonly supply: Supply | null;
  /** The number of the vendor's agreement switches that the offer follows. */
  readonly agreementEpoch: number;
  /** Counts all changes, stock included. */
  readonly version: number;
  /** Counts the changes of the facts that a reviewer judges, apart from the agreement. */
  readonly judgedVersion: number;
  /** Counts the changes of the vendor's agreement, of its percentage too. */
  readonly agreementVersion: number;
  readonly createdAt: Date;
  readonly changedAt: Date;
};

/** The live and the staged prices of an offer. A price that changes is a new object. */
export const priceFields = ['cost', 'pendingCost', 'salePrice', 'pendingSalePrice'] as const;

/** The `reviewVersion` of D83: it rises with the offer's judged facts and with the agreement. */
export const reviewVersionOf = ({ judgedVersion, agreementVersion }: Offer): number =>
  judgedVersion + agreementVersion;

/** A product of the catalogue, which offers are matched to. */
export type Variant = {
  readonly id: string;
  readonly sku: string;
  readonly brandName: string;
  readonly productName: string;
  readonly concentration: string | null;
  readonly sizeMl: number | null;
  readonly barcode: string | null;
  readonly isActive: boolean;
};
