import { expect, vi } from 'vitest';
import { jobsPath, perfume, startJob, startReviewJob } from '../api/jobs/job-fixture.ts';
import { call } from '../support/api/api.ts';
import { untilAnyLockWait } from '../support/database/locks.ts';
import type { TestGateway } from '../support/gateway/gateway.ts';
import { workflowTest } from '../support/gateway/workflow-test.ts';
import { holdOffer, seedManyOffers } from '../support/seeds/agreement.ts';
import { seedVariant } from '../support/seeds/seed.ts';
import {
  createJobFixture,
  createReviewFixture,
  waiting,
  type JobFixture,
} from './job-run-fixture.ts';

const test = workflowTest
  .extend('jobs', { scope: 'file' }, ({ gateway }) => createJobFixture(gateway))
  .extend('reviews', { scope: 'file' }, ({ gateway }) => createReviewFixture(gateway));

const perfumes = (count: number) => Array.from({ length: count }, () => perfume(null));

/** Expects that both jobs finish, the second after the first, on the job queue. */
async function expectInOrder(
  { config }: TestGateway,
  jobs: JobFixture,
  [first, second]: readonly [string, string],
  [one, other]: readonly [object, object],
): Promise<void> {
  const finished = { state: 'Finished', isOver: true, remaining: 0 };
  expect(await jobs.progress(first)).toEqual({ ...finished, ...one });
  expect(await jobs.progress(second)).toEqual({ ...finished, ...other });
  const [{ endedAt }, { startedAt }] = [await jobs.read(first), await jobs.read(second)];
  expect(startedAt?.getTime()).toBeGreaterThanOrEqual(endedAt?.getTime() ?? Infinity);
  expect(await jobs.taskQueue(first)).toBe(`${config.TEMPORAL_TASK_QUEUE}-jobs`);
}

test('runs a bulk job in batches, one after another', async ({ gateway, jobs }) => {
  const vendor = await jobs.newVendor();
  const kind = 'createOffers';
  const first = await startJob(jobs.api, vendor, kind, [...perfumes(2099), {}]);
  const second = await startJob(jobs.api, vendor, kind, perfumes(3));
  const done = [
    { kind, done: 2099, failed: 1 },
    { kind, done: 3, failed: 0 },
  ] as const;
  await expectInOrder(gateway, jobs, [first, second], done);
  expect(await jobs.details(first)).toContain('**2099** items done, **1** failed, 0 remain.');
  expect(await jobs.countOffers(vendor)).toBe(2102);
  await jobs.record(first, 'bulk-job-finished');
});

test('ends a bulk job with its cancellation', async ({ gateway, jobs }) => {
  const { sql } = gateway;
  const vendor = await jobs.newVendor();
  const { vendorId, token } = vendor;
  const variantId = await seedVariant(sql);
  const offers = await seedManyOffers(sql, { vendorId, variantId }, { draft: 3 });
  const unknown = Array.from({ length: 250 }, () => ({ vendorExternalId: 'unknown' }));
  const price = { cost: 5, costIsVatInclusive: false };
  const names = [...unknown, ...offers.map(({ id }) => ({ offerId: id }))];
  const items = names.map((name) => ({ ...name, ...price }));
  const release = await holdOffer(sql, offers[1]?.id ?? '');
  const id = await startJob(jobs.api, vendor, 'pushCosts', items);
  await vi.waitFor(async () => expect((await jobs.read(id)).failedCount).toBe(250), waiting);
  await untilAnyLockWait(sql);
  const cancelled = await call(jobs.api, 'POST', `${jobsPath}/${id}/cancel`, { token });
  await release();
  const state = 'Cancelled';
  expect(cancelled.payload).toMatchObject({ state, counts: { done: 0, remaining: 3 } });
  expect(await jobs.progress(id)).toMatchObject({ state, failed: 250, remaining: 3 });
  expect(
    await sql`select from offers where vendor_id = ${vendorId} and cost_net = 500`,
  ).toHaveLength(0);
  await jobs.record(id, 'bulk-job-cancelled');
});

test('runs a review job in batches, one after another', async ({ gateway, reviews }) => {
  const reviewer = await reviews.newReviewer();
  const [one, other] = [await reviews.newVendor(), await reviews.newVendor()];
  const staged = [await reviews.stagedItems(one, 620), await reviews.stagedItems(other, 60)];
  const later = await reviews.stagedItems(one, 2);
  const start = (action: 'apply' | 'discard', items: readonly object[]) =>
    startReviewJob(reviews.api, reviewer, { action }, items);
  const first = await start('apply', [...staged.flat(), {}]);
  const second = await start('discard', later);
  const done = [
    { kind: 'apply', done: 680, failed: 1 },
    { kind: 'discard', done: 2, failed: 0 },
  ] as const;
  await expectInOrder(gateway, reviews, [first, second], done);
  expect(await reviews.details(first)).toContain('**680** items done, **1** failed, 0 remain.');
  await reviews.record(first, 'review-job-finished');
});
