import * as v from 'valibot';
import type { OfferHistory } from '../../db/offer-history.ts';
import type { Offer } from '../../domain/offer.ts';
import { offerNested, offerNestedForm } from './offer-nested.ts';
import { instant, orNull } from './parts.ts';

const statusChangeForm = v.object({
  at: instant,
  from: orNull(v.string()),
  to: v.string(),
  reason: orNull(v.string()),
});

/** The nested form as it is read, with the status changes when they were asked for (`include=history`, D32). */
export const offerReadForm = v.object({
  ...offerNestedForm.entries,
  history: v.optional(v.array(statusChangeForm)),
});
export type OfferRead = v.InferInput<typeof offerReadForm>;

export const offerWithHistory = (offer: Offer, history: OfferHistory): OfferRead => ({
  ...offerNested(offer),
  history: (history.get(offer.id) ?? []).map(({ at, ...change }) => ({ at: at.toISOString(), ...change })),
});
