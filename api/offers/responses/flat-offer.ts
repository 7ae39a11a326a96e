import * as v from 'valibot';
import { sarFromHalalas } from '../../../domain/money.ts';
import { offerSources, offerStatuses, type Offer } from '../../../domain/offers/offer.ts';
import {
  decimal,
  id,
  instant,
  integer,
  isoOrNull,
  netOrNull,
  orNull,
  vatOrNull,
} from '../../validation/response-parts.ts';

const textOrNull = orNull(v.string());

/** The flat form of part 2. */
export const flatOfferResponse = v.object({
  id,
  vendorId: id,
  variantId: orNull(id),
  status: v.picklist(offerStatuses),
  source: v.picklist(offerSources),
  vendorSku: textOrNull,
  vendorExternalId: textOrNull,
  cost: decimal,
  pendingCost: orNull(decimal),
  costIsVatInclusive: v.literal(false),
  costEnteredVatInclusive: v.boolean(),
  inputVatAmount: decimal,
  pendingInputVatAmount: orNull(decimal),
  declaredStockQuantity: orNull(integer),
  declaredInStock: v.boolean(),
  rawBrandName: textOrNull,
  rawProductName: textOrNull,
  rawConcentration: textOrNull,
  rawDescription: textOrNull,
  rawSizeMl: orNull(integer),
  syncPaused: v.boolean(),
  autoPublishEligible: v.boolean(),
  reviewedByUserId: orNull(id),
  reviewedAt: orNull(instant),
  reviewReason: textOrNull,
  importBatchId: orNull(id),
  supplyOptionId: orNull(id),
  version: integer,
  createdDate: orNull(instant),
  lastModifiedDate: orNull(instant),
});

/** An offer as create-offer answers it. Money as NET SAR. */
export const offerFlat = (offer: Offer): v.InferInput<typeof flatOfferResponse> => ({
  id: offer.id,
  vendorId: offer.vendorId,
  variantId: offer.variantId,
  status: offer.status,
  source: offer.source,
  vendorSku: offer.vendorSku,
  vendorExternalId: offer.vendorExternalId,
  cost: sarFromHalalas(offer.cost.netHalalas),
  pendingCost: netOrNull(offer.pendingCost),
  costIsVatInclusive: false,
  costEnteredVatInclusive: offer.cost.enteredVatInclusive,
  inputVatAmount: sarFromHalalas(offer.cost.vatHalalas),
  pendingInputVatAmount: vatOrNull(offer.pendingCost),
  declaredStockQuantity: offer.declaredStockQuantity,
  declaredInStock: offer.declaredInStock,
  rawBrandName: offer.rawBrandName,
  rawProductName: offer.rawProductName,
  rawConcentration: offer.rawConcentration,
  rawDescription: offer.rawDescription,
  rawSizeMl: offer.rawSizeMl,
  syncPaused: offer.supply?.isPaused ?? false,
  // Nothing goes live without a reviewer (part 1, rule 1), so no offer is ever eligible.
  autoPublishEligible: false,
  // Staff identities are excluded from a vendor's answers (D34).
  reviewedByUserId: null,
  reviewedAt: isoOrNull(offer.reviewedAt),
  reviewReason: offer.reviewReason,
  // Offers come by this API or by hand; nothing imports batches yet.
  importBatchId: null,
  supplyOptionId: offer.supply?.optionId ?? null,
  version: offer.version,
  createdDate: offer.createdAt.toISOString(),
  lastModifiedDate: offer.changedAt.toISOString(),
});
