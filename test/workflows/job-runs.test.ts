import { describe, expect, vi } from 'vitest';
import {
  jobsPath,
  perfume,
  reviewJobsPath,
  startJob,
  startReviewJob,
} from '../api/jobs/job-fixture.ts';
import { call } from '../support/api/api.ts';
import { untilAnyLockWait } from '../support/database/locks.ts';
import type { TestGateway } from '../support/gateway/gateway.ts';
import { workflowTest } from '../support/gateway/workflow-test.ts';
import { holdOffer, seedManyOffers } from '../support/seeds/agreement.ts';
import { seedVariant } from '../support/seeds/seed.ts';
import { createJobFixture, createReviewFixture, waiting } from './job-run-fixture.ts';

const test = workflowTest
  .extend('jobs', { scope: 'file' }, ({ gateway }) => createJobFixture(gateway))
  .extend('reviews', { scope: 'file' }, ({ gateway }) => createReviewFixture(gateway));

type Jobs = Pick<
  Awaited<ReturnType<typeof createJobFixture>>,
  'api' | 'details' | 'progress' | 'record' | 'taskQueue'
> & {
  readonly read: (id: string) => Promise<{
    readonly failedCount: number;
    readonly startedAt: Date | null;
    readonly endedAt: Date | null;
  }>;
};
const perfumes = (count: number) => Array.from({ length: count }, () => perfume(null));

/** Expects that both jobs finish, the second after the first, on the job queue. */
async function expectInOrder(
  { config }: TestGateway,
  jobs: Jobs,
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

/** Cancels a job whose other items have failed while three wait for a locked offer. */
async function cancelAtLock(
  { sql }: TestGateway,
  jobs: Jobs,
  path: string,
  token: string,
  { failed, release }: { readonly failed: number; readonly release: () => Promise<void> },
): Promise<void> {
  const id = path.split('/').at(-1) ?? '';
  await vi.waitFor(async () => expect((await jobs.read(id)).failedCount).toBe(failed), waiting);
  await untilAnyLockWait(sql);
  const { payload } = await call(jobs.api, 'POST', `${path}/cancel`, { token });
  await release();
  const state = 'Cancelled';
  expect(payload).toMatchObject({ state, counts: { done: 0, remaining: 3 } });
  expect(await jobs.progress(id)).toMatchObject({ state, failed, remaining: 3 });
}

describe('a bulk job', () => {
  test('runs in batches, one job after another', async ({ gateway, jobs }) => {
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

  test('ends with its cancellation', async ({ gateway, jobs }) => {
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
    await cancelAtLock(gateway, jobs, `${jobsPath}/${id}`, token, { failed: 250, release });
    expect(
      await sql`select from offers where vendor_id = ${vendorId} and cost_net = 500`,
    ).toHaveLength(0);
    await jobs.record(id, 'bulk-job-cancelled');
  });
});

describe('a review job', () => {
  test('runs in batches, one job after another', async ({ gateway, reviews }) => {
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

  test('ends with its cancellation', async ({ gateway, reviews }) => {
    const { sql } = gateway;
    const reviewer = await reviews.newReviewer();
    const vendor = await reviews.newVendor();
    const staged = await reviews.stagedItems(vendor, 3);
    const release = await holdOffer(sql, staged[1]?.offerId ?? '');
    const items = [...staged, ...Array.from({ length: 50 }, () => ({}))];
    const id = await startReviewJob(reviews.api, reviewer, { action: 'apply' }, items);
    const path = `${reviewJobsPath}/${id}`;
    await cancelAtLock(gateway, reviews, path, reviewer.token, { failed: 50, release });
    expect(
      await sql`
        select from offers where vendor_id = ${vendor.vendorId} and pending_cost_net is not null`,
    ).toHaveLength(3);
    await reviews.record(id, 'review-job-cancelled');
  });
});
