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

/** What a vendor says about the product; null where nothing was said. */
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

/** The supply option of an offer that was approved (D35). */
export type Supply = {
  readonly optionId: string;
  /** A paused option must not be sold. */
  readonly isPaused: boolean;
  /** The agreement under which its price was approved. */
  readonly pricingModel: PricingModel;
};

/** An offer as the record holds it (part 2). Amounts in halalas, times as instants. */
export type Offer = OfferDescription & {
  readonly id: string;
  readonly vendorId: string;
  readonly status: OfferStatus;
  readonly source: OfferSource;
  readonly pricingModel: PricingModel;
  readonly variantId: string | null;
  /** The live cost. Under Model 2 it is kept as information only (D20). */
  readonly cost: Price;
  /** A cost that waits for a reviewer (D19). */
  readonly pendingCost: Price | null;
  readonly salePrice: Price | null;
  readonly pendingSalePrice: Price | null;
  readonly declaredStockQuantity: number | null;
  readonly declaredInStock: boolean;
  /** Whether a reviewer has ever approved it: history, not status (D19). */
  readonly everApproved: boolean;
  /** Whether what it is called by or made of has changed since a reviewer last approved it. */
  readonly identityChanged: boolean;
  /** Since when it waits for a reviewer; null when it does not. */
  readonly awaitingSince: Date | null;
  readonly reviewedAt: Date | null;
  readonly reviewReason: string | null;
  /** What it sells as; null until a reviewer has approved it. */
  readonly supply: Supply | null;
  /** Counts the switches of the vendor's agreement that it has followed. */
  readonly agreementEpoch: number;
  readonly version: number;
  readonly createdAt: Date;
  readonly changedAt: Date;
};

/** The catalog's product that an offer is matched to. */
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
