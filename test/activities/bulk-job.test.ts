import { expect } from 'vitest';
import { runTransactions } from '../../activities/bulk-job.ts';
import { jobsPath, perfume, readJob, settings, startJob } from '../api/jobs/job-fixture.ts';
import { newVendor } from '../support/api/actors.ts';
import { call } from '../support/api/api.ts';
import { gatewayTest as test } from '../support/gateway/gateway-test.ts';

/** A batch of a bulk job gives way: it is several short transactions, with a rest after each. */

const neverRests = () => Promise.reject(new Error('a job that has ended rests'));
const perfumes = (count: number) => Array.from({ length: count }, () => perfume(null));

test('rests after each 50 items', async ({ gateway }) => {
  const vendor = await newVendor(gateway);
  const jobId = await startJob(gateway, vendor, 'createOffers', perfumes(300));
  const done: unknown[] = [];
  const rest = async () => {
    const { payload } = await readJob(gateway, vendor, jobId);
    done.push((payload as { counts: { done: number } }).counts.done);
  };
  const signal = new AbortController().signal;

  await runTransactions(gateway.sql, { jobId, limit: 120, signal, rest }, settings);

  expect(done).toEqual([50, 100, 120]);
});

test('a job that is cancelled during a rest runs no further item', async ({ gateway }) => {
  const vendor = await newVendor(gateway);
  const jobId = await startJob(gateway, vendor, 'createOffers', perfumes(200));
  const rest = async () => {
    await call(gateway, 'POST', `${jobsPath}/${jobId}/cancel`, { token: vendor.token });
  };
  const signal = new AbortController().signal;

  const job = await runTransactions(gateway.sql, { jobId, limit: 200, signal, rest }, settings);

  expect(job).toMatchObject({ state: 'Cancelled', doneCount: 50, failedCount: 0 });
});

test('ends when cancelled in a rest', async ({ gateway }) => {
  const vendor = await newVendor(gateway);
  const jobId = await startJob(gateway, vendor, 'createOffers', perfumes(200));
  const activity = new AbortController();
  const { signal } = activity;
  const rest = () => Promise.resolve(activity.abort());

  const job = await runTransactions(gateway.sql, { jobId, limit: 200, signal, rest }, settings);

  expect(job).toMatchObject({ state: 'Running', doneCount: 50 });
});

test('a validation tries 250 items together, as the guide says', async ({ gateway }) => {
  const vendor = await newVendor(gateway);
  const query = '?validateOnly=true';
  const jobId = await startJob(gateway, vendor, 'createOffers', perfumes(300), query);
  let rests = 0;
  const rest = () => Promise.resolve(void (rests += 1));
  const signal = new AbortController().signal;

  const job = await runTransactions(gateway.sql, { jobId, limit: 260, signal, rest }, settings);

  expect(job).toMatchObject({ state: 'Running', doneCount: 260 });
  expect(rests).toBe(2);
});

test('a job that has ended does not rest', async ({ gateway }) => {
  const vendor = await newVendor(gateway);
  const jobId = await startJob(gateway, vendor, 'createOffers', perfumes(50));
  const signal = new AbortController().signal;

  const job = await runTransactions(
    gateway.sql,
    { jobId, limit: 250, signal, rest: neverRests },
    settings,
  );

  expect(job).toMatchObject({ state: 'Finished', doneCount: 50 });
});
