import { expect, vi } from 'vitest';
import { reviewJobId } from '../../../workflows/ids.ts';
import { reviewJobsPath, startReviewJob } from '../../api/jobs/review-job-fixture.ts';
import { call } from '../../support/api/api.ts';
import { holdOffer } from '../../support/seeds/agreement.ts';
import { recordHistory, replayRun } from '../../support/history.ts';
import { untilAnyLockWait } from '../../support/database/locks.ts';
import { workflowTest } from '../../support/gateway/workflow-test.ts';
import { createReviewFixture, waiting } from '../job-run-fixture.ts';

const test = workflowTest.extend('jobs', { scope: 'file' }, ({ gateway }) =>
  createReviewFixture(gateway),
);

test('runs in batches, one job after another', async ({ gateway, jobs }) => {
  const reviewer = await jobs.newReviewer();
  const [one, other] = [await jobs.newVendor(), await jobs.newVendor()];
  const items = [...(await jobs.stagedItems(one, 620)), ...(await jobs.stagedItems(other, 60)), {}];
  const later = await jobs.stagedItems(one, 2);
  const first = await startReviewJob(jobs.api, reviewer, { action: 'apply' }, items);
  const second = await startReviewJob(jobs.api, reviewer, { action: 'discard' }, later);

  const done = { state: 'Finished', isOver: true, remaining: 0 };
  expect(await jobs.progress(first)).toEqual({ ...done, kind: 'apply', done: 680, failed: 1 });
  expect(await jobs.progress(second)).toEqual({ ...done, kind: 'discard', done: 2, failed: 0 });
  const metadata = await jobs
    .run(first)
    .query<{ readonly currentDetails?: string }>('__temporal_workflow_metadata');
  expect(metadata.currentDetails).toContain('**680** items done, **1** failed, 0 remain.');
  const [earlier, next] = [await jobs.read(first), await jobs.read(second)];
  expect(next.startedAt?.getTime()).toBeGreaterThanOrEqual(earlier.endedAt?.getTime() ?? Infinity);
  const { taskQueue } = await jobs.run(first).describe();
  expect(taskQueue).toBe(`${gateway.config.TEMPORAL_TASK_QUEUE}-jobs`);
  await replayRun(gateway.client, reviewJobId(first));
  await recordHistory(gateway.client, reviewJobId(first), 'review-job-finished');
});

test('ends with its cancellation', async ({ gateway, jobs }) => {
  const reviewer = await jobs.newReviewer();
  const vendor = await jobs.newVendor();
  const staged = await jobs.stagedItems(vendor, 3);
  const release = await holdOffer(gateway.sql, staged[1]?.offerId ?? '');
  const items = [...staged, ...Array.from({ length: 50 }, () => ({}))];
  const id = await startReviewJob(jobs.api, reviewer, { action: 'apply' }, items);
  await vi.waitFor(async () => expect((await jobs.read(id)).failedCount).toBe(50), waiting);
  await untilAnyLockWait(gateway.sql);

  const { token } = reviewer;
  const answer = await call(jobs.api, 'POST', `${reviewJobsPath}/${id}/cancel`, { token });
  await release();

  expect(answer.payload).toMatchObject({ state: 'Cancelled', counts: { done: 0, remaining: 3 } });
  expect(await jobs.progress(id)).toMatchObject({ state: 'Cancelled', failed: 50, remaining: 3 });
  const staying = await gateway.sql`
    select from offers where vendor_id = ${vendor.vendorId} and pending_cost_net is not null`;
  expect(staying).toHaveLength(3);
  await recordHistory(gateway.client, reviewJobId(id), 'review-job-cancelled');
});
