import type * as v from 'valibot';
import type { VendorSummary } from '../../../db/accounts/vendor-summary.ts';
import { offerStatuses } from '../../../domain/offers/offer.ts';
import { unrecoveredMax } from '../../../db/webhooks/subscriptions/webhook-subscriptions.ts';
import { offerStatus } from '../../offers/responses/nested-offer.ts';
import { described } from '../../validation/described.ts';
import { field, list, titled } from '../../validation/response-parts.ts';
import { sample } from '../../validation/sample.ts';

export const decisionEntries = {
  approved: field.integer('Offers that were approved.', 31),
  rejected: field.integer('Offers that were rejected.', 4),
  returnedToReview: field.integer('Offers that were returned to review.', 2),
  pricesApplied: field.integer('Staged prices that were applied.', 12),
  pricesDiscarded: field.integer('Staged prices that were discarded.', 1),
};

/** What operators ask first about a vendor. */
export const vendorSummaryResponse = titled('VendorSummary', {
  offers: list(
    titled('OffersInStatus', {
      status: offerStatus,
      count: field.integer('The offers in this status.', 1240),
    }),
    'The number of offers in each status.',
  ),
  decisions: described(
    titled('VendorDecisions', {
      since: field.instant('Since when they are counted, in UTC.', sample.offerCreatedAt),
      ...decisionEntries,
    }),
    'The decisions of the last 90 days.',
  ),
  latestRejections: list(
    titled('Rejection', {
      offerId: field.id("The offer's id.", sample.offerId),
      reason: field.textOrNull('The reason; null when none was given.', 'No photo.'),
      at: field.instant('When it was rejected, in UTC.', sample.approvedAt),
    }),
    'The latest five of the offers that are rejected now.',
  ),
  subscriptions: described(
    titled('SubscriptionsHealth', {
      active: field.integer('Active subscriptions.', 2),
      inactive: field.integer('Inactive ones.', 0),
      failing: field.integer('Active ones whose attempts all fail.', 0),
      failingSince: field.instantOrNull(
        'Since when the first of them fails, in UTC; null without one.',
        null,
      ),
      unrecovered: field.integer(
        `Dead letters that were not redelivered since, at most ${unrecoveredMax} of each one.`,
        0,
      ),
    }),
    'The health of the webhook subscriptions.',
  ),
});

export const vendorSummary = ({
  offers,
  ...summary
}: VendorSummary): v.InferInput<typeof vendorSummaryResponse> => ({
  ...summary,
  offers: offerStatuses.map((status) => ({ status, count: offers.get(status) ?? 0 })),
});
