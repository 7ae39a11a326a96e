import type { FieldError, Failure } from '../../../../domain/errors.ts';
import type { Offer, OfferStatus } from '../../../../domain/offers/offer.ts';

/** The statuses in which an offer does not sell. */
export const stopped: readonly OfferStatus[] = [
  'Rejected',
  'Withdrawn',
  'Suspended',
  'PendingRepricing',
];

/** Whether a reviewer has something to decide. */
export const isAwaited = ({ status, pendingCost, pendingSalePrice }: Offer): boolean =>
  status === 'PendingMatch' ||
  status === 'PendingReview' ||
  (status === 'Approved' && (pendingCost !== null || pendingSalePrice !== null));

/** The code of a failure; of VALIDATION_ERRORS the names of the fields, joined by commas. */
export function codeOf({ code, details }: Failure): string {
  if (code !== 'VALIDATION_ERRORS') return code;
  return (details['errors'] as FieldError[]).map(({ field }) => field).join();
}
