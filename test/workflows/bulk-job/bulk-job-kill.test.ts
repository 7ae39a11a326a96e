import { expect } from 'vitest';
import { perfume, startJob } from '../../api/jobs/job-fixture.ts';
import { processTest } from '../../support/gateway-processes.ts';
import { createJobFixture } from './bulk-job-fixture.ts';

const test = processTest.extend('jobs', ({ gateway }) => createJobFixture(gateway));

test('kill -9 of the worker in the middle: another one finishes; each item has run once', async ({
  gateway,
  processes,
  jobs,
}) => {
  const vendor = await jobs.newVendor();
  // Without external ids, an item that runs twice creates two offers.
  const items = Array.from({ length: 4000 }, () => perfume(null));
  const id = await startJob(jobs.api, vendor, 'createOffers', items);
  for (const atLeast of [500, 1500]) {
    const worker = await processes.startWorker();
    await jobs.untilDone(id, atLeast);
    await worker.end('SIGKILL');
    expect((await jobs.read(id)).state).toBe('Running');
  }
  await processes.startWorker();

  expect(await jobs.untilEnded(id)).toMatchObject({
    state: 'Finished',
    doneCount: 4000,
    failedCount: 0,
  });
  expect(await jobs.countOffers(vendor)).toBe(4000);
  const [counts] = await gateway.sql`
    select count(*)::int as results, count(distinct offer_id)::int as offers, max(index) as last
    from bulk_job_results where job_id = ${id}`;
  expect(counts).toEqual({ results: 4000, offers: 4000, last: 3999 });
}, 180_000);
