import * as v from 'valibot';
import {
  modelNumber,
  pricingModels,
  type PricingModel,
} from '../../../domain/accounts/agreement.ts';
import { sarFromHalalas } from '../../../domain/money.ts';
import { offerStatuses, type Offer } from '../../../domain/offers/offer.ts';
import type { Price } from '../../../domain/vat.ts';
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

/** `{"name":"CostPlusMargin","model":1}` or `{"name":"PercentageOfSale","model":2}` (D21). */
export const pricingModelResponse = v.object({
  name: v.picklist(pricingModels),
  model: v.picklist([1, 2]),
});

export const pricingModelOf = (name: PricingModel): v.InferInput<typeof pricingModelResponse> => ({
  name,
  model: modelNumber[name],
});

/** The nested form of part 2; what is not known, or not of this agreement, is null (D21). */
export const nestedOfferResponse = v.object({
  id,
  status: v.picklist(offerStatuses),
  pricingModel: pricingModelResponse,
  vendorExternalId: textOrNull,
  product: v.object({
    variantId: orNull(id),
    vendorSku: textOrNull,
    barcode: textOrNull,
    rawBrandName: textOrNull,
    rawProductName: textOrNull,
    rawConcentration: textOrNull,
    rawDescription: textOrNull,
    rawSizeMl: orNull(integer),
  }),
  cost: v.object({
    amount: orNull(decimal),
    isVatInclusive: v.literal(false),
    enteredVatInclusive: orNull(v.boolean()),
    inputVat: orNull(decimal),
    pending: orNull(v.object({ amount: decimal, inputVat: decimal })),
  }),
  price: v.object({
    amount: orNull(decimal),
    isVatInclusive: v.literal(false),
    enteredVatInclusive: orNull(v.boolean()),
    vat: orNull(decimal),
    pending: orNull(v.object({ amount: decimal, vat: decimal })),
  }),
  stock: v.object({ declaredQuantity: orNull(integer), declaredInStock: v.boolean() }),
  review: v.object({ reviewedAt: orNull(instant), reason: textOrNull }),
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
