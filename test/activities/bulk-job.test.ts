import { expect } from 'vitest';
import { runTransactions } from '../../activities/bulk-job.ts';
import { jobsOf, perfume, settings } from '../api/jobs/job-fixture.ts';
import { newVendor } from '../support/api/actors.ts';
import type { Gateway } from '../support/api/api.ts';
import { gatewayTest as test } from '../support/gateway/gateway-test.ts';

/** A batch of a bulk job gives way: it is several short transactions, with a pause after each. */

const perfumes = (count: number) => Array.from({ length: count }, () => perfume(null));
const neverRests = () => Promise.reject(new Error('a job that has ended rests'));

/** A job of a given number of creates, and one batch of it. */
async function newJob(gateway: Gateway, count: number, query?: string) {
  const vendor = await newVendor(gateway);
  const jobs = jobsOf(gateway, vendor);
  const jobId = await jobs.start('createOffers', perfumes(count), query);
  const activity = new AbortController();
  const { signal } = activity;
  return {
    run: (limit: number, pause: () => Promise<unknown>) =>
      runTransactions(
        gateway.sql,
        { jobId, limit, signal, pause: async () => void (await pause()) },
        settings,
      ),
    done: async () =>
      ((await jobs.read(jobId)) as { counts: { done: number } } | null)?.counts.done ?? 0,
    cancel: () => jobs.post(`${jobId}/cancel`),
    stop: async () => activity.abort(),
  };
}

test('rests after each 50 items', async ({ gateway }) => {
  const { run, done } = await newJob(gateway, 300);
  const counts: number[] = [];
  await run(120, async () => counts.push(await done()));
  expect(counts).toEqual([50, 100, 120]);
});

test.for([
  ['cancel', 'Cancelled'],
  ['stop', 'Running'],
] as const)('runs no further item after a %s during a pause', async ([end, state], { gateway }) => {
  const job = await newJob(gateway, 200);
  const ended = await job.run(200, job[end]);
  expect(ended).toMatchObject({ state, doneCount: 50, failedCount: 0 });
});

test('tries 250 items together in a job that only validates', async ({ gateway }) => {
  const { run } = await newJob(gateway, 300, '?validateOnly=true');
  let rests = 0;
  const job = await run(260, async () => (rests += 1));
  expect(job).toMatchObject({ state: 'Running', doneCount: 260 });
  expect(rests).toBe(2);
});

test('does not pause after the last item of a job', async ({ gateway }) => {
  const { run } = await newJob(gateway, 50);
  expect(await run(250, neverRests)).toMatchObject({ state: 'Finished', doneCount: 50 });
});
