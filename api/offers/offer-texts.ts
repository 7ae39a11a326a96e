import { describeValues } from '../validation/described.ts';

/** Descriptions of offers' fields that requests, responses and filters share. */

export const offerStatusText = describeValues("The offer's status.", {
  Draft: 'saved but not submitted; reviewers do not see it.',
  PendingMatch: 'waits for a reviewer to match it to a variant of the catalogue.',
  PendingReview: 'matched; waits for a reviewer to approve it.',
  Approved: 'live: it sells unless it is out of stock.',
  Rejected: 'rejected by a reviewer, with a reason; any edit, or submit, sends it back to review.',
  Withdrawn: 'withdrawn by the vendor; submit it to send it back to review.',
  Suspended: 'suspended by the service, with a reason; only the service can reinstate it.',
  PendingRepricing:
    'the pricing model changed; the offer sells again after a price of the new model is approved.',
});

export const offerSourceText = describeValues('How the offer was created.', {
  Api: 'submitted by the vendor through this API.',
  Manual: 'entered by an operator for the vendor.',
  Import: 'imported in a batch; batch imports do not exist yet.',
});

export const versionText = 'A counter that increases with every change.';
export const barcodeFormats = 'GTIN-8, -12, -13 or -14 (EAN, UPC)';

/** Description and example of the reason of a decision on an offer. */
export const reasonText = [
  'The reason. The vendor reads it.',
  'The bottle on the photo is not the one described.',
] as const;
