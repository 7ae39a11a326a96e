import * as v from 'valibot';
import type { StatusChange } from '../../db/offer-history.ts';
import { offerNestedForm } from './offer-nested.ts';
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

export const statusChange = ({ at, ...change }: StatusChange): v.InferInput<typeof statusChangeForm> => ({
  at: at.toISOString(),
  ...change,
});
