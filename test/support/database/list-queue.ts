import type { Sql } from '../../../db/core/client.ts';
import type { ReviewQueueFilter } from '../../../db/offers/lists/review-filter.ts';
import { listOffersForReview } from '../../../db/offers/lists/review-queue.ts';
import type { ScanOptions } from '../../../db/offers/lists/review-scan.ts';

/** A filter that every offer passes. */
export const anyOffer: ReviewQueueFilter = {
  status: null,
  vendorId: null,
  awaitingDecision: null,
  kind: null,
  priceChange: { from: null, to: null },
  brand: null,
  awaiting: { from: null, to: null },
  text: null,
  barcode: null,
  vendorExternalId: null,
  code: null,
  flag: null,
};

export const firstPage = { page: 1, pageSize: 20 };

/** A page of the operators' list: the longest wait first, without facets. */
export const listQueue = (
  sql: Sql,
  filter: Partial<ReviewQueueFilter>,
  request = firstPage,
  options: Partial<ScanOptions> = {},
) => {
  const plain = { largeChangePercent: 20, hasFacets: false, isInTurn: false, targetHours: 0 };
  return listOffersForReview(sql, { ...anyOffer, ...filter }, request, { ...plain, ...options });
};
