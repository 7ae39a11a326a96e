import * as v from 'valibot';
import type { SupplyOption } from '../../../db/offers/supply-options.ts';
import { sarFromHalalas } from '../../../domain/money.ts';
import type { Offer } from '../../../domain/offers/offer.ts';
import { operatorOfferResponse } from './operator-offer.ts';
import { decimal, id, instant, integer, orNull } from '../../validation/response-parts.ts';

const supplyForm = v.object({
  id,
  variantId: id,
  isPaused: v.boolean(),
  /** The offer's approved net price. */
  netPrice: decimal,
  /** What it sells at: with the markup under Model 1, the sale price itself under Model 2. */
  sellPrice: decimal,
  /** What the vendor is paid: its cost under Model 1, the sale price less the commission under Model 2. */
  payoutPrice: decimal,
  stockQuantity: orNull(integer),
  inStock: v.boolean(),
  updatedAt: instant,
});

/** One offer as an operator reads it: with what it sells as, null until it was approved. Net SAR. */
export const operatorOfferDetailResponse = v.object({
  ...operatorOfferResponse.entries,
  supply: orNull(supplyForm),
});

/** While a switch of the agreement is being stored, the offer's word on the pause comes before the option's own. */
export function operatorSupply(
  option: SupplyOption,
  offer: Offer,
): v.InferInput<typeof supplyForm> {
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
    updatedAt: (option.isPaused === isPaused ? option.updatedAt : offer.changedAt).toISOString(),
  };
}
