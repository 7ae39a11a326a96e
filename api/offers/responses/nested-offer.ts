import * as v from 'valibot';
import {
  modelNumber,
  pricingModels,
  type PricingModel,
} from '../../../domain/accounts/agreement.ts';
import { sarFromHalalas } from '../../../domain/money.ts';
import { offerStatuses, type Offer } from '../../../domain/offers/offer.ts';
import type { Price } from '../../../domain/vat.ts';
import { described } from '../../validation/described.ts';
import {
  decimal,
  id,
  instant,
  integer,
  isoOrNull,
  netOrNull,
  orNull,
  textOrNull,
  titled,
  vatOrNull,
} from '../../validation/response-parts.ts';
import { sample } from '../../validation/sample.ts';
import { agreementText } from '../../accounts/agreement-fields.ts';
import { barcodeFormats, offerStatusText } from '../offer-texts.ts';

/** `{"name":"CostPlusMargin","model":1}` or `{"name":"PercentageOfSale","model":2}` (D21). */
export const pricingModelResponse = described(
  v.object({
    name: described(v.picklist(pricingModels), ...agreementText.pricingModel),
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
  variantId: described(
    orNull(id),
    'The variant of the catalog that the offer is matched to; null before a match.',
    sample.variantId,
  ),
  vendorSku: described(
    textOrNull,
    "The vendor's own stock-keeping unit; null when there is none.",
    sample.vendorSku,
  ),
  barcode: described(
    textOrNull,
    `${barcodeFormats}, as it was sent; null while none is known. Most edits then require one.`,
    sample.barcode,
  ),
  rawBrandName: described(textOrNull, `The brand ${inVendorsWords}`, sample.brand),
  rawProductName: described(textOrNull, `The product name ${inVendorsWords}`, sample.product),
  rawConcentration: described(
    textOrNull,
    `The concentration ${inVendorsWords}`,
    sample.concentration,
  ),
  rawDescription: described(textOrNull, `A description ${inVendorsWords}`, sample.description),
  rawSizeMl: described(
    orNull(integer),
    'The size in whole millilitres; null when the vendor gave none.',
    100,
  ),
};
export const offerId = described(id, "The offer's id.", sample.offerId);
export const vendorExternalId = described(
  textOrNull,
  "The vendor's own id for the offer, opaque to the service and unique among the vendor's " +
    'offers. It is the idempotency key of create-offer; null when there is none.',
  sample.vendorExternalId,
);
export const vatExcluded = described(
  v.literal(false),
  'Always false: amounts in responses are net. You can send them back unchanged.',
);
const enteredVatInclusive = (example: boolean | null) =>
  described(
    orNull(v.boolean()),
    'Whether the vendor entered the amount with VAT. For display only; null without a price.',
    example,
  );
const vatText =
  'in SAR: the gross amount less the net one, or 15 % of the net amount, depending on how the ' +
  'price was entered.';
const pendingAmount = described(decimal, 'The staged amount, net, in SAR.', 215);

const cost = v.object({
  amount: described(
    orNull(decimal),
    'The live cost, net, in SAR; null under `PercentageOfSale`.',
    210,
  ),
  isVatInclusive: vatExcluded,
  enteredVatInclusive: enteredVatInclusive(true),
  inputVat: described(orNull(decimal), `The VAT on the live cost, ${vatText}`, 31.5),
  pending: described(
    orNull(
      v.object({
        amount: pendingAmount,
        inputVat: described(decimal, 'The VAT on the staged cost, in SAR.', 32.25),
      }),
    ),
    'A staged cost, which a reviewer applies or discards; null when there is none.',
  ),
});

const price = v.object({
  amount: described(
    orNull(decimal),
    'The live sale price, net, in SAR; null under `CostPlusMargin`.',
    null,
  ),
  isVatInclusive: vatExcluded,
  enteredVatInclusive: enteredVatInclusive(null),
  vat: described(orNull(decimal), `The VAT on the live sale price, ${vatText}`, null),
  pending: described(
    orNull(
      v.object({
        amount: pendingAmount,
        vat: described(decimal, 'The VAT on the staged sale price, in SAR.', 44.85),
      }),
    ),
    'A staged sale price, which a reviewer applies or discards; null when there is none.',
    null,
  ),
});

const stock = v.object({
  declaredQuantity: described(
    orNull(integer),
    'The number of pieces; null when it is not known.',
    24,
  ),
  declaredInStock: described(v.boolean(), 'Whether the vendor has the product in stock.', true),
});

export const reviewedAtText =
  'When a reviewer last decided, in UTC; null before the first decision.';
export const reviewReason = described(
  textOrNull,
  "The reviewer's reason; null when the reviewer gave none, and after an approval.",
  null,
);

/** The nested form of part 2; values that are unknown or not of the agreement are null (D21). */
export const nestedOfferResponse = titled('Offer', {
  id: offerId,
  status: described(v.picklist(offerStatuses), offerStatusText, 'Approved'),
  pricingModel: pricingModelResponse,
  vendorExternalId,
  product: described(
    v.object(productEntries),
    'The product: the match to the catalog and what the vendor declares.',
  ),
  cost: described(cost, "The vendor's cost; every part is null under `PercentageOfSale`."),
  price: described(price, "The vendor's sale price; every part is null under `CostPlusMargin`."),
  stock: described(stock, 'The stock that the vendor declares. It applies without a review.'),
  review: described(
    v.object({
      reviewedAt: described(orNull(instant), reviewedAtText, sample.approvedAt),
      reason: reviewReason,
    }),
    'The last review decision; every part is null before the first one.',
  ),
});

const net = (price: Price): number => sarFromHalalas(price.netHalalas);
const vat = (price: Price): number => sarFromHalalas(price.vatHalalas);

const amounts = (price: Price | null) => ({
  amount: netOrNull(price),
  isVatInclusive: false as const,
  enteredVatInclusive: price?.enteredVatInclusive ?? null,
});

export function toNestedOffer(offer: Offer): v.InferInput<typeof nestedOfferResponse> {
  const isCostPlus = offer.pricingModel === 'CostPlusMargin';
  const cost = isCostPlus ? offer.cost : null;
  const salePrice = isCostPlus ? null : offer.salePrice;
  const pendingCost = isCostPlus ? offer.pendingCost : null;
  const pendingSalePrice = isCostPlus ? null : offer.pendingSalePrice;
  return {
    id: offer.id,
    status: offer.status,
    pricingModel: pricingModelOf(offer.pricingModel),
    vendorExternalId: offer.vendorExternalId,
    product: {
      variantId: offer.variantId,
      vendorSku: offer.vendorSku,
      barcode: offer.barcode,
      rawBrandName: offer.rawBrandName,
      rawProductName: offer.rawProductName,
      rawConcentration: offer.rawConcentration,
      rawDescription: offer.rawDescription,
      rawSizeMl: offer.rawSizeMl,
    },
    cost: {
      ...amounts(cost),
      inputVat: vatOrNull(cost),
      pending:
        pendingCost === null ? null : { amount: net(pendingCost), inputVat: vat(pendingCost) },
    },
    price: {
      ...amounts(salePrice),
      vat: vatOrNull(salePrice),
      pending:
        pendingSalePrice === null
          ? null
          : { amount: net(pendingSalePrice), vat: vat(pendingSalePrice) },
    },
    stock: {
      declaredQuantity: offer.declaredStockQuantity,
      declaredInStock: offer.declaredInStock,
    },
    review: { reviewedAt: isoOrNull(offer.reviewedAt), reason: offer.reviewReason },
  };
}
