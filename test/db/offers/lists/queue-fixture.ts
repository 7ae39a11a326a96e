import type { ReviewQueueFilter } from '../../../../db/offers/lists/review-filter.ts';
import { listOffersForReview } from '../../../../db/offers/lists/review-queue.ts';
import { entriesReadBy } from '../../../support/database/entries-read.ts';
import { pool } from '../../support.ts';

/** A filter that every offer passes. */
export const anyOffer: ReviewQueueFilter = { status: null, vendorId: null, awaitingDecision: null };

export const firstPage = { page: 1, pageSize: 20 };

/** How many rows and entries of `offers` a page of the queue reads. */
export const offersReadBy = (url: string, filter: ReviewQueueFilter, request = firstPage) =>
  entriesReadBy(pool(url, 1), 'offers', (sql) => listOffersForReview(sql, filter, request));
