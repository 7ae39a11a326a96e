import * as v from 'valibot';
import { modelNumber, type PricingModel } from '../../../domain/accounts/agreement.ts';
import { sarFromHalalas } from '../../../domain/money.ts';
import type { OfferFacts } from '../../../db/offers/offer-row.ts';
import { offerSources, offerStatuses } from '../../../domain/offers/offer.ts';
import type { Price } from '../../../domain/vat.ts';
import { described, describeValues } from '../../validation/described.ts';
import {
  enumeration,
  field,
  netOrNull,
  orNull,
  titled,
  vatOrNull,
} from '../../validation/response-parts.ts';
import { sample } from '../../validation/sample.ts';
import { pricingModelName } from '../../accounts/agreement-fields.ts';
import { barcodeFormats } from '../declared-fields.ts';

/** `{"name":"CostPlusMargin","model":1}` or `{"name":"PercentageOfSale","model":2}`. */
export const pricingModelResponse = described(
  titled('PricingModel', {
    name: pricingModelName,
    model: described(
      v.picklist([1, 2]),
      'The model number: 1 for `CostPlusMargin`, 2 for `PercentageOfSale`.',
      1,
    ),
  }),
  "The pricing model of the vendor's agreement. It decides which price field applies.",
);

export const pricingModelOf = (name: PricingModel): v.InferInput<typeof pricingModelResponse> => ({
  name,
  model: modelNumber[name],
});

const inVendorsWords = "in the vendor's words; null when the vendor gave none.";

/** The product fields of an offer's responses. */
export const productEntries = {
  variantId: field.idOrNull(
    'The variant of the catalogue that the offer is matched to; null before a match.',
    sample.variantId,
  ),
  vendorSku: field.textOrNull(
    "The vendor's own stock-keeping unit; null when there is none.",
    sample.vendorSku,
  ),
  barcode: field.textOrNull(
    `${barcodeFormats}, in ASCII digits; null while none is known. Most edits ` +
      'then require one.',
    sample.barcode,
  ),
  rawBrandName: field.textOrNull(`The brand ${inVendorsWords}`, sample.brand),
  rawProductName: field.textOrNull(`The product name ${inVendorsWords}`, sample.product),
  rawConcentration: field.textOrNull(`The concentration ${inVendorsWords}`, sample.concentration),
  rawDescription: field.textOrNull(`A description ${inVendorsWords}`, sample.description),
  rawSizeMl: field.integerOrNull(
    'The size in whole millilitres; null when the vendor gave none.',
    100,
  ),
};
const offerStatusText = describeValues("The offer's status.", {
  Draft: 'saved but not submitted; reviewers do not see it.',
  PendingMatch: 'waits for a reviewer to match it to a variant of the catalogue.',
  PendingReview: 'matched; waits for a reviewer to approve it.',
  Approved: 'live: it sells unless it is out of stock.',
  Rejected: 'rejected by a reviewer, with a reason; any edit, or submit, sends it back to review.',
  Withdrawn: 'withdrawn by the vendor; submit it to send it back to review.',
  Suspended: 'suspended by the service, with a reason; only the service can reinstate it.',
  PendingRepricing:
    'the pricing model changed; the offer sells again after a price of the new model is approved.',
});

const offerSourceText = describeValues('How the offer was created.', {
  Api: 'submitted by the vendor through this API.',
  Manual: 'entered by an operator for the vendor.',
  Import: 'imported in a batch; batch imports do not exist yet.',
});

export const offerStatus = enumeration('OfferStatus', offerStatuses, offerStatusText, 'Approved');
export const offerSource = enumeration('OfferSource', offerSources, offerSourceText, 'Api');
export const versionText = 'A counter that increases with every change.';
export const offerId = field.id("The offer's id.", sample.offerId);
export const vendorExternalId = field.textOrNull(
  "The vendor's own id for the offer, opaque to the service and unique among the offers that the " +
    'vendor submitted through this API. It is the idempotency key of create-offer; null when ' +
    'there is none.',
  sample.vendorExternalId,
);
export const vatExcluded = described(
  v.literal(false),
  'Always false: amounts in responses are net. You can send them back unchanged.',
);
const enteredVatText = 'Whether the vendor entered the amount with VAT. For display only.';
const vatText =
  'in SAR: the gross amount less the net one, or 15 % of the net amount, depending on how the ' +
  'price was entered.';
const pendingAmount = field.decimal('The staged amount, net, in SAR.', 215);

const cost = titled('OfferCost', {
  amount: field.decimal(
    'The live cost, net, in SAR. Under `PercentageOfSale` it is information and may be 0.',
    210,
  ),
  isVatInclusive: vatExcluded,
  enteredVatInclusive: field.flag(enteredVatText, true),
  inputVat: field.decimal(`The VAT on the live cost, ${vatText}`, 31.5),
  pending: orNull(
    titled('StagedCost', {
      amount: pendingAmount,
      inputVat: field.decimal('The VAT on the staged cost, in SAR.', 32.25),
    }),
    'A staged cost, which a reviewer applies or discards; null when there is none.',
  ),
});

const price = titled('OfferPrice', {
  amount: field.decimalOrNull(
    'The live sale price, net, in SAR; null until the vendor has declared one. Under ' +
      '`CostPlusMargin` an earlier one is without effect.',
    null,
  ),
  isVatInclusive: vatExcluded,
  enteredVatInclusive: orNull(v.boolean(), `${enteredVatText} Null without a sale price.`, null),
  vat: field.decimalOrNull(`The VAT on the live sale price, ${vatText}`, null),
  pending: orNull(
    titled('StagedPrice', {
      amount: pendingAmount,
      vat: field.decimal('The VAT on the staged sale price, in SAR.', 44.85),
    }),
    'A staged sale price, which a reviewer applies or discards; null when there is none.',
    null,
  ),
});

const stock = titled('OfferStock', {
  declaredQuantity: field.integerOrNull('The number of pieces; null when it is not known.', 24),
  declaredInStock: field.flag('Whether the vendor has the product in stock.', true),
});

export const reviewedAtText =
  'When a reviewer last decided, in UTC; null before the first decision.';
export const reviewReason = field.textOrNull(
  "The reviewer's reason; null when the reviewer gave none, and after an approval.",
  null,
);

/** The nested form of part 2; what was never stored is null, under either agreement. */
export const nestedOfferResponse = titled('Offer', {
  id: offerId,
  status: offerStatus,
  pricingModel: pricingModelResponse,
  vendorExternalId,
  product: described(
    titled('OfferProduct', productEntries),
    'The product: the match to the catalogue and what the vendor declares.',
  ),
  cost: described(
    cost,
    "The vendor's stored cost, under either pricing model. It counts under `CostPlusMargin`.",
  ),
  price: described(
    price,
    "The vendor's stored sale price, under either pricing model. It counts under " +
      '`PercentageOfSale`.',
  ),
  stock: described(stock, 'The stock that the vendor declares. It applies without a review.'),
  review: described(
    titled('OfferReview', {
      reviewedAt: field.instantOrNull(reviewedAtText, sample.approvedAt),
      reason: reviewReason,
    }),
    'The last review decision; every part is null before the first one.',
  ),
});

/** The values of {@link productEntries}. */
export const productOf = (offer: OfferFacts) => ({
  variantId: offer.variantId,
  vendorSku: offer.vendorSku,
  barcode: offer.barcode,
  rawBrandName: offer.rawBrandName,
  rawProductName: offer.rawProductName,
  rawConcentration: offer.rawConcentration,
  rawDescription: offer.rawDescription,
  rawSizeMl: offer.rawSizeMl,
});

const net = (price: Price): number => sarFromHalalas(price.netHalalas);
const vat = (price: Price): number => sarFromHalalas(price.vatHalalas);

export function toNestedOffer(offer: OfferFacts): v.InferInput<typeof nestedOfferResponse> {
  const { cost, salePrice, pendingCost, pendingSalePrice } = offer;
  return {
    id: offer.id,
    status: offer.status,
    pricingModel: pricingModelOf(offer.pricingModel),
    vendorExternalId: offer.vendorExternalId,
    product: productOf(offer),
    cost: {
      amount: net(cost),
      isVatInclusive: false,
      enteredVatInclusive: cost.enteredVatInclusive,
      inputVat: vat(cost),
      pending: pendingCost && { amount: net(pendingCost), inputVat: vat(pendingCost) },
    },
    price: {
      amount: netOrNull(salePrice),
      isVatInclusive: false,
      enteredVatInclusive: salePrice?.enteredVatInclusive ?? null,
      vat: vatOrNull(salePrice),
      pending: pendingSalePrice && { amount: net(pendingSalePrice), vat: vat(pendingSalePrice) },
    },
    stock: {
      declaredQuantity: offer.declaredStockQuantity,
      declaredInStock: offer.declaredInStock,
    },
    review: { reviewedAt: offer.reviewedAt, reason: offer.reviewReason },
  };
}
