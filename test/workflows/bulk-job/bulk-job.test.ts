import { expect, vi } from 'vitest';
import { bulkJobId } from '../../../workflows/ids.ts';
import { jobsPath, perfume, startJob } from '../../api/jobs/job-fixture.ts';
import { call } from '../../support/api/api.ts';
import { holdOffer } from '../../support/seeds/agreement.ts';
import { recordHistory, replayRun } from '../../support/history.ts';
import { untilAnyLockWait } from '../../support/database/locks.ts';
import { seedOffer } from '../../support/seeds/seed.ts';
import { workflowTest } from '../../support/gateway/workflow-test.ts';
import { createJobFixture, waiting } from '../job-run-fixture.ts';

const test = workflowTest.extend('jobs', { scope: 'file' }, ({ gateway }) =>
  createJobFixture(gateway),
);

const perfumes = (count: number) => Array.from({ length: count }, () => perfume(null));

test('runs in batches, one job after another', async ({ gateway, jobs }) => {
  const vendor = await jobs.newVendor();
  const first = await startJob(jobs.api, vendor, 'createOffers', [...perfumes(2099), {}]);
  const second = await startJob(jobs.api, vendor, 'createOffers', perfumes(3));

  const done = { state: 'Finished', kind: 'createOffers', isOver: true, remaining: 0 };
  expect(await jobs.progress(first)).toEqual({ ...done, done: 2099, failed: 1 });
  expect(await jobs.progress(second)).toEqual({ ...done, done: 3, failed: 0 });
  expect(await jobs.details(first)).toContain('**2099** items done, **1** failed, 0 remain.');
  expect(await jobs.countOffers(vendor)).toBe(2102);
  const [one, other] = [await jobs.read(first), await jobs.read(second)];
  expect(other.startedAt?.getTime()).toBeGreaterThanOrEqual(one.endedAt?.getTime() ?? Infinity);
  const { taskQueue } = await jobs.run(first).describe();
  expect(taskQueue).toBe(`${gateway.config.TEMPORAL_TASK_QUEUE}-jobs`);
  await replayRun(gateway.client, bulkJobId(first));
  await recordHistory(gateway.client, bulkJobId(first), 'bulk-job-finished');
});

test('ends with its cancellation', async ({ gateway, jobs }) => {
  const vendor = await jobs.newVendor();
  const offers = [];
  for (let count = 0; count < 3; count += 1)
    offers.push(await seedOffer(gateway.sql, vendor.vendorId));
  const unknown = Array.from({ length: 250 }, () => ({ vendorExternalId: 'unknown' }));
  const price = { cost: 5, costIsVatInclusive: false };
  const items = [...unknown, ...offers.map(({ id }) => ({ offerId: id }))];
  const release = await holdOffer(gateway.sql, offers[1]?.id ?? '');
  const id = await startJob(
    jobs.api,
    vendor,
    'pushCosts',
    items.map((name) => ({ ...name, ...price })),
  );
  await vi.waitFor(async () => expect((await jobs.read(id)).failedCount).toBe(250), waiting);
  await untilAnyLockWait(gateway.sql);

  const { token } = vendor;
  const answer = await call(jobs.api, 'POST', `${jobsPath}/${id}/cancel`, { token });
  await release();

  expect(answer.payload).toMatchObject({ state: 'Cancelled', counts: { done: 0, remaining: 3 } });
  expect(await jobs.progress(id)).toMatchObject({ state: 'Cancelled', failed: 250, remaining: 3 });
  const touched = await gateway.sql`
    select from offers where vendor_id = ${vendor.vendorId} and cost_net = 500`;
  expect(touched).toHaveLength(0);
  await recordHistory(gateway.client, bulkJobId(id), 'bulk-job-cancelled');
});
