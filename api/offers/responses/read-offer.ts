import * as v from 'valibot';
import type { OfferHistory } from '../../../db/offers/offer-history.ts';
import type { Offer } from '../../../domain/offers/offer.ts';
import { toNestedOffer, nestedOfferResponse } from './nested-offer.ts';
import { instant, orNull } from '../../validation/response-parts.ts';

const statusChangeForm = v.object({
  at: instant,
  from: orNull(v.string()),
  to: v.string(),
  reason: orNull(v.string()),
});

/** The nested form as it is read, with the status changes when they were asked for (`include=history`, D32). */
export const readOfferResponse = v.object({
  ...nestedOfferResponse.entries,
  history: v.optional(v.array(statusChangeForm)),
});
export type OfferRead = v.InferInput<typeof readOfferResponse>;

export const offerWithHistory = (offer: Offer, history: OfferHistory): OfferRead => ({
  ...toNestedOffer(offer),
  history: (history.get(offer.id) ?? []).map(({ at, ...change }) => ({
    at: at.toISOString(),
    ...change,
  })),
});
