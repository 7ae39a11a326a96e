import { v7 as uuidv7 } from 'uuid';
import { expect } from 'vitest';
import { runBatch } from '../../../commands/jobs/run-batch.ts';
import { runReviewBatch } from '../../../commands/jobs/run-review-batch.ts';
import { invalidFields } from '../../../domain/errors.ts';
import { freshDatabaseTest as test } from '../../support/database/database-test.ts';
import { rowsReadAfter } from '../../support/database/rows-read.ts';
import { seedOperator, seedVendor } from '../../support/seeds/seed.ts';

const queuedItems = 3000;
const limit = 10;
const { failure } = invalidFields([{ field: 'cost', path: '', code: 'invalid', message: 'no' }]);
const malformed = { type: 'malformed', offerId: null, failure };
const onUnexpected = (error: unknown): never => {
  throw error;
};

test('reads few of the items of a bulk job', async ({ database, sql }) => {
  const jobId = uuidv7();
  await sql`
    insert into bulk_jobs (id, vendor_id, kind, state, item_count)
    values (${jobId}, ${await seedVendor(sql)}, 'pushCosts', 'Queued', ${queuedItems})`;
  const read = await rowsReadAfter(database.url, 'bulk_job_items', {
    run: (worker) => runBatch(worker, { jobId, limit }, { vatRateBasisPoints: 1500, onUnexpected }),
    fill: () => sql`
      insert into bulk_job_items (job_id, index, item)
      select ${jobId}, index, ${sql.json(malformed as never)}
      from generate_series(0, ${queuedItems - 1}) as index`,
  });
  expect(read).toBeGreaterThanOrEqual(limit);
  expect(read).toBeLessThan(100);
});

test('reads few of the items of a review job', async ({ database, sql }) => {
  const jobId = uuidv7();
  const { id: operatorId } = await seedOperator(sql);
  const vendorId = await seedVendor(sql);
  await sql`
    insert into review_jobs (id, operator_id, action, request_id, item_count)
    values (${jobId}, ${operatorId}, 'apply', 'request', ${queuedItems})`;
  const read = await rowsReadAfter(database.url, 'review_job_items', {
    run: (worker) => runReviewBatch(worker, { jobId, limit }, { onUnexpected }),
    fill: () => sql`
      insert into review_job_items (job_id, index, vendor_id, item)
      select ${jobId}, index, ${vendorId}, ${sql.json(malformed as never)}
      from generate_series(0, ${queuedItems - 1}) as index`,
  });
  expect(read).toBeGreaterThanOrEqual(limit);
  expect(read).toBeLessThan(100);
});
