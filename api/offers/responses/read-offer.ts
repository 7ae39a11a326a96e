import * as v from 'valibot';
import type { StatusChange } from '../../../db/lists/status-history.ts';
import type { OfferHistory } from '../../../db/offers/offer-history.ts';
import type { Offer } from '../../../domain/offers/offer.ts';
import { toNestedOffer, nestedOfferResponse } from './nested-offer.ts';
import { described } from '../../validation/described.ts';
import { historyText, statusChange, titled } from '../../validation/response-parts.ts';
import { sample } from '../../validation/sample.ts';

/** The nested form with its status changes, which `include=history` adds (D32). */
export const readOfferResponse = titled('OfferWithHistory', {
  ...nestedOfferResponse.entries,
  history: described(v.optional(v.array(statusChange)), `${historyText} The newest 100.`, [
    { at: sample.offerCreatedAt, from: null, to: 'PendingReview', reason: null },
    { at: sample.approvedAt, from: 'PendingReview', to: 'Approved', reason: null },
  ]),
  historyHasEarlier: described(
    v.optional(v.literal(true)),
    'Present with `history` when the offer has earlier changes, which ' +
      '`GET /api/v1/scent/offers/{id}/history` lists.',
  ),
});
export type OfferRead = v.InferInput<typeof readOfferResponse>;

export const offerStatusChange = ({
  at,
  ...change
}: StatusChange): v.InferInput<typeof statusChange> => ({ at: at.toISOString(), ...change });

export function offerWithHistory(offer: Offer, history: OfferHistory): OfferRead {
  const { changes = [], hasEarlier = false } = history.get(offer.id) ?? {};
  return {
    ...toNestedOffer(offer),
    history: changes.map(offerStatusChange),
    ...(hasEarlier ? { historyHasEarlier: true } : {}),
  };
}
