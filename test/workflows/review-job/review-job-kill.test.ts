import { expect } from 'vitest';
import { startReviewJob } from '../../api/jobs/review-job-fixture.ts';
import { processTest } from '../../support/gateway-processes.ts';
import { createReviewFixture } from './review-job-fixture.ts';

const test = processTest.extend('jobs', ({ gateway }) => createReviewFixture(gateway));

test('kill -9 of the worker in the middle: another one finishes, and each item is decided once', async ({
  gateway,
  processes,
  jobs,
}) => {
  const { sql } = gateway;
  const [reviewer, vendor] = [await jobs.newReviewer(), await jobs.newVendor()];
  const items = await jobs.stagedItems(vendor, 2000);
  const id = await startReviewJob(jobs.api, reviewer, { action: 'apply' }, items);
  for (const atLeast of [200, 700]) {
    const worker = await processes.startWorker();
    await jobs.untilDone(id, atLeast);
    await worker.end('SIGKILL');
    expect((await jobs.read(id)).state).toBe('Running');
  }
  await processes.startWorker();

  const ended = { state: 'Finished', doneCount: 2000, failedCount: 0 };
  expect(await jobs.untilEnded(id)).toMatchObject(ended);
  const [results] = await sql`
    select count(*)::int as results, count(distinct offer_id)::int as offers, max(index) as last
    from review_job_results where job_id = ${id} and state = 'SUCCESS'`;
  expect(results).toEqual({ results: 2000, offers: 2000, last: 1999 });
  const [audit] = await sql`
    select count(*)::int as entries, count(distinct subject_id)::int as offers from audit_log
    where action = 'offer.applyPrice' and after ->> 'reviewJobId' = ${id}`;
  expect(audit).toEqual({ entries: 2000, offers: 2000 });
  const [events] = await sql`
    select count(*)::int as events, max(sequence)::int as latest,
      count(distinct body::jsonb #>> '{data,offerId}')::int as offers
    from webhook_events where vendor_id = ${vendor.vendorId}`;
  expect(events).toEqual({ events: 2000, latest: 2000, offers: 2000 });
  const staged = await sql`
    select from offers where vendor_id = ${vendor.vendorId} and pending_cost_net is not null`;
  expect(staged).toHaveLength(0);
}, 180_000);
