import * as v from 'valibot';
import type { StatusChange, StatusHistories } from '../../../db/lists/status-history.ts';
import type { ReadOffer } from '../../../db/offers/offer-facts.ts';
import { toNestedOffer, nestedOfferResponse, offerSource } from './nested-offer.ts';
import { described } from '../../validation/described.ts';
import { field, historyText, statusChange, titled } from '../../validation/response-parts.ts';
import { sample } from '../../validation/sample.ts';

/**
 * The nested form with its source and change time, and status changes with
 * `include=history`.
 */
export const readOfferResponse = titled('OfferWithHistory', {
  ...nestedOfferResponse.entries,
  source: offerSource,
  changedAt: field.instant(
    'When the offer last changed, in UTC, with microseconds: its position in lists with ' +
      '`changedSince`. A switch of the agreement counts.',
    '2026-11-24T11:00:00.000312Z',
  ),
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

/**
 * By name and as text: a page may have 10,000, whose `Date`s would take twice as long to serialize,
 * and a rest pattern five times as long.
 */
const withTextOfInstant = ({ at, from, to, reason }: StatusChange) => ({
  at: at.toISOString(),
  from,
  to,
  reason,
});

/** The read form of an offer; `history` is null where it was not asked for. */
export function readOffer(
  { offer, changeTime }: ReadOffer,
  history: StatusHistories | null,
): OfferRead {
  // A spread would take ten times as long, for each offer of a page.
  const plain = Object.assign(toNestedOffer(offer), {
    source: offer.source,
    changedAt: changeTime,
  });
  if (history === null) return plain;
  const { changes = [], hasEarlier = false } = history.get(offer.id) ?? {};
  return {
    ...plain,
    history: changes.map(withTextOfInstant),
    ...(hasEarlier ? { historyHasEarlier: true } : {}),
  };
}
