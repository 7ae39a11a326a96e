import type { Offer } from './offer.ts';

/** Warnings to reviewers; none of them refuses a decision. */
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

/** The ages of a wait, the shortest first, with the days at which they begin and end. */
export const reviewAges = {
  UpToADay: [0, 1],
  UpToThreeDays: [1, 3],
  UpToAWeek: [3, 7],
  Longer: [7, null],
} as const;
export type ReviewAge = keyof typeof reviewAges;

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
