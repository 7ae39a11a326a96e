import * as v from 'valibot';
import type { SupplyOption } from '../../../db/offers/supply-options.ts';
import { sarFromHalalas } from '../../../domain/money.ts';
import type { Offer } from '../../../domain/offers/offer.ts';
import { field } from '../../validation/response-parts.ts';
import { sample } from '../../validation/sample.ts';

/** The supply option of an offer; money is net SAR. */
export const supplyResponse = v.object({
  id: field.id("The supply option's id.", sample.supplyOptionId),
  variantId: field.id('The variant that the supply option sells.', sample.variantId),
  isPaused: field.flag('Whether the supply option is paused, and so off sale.', false),
  netPrice: field.decimal("The offer's approved price, net, in SAR.", 210),
  sellPrice: field.decimal(
    'The selling price, net, in SAR: the cost plus the markup, or the sale price itself.',
    262.5,
  ),
  payoutPrice: field.decimal(
    "The vendor's payout, net, in SAR: the cost, or the sale price less the commission.",
    210,
  ),
  stockQuantity: field.integerOrNull('The number of pieces; null when it is not known.', 24),
  inStock: field.flag('Whether the product is in stock.', true),
  updatedAt: field.instant('When the supply option last changed, in UTC.', sample.approvedAt),
});

/**
 * While a workflow stores a switch of the agreement, the option's own pause flag can be outdated,
 * so the offer's flag wins.
 */
export function operatorSupply(
  option: SupplyOption,
  offer: Offer,
): v.InferInput<typeof supplyResponse> {
  const isPaused = offer.supply?.isPaused === true;
  return {
    id: option.id,
    variantId: option.variantId,
    isPaused,
    netPrice: sarFromHalalas(option.net),
    sellPrice: sarFromHalalas(Number(option.sellNet)),
    payoutPrice: sarFromHalalas(option.payoutNet),
    stockQuantity: option.stockQuantity,
    inStock: option.inStock,
    updatedAt: option.isPaused === isPaused ? option.updatedAt : offer.changedAt,
  };
}
