import type * as v from 'valibot';
import { sarFromHalalas } from '../../../domain/money.ts';
import type { Offer } from '../../../domain/offers/offer.ts';
import { field, netOrNull, titled, vatOrNull, vendorId } from '../../validation/response-parts.ts';
import { sample } from '../../validation/sample.ts';
import {
  offerId,
  offerSource,
  offerStatus,
  productEntries,
  productOf,
  reviewedAtText,
  reviewReason,
  vatExcluded,
  vendorExternalId,
  versionText,
} from './nested-offer.ts';

const { variantId, vendorSku, barcode: _barcode, ...rawEntries } = productEntries;

/** The flat form of part 2, which has no barcode. */
export const flatOfferResponse = titled('FlatOffer', {
  id: offerId,
  vendorId,
  variantId,
  status: offerStatus,
  source: offerSource,
  vendorSku,
  vendorExternalId,
  cost: field.decimal('The live cost, net, in SAR.', 210),
  pendingCost: field.decimalOrNull(
    'A staged cost, net, in SAR, which a reviewer applies or discards; null when there is none.',
    null,
  ),
  costIsVatInclusive: vatExcluded,
  costEnteredVatInclusive: field.flag(
    'Whether the vendor entered the cost with VAT. For display only.',
    true,
  ),
  inputVatAmount: field.decimal('The VAT on the live cost, in SAR.', 31.5),
  pendingInputVatAmount: field.decimalOrNull(
    'The VAT on the staged cost, in SAR; null when there is none.',
    null,
  ),
  declaredStockQuantity: field.integerOrNull(
    'The number of pieces; null when it is not known. Above 0 in stock, 0 out of stock.',
    24,
  ),
  declaredInStock: field.flag('Whether the vendor has the product in stock.', true),
  ...rawEntries,
  syncPaused: field.flag(
    "Whether the offer's supply option is paused; false before there is one.",
    false,
  ),
  autoPublishEligible: field.flag('Always false: no offer goes live without a reviewer.', false),
  reviewedByUserId: field.idOrNull(
    "Always null: the reviewer's identity is not shown to vendors.",
    null,
  ),
  reviewedAt: field.instantOrNull(reviewedAtText, null),
  reviewReason,
  importBatchId: field.idOrNull('Always null: batch imports do not exist yet.', null),
  supplyOptionId: field.idOrNull(
    'The supply option that the offer sells as; null before its first approval.',
    null,
  ),
  version: field.integer(`${versionText} For information: no request takes it.`, 1),
  createdDate: field.instantOrNull('When the offer was created, in UTC.', sample.offerCreatedAt),
  lastModifiedDate: field.instantOrNull(
    'When the offer last changed, in UTC.',
    sample.offerCreatedAt,
  ),
});

/** An offer in the flat form, with money as net SAR. */
export function offerFlat(offer: Offer): v.InferInput<typeof flatOfferResponse> {
  const { barcode: _known, ...product } = productOf(offer);
  return {
    ...product,
    id: offer.id,
    vendorId: offer.vendorId,
    status: offer.status,
    source: offer.source,
    vendorExternalId: offer.vendorExternalId,
    cost: sarFromHalalas(offer.cost.netHalalas),
    pendingCost: netOrNull(offer.pendingCost),
    costIsVatInclusive: false,
    costEnteredVatInclusive: offer.cost.enteredVatInclusive,
    inputVatAmount: sarFromHalalas(offer.cost.vatHalalas),
    pendingInputVatAmount: vatOrNull(offer.pendingCost),
    declaredStockQuantity: offer.declaredStockQuantity,
    declaredInStock: offer.declaredInStock,
    syncPaused: offer.supply?.isPaused ?? false,
    // Nothing goes live without a reviewer (part 1, rule 1), so no offer is ever eligible.
    autoPublishEligible: false,
    // Staff identities are excluded from a vendor's responses.
    reviewedByUserId: null,
    reviewedAt: offer.reviewedAt,
    reviewReason: offer.reviewReason,
    // Offers come by this API or by hand; nothing imports batches yet.
    importBatchId: null,
    supplyOptionId: offer.supply?.optionId ?? null,
    version: offer.version,
    createdDate: offer.createdAt,
    lastModifiedDate: offer.changedAt,
  };
}
