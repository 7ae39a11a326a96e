import * as v from 'valibot';
import type { OfferHistory } from '../../../db/offers/offer-history.ts';
import type { Offer } from '../../../domain/offers/offer.ts';
import { toNestedOffer, nestedOfferResponse } from './nested-offer.ts';
import { described } from '../../validation/described.ts';
import { historyText, statusChange, titled } from '../../validation/response-parts.ts';
import { sample } from '../../validation/sample.ts';

/** The nested form with its status changes, which `include=history` adds (D32). */
export const readOfferResponse = titled('OfferWithHistory', {
  ...nestedOfferResponse.entries,
  history: described(v.optional(v.array(statusChange)), historyText, [
    { at: sample.offerCreatedAt, from: null, to: 'PendingReview', reason: null },
    { at: sample.approvedAt, from: 'PendingReview', to: 'Approved', reason: null },
  ]),
});
export type OfferRead = v.InferInput<typeof readOfferResponse>;

export const offerWithHistory = (offer: Offer, history: OfferHistory): OfferRead => ({
  ...toNestedOffer(offer),
  history: (history.get(offer.id) ?? []).map(({ at, ...change }) => ({
    at: at.toISOString(),
    ...change,
  })),
});
