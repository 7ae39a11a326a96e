import { expect } from 'vitest';
import { perfume, resultsOf, startJob } from '../../api/jobs/job-fixture.ts';
import { call } from '../../support/api/api.ts';
import { workflowTest } from '../../support/gateway/workflow-test.ts';
import { createJobFixture } from '../../workflows/job-run-fixture.ts';

const test = workflowTest.extend('jobs', { scope: 'file' }, ({ gateway }) =>
  createJobFixture(gateway),
);

const perfumes = (count: number) => Array.from({ length: count }, () => perfume(null));

test('delays no job and no push of another vendor by one vendor’s long job', async ({ jobs }) => {
  const [large, small] = [await jobs.newVendor(), await jobs.newVendor()];
  const long = await startJob(jobs.api, large, 'createOffers', perfumes(5000));
  await jobs.untilDone(long, 500);
  const short = await startJob(jobs.api, small, 'createOffers', perfumes(10));
  await jobs.untilEnded(short);
  const [created] = await resultsOf(jobs.api, small, short);
  const timesMs: number[] = [];
  // A pause of the machine may delay one of the three pushes.
  for (const cost of [7, 8, 9]) {
    const begunAt = performance.now();
    const pushed = await call(jobs.api, 'PATCH', `/api/v1/scent/offers/${created?.offerId}/cost`, {
      token: small.token,
      body: { cost, costIsVatInclusive: false },
    });
    expect(pushed.status).toBe(200);
    timesMs.push(performance.now() - begunAt);
  }
  expect(timesMs.toSorted((one, other) => one - other)[1]).toBeLessThan(2000);
  expect((await jobs.read(long)).state).toBe('Running');
  const { startedAt, endedAt } = await jobs.untilEnded(long);
  expect(await jobs.countOffers(large)).toBe(5000);
  const tookMs = (endedAt?.getTime() ?? 0) - (startedAt?.getTime() ?? 0);
  expect(tookMs).toBeLessThan(30_000);
}, 120_000);
