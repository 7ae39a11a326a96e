import { v7 as uuidv7 } from 'uuid';
import { expect } from 'vitest';
import { runBatch } from '../../../commands/jobs/run-batch.ts';
import { runReviewBatch } from '../../../commands/jobs/run-review-batch.ts';
import { invalid } from '../../../domain/errors.ts';
import { freshDatabaseTest as test } from '../../support/database/database-test.ts';
import { rowsReadAfter } from '../../support/database/rows-read.ts';
import { seedOperator, seedVendor } from '../../support/seeds/seed.ts';

const queuedItems = 3000;
const limit = 10;
const { failure } = invalid({ field: 'cost', path: '', code: 'invalid', message: 'no' });
const malformed = { type: 'malformed', offerId: null, failure };
const onUnexpected = (error: unknown): never => {
  throw error;
};

test.for(['bulk', 'review'])('reads few items of a %s job', async (kind, { database, sql }) => {
  const jobId = uuidv7();
  const vendorId = await seedVendor(sql);
  const { id: operatorId } = await seedOperator(sql);
  await sql`
    insert into bulk_jobs (id, vendor_id, kind, state, item_count)
    values (${jobId}, ${vendorId}, 'pushCosts', 'Queued', ${queuedItems})`;
  await sql`
    insert into review_jobs (id, operator_id, action, request_id, item_count)
    values (${jobId}, ${operatorId}, 'apply', 'request', ${queuedItems})`;
  const read = await rowsReadAfter(database.url, `${kind}_job_items`, {
    run: (worker) =>
      kind === 'bulk'
        ? runBatch(worker, { jobId, limit }, { vatRateBasisPoints: 1500, onUnexpected })
        : runReviewBatch(worker, { jobId, limit }, { onUnexpected }),
    fill: () => sql`
      with made as (
        insert into bulk_job_items (job_id, index, item)
        select ${jobId}, index, ${sql.json(malformed as never)}
        from generate_series(0, ${queuedItems - 1}) as index returning job_id, index, item
      )
      insert into review_job_items (job_id, index, vendor_id, item)
      select job_id, index, ${vendorId}, item from made`,
  });
  expect(read).toBeGreaterThanOrEqual(limit);
  expect(read).toBeLessThan(100);
});
