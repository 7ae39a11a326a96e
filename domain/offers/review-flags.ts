import type { Offer } from './offer.ts';

/** Warnings to reviewers; none of them refuses a decision (D136). */
export const reviewFlags = [
  'DuplicateOfVendor',
  'BarcodeDiffers',
  'PriceMissing',
  'LargePriceChange',
  'NoBarcode',
  'IdentityEdited',
] as const;
export type ReviewFlag = (typeof reviewFlags)[number];

/** What a reviewer decides on. */
export const reviewKinds = ['Match', 'Review', 'StagedPrice', 'IdentityEdit'] as const;
export type ReviewKind = (typeof reviewKinds)[number];

/** Null for an offer that does not wait for a reviewer. */
export function reviewKindOf({
  awaitingSince,
  status,
  identityChanged,
}: Pick<Offer, 'awaitingSince' | 'status' | 'identityChanged'>): ReviewKind | null {
  if (awaitingSince === null) return null;
  if (status === 'PendingMatch') return 'Match';
  if (status === 'Approved') return 'StagedPrice';
  return identityChanged ? 'IdentityEdit' : 'Review';
}
