import type { ReviewQueueFilter } from '../../../../db/offers/lists/review-filter.ts';
import { entriesReadBy } from '../../../support/database/entries-read.ts';
import { firstPage, listQueue } from '../../../support/database/list-queue.ts';
import { pool } from '../../support.ts';

/** How many rows and entries of `offers` a page of the queue reads. */
export const offersReadBy = (
  url: string,
  filter: Partial<ReviewQueueFilter>,
  request = firstPage,
) => entriesReadBy(pool(url, 1), 'offers', (sql) => listQueue(sql, filter, request));
