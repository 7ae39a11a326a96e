import { expect } from 'vitest';
import { perfume, startJob, startReviewJob } from '../../api/jobs/job-fixture.ts';
import { processTest } from '../../support/gateway/gateway-processes.ts';
import { createJobFixture, createReviewFixture } from '../../workflows/job-run-fixture.ts';

/**
 * kill -9 of the worker in the middle of a job. Both tests wait most of the time, until Temporal
 * notices that the worker has ended: they run side by side.
 */

const test = processTest
  .extend('jobs', ({ gateway }) => createJobFixture(gateway))
  .extend('reviews', ({ gateway }) => createReviewFixture(gateway));

test.concurrent(
  'runs each item of a bulk job once after kill -9 of its worker',
  async ({ gateway, processes, jobs }) => {
    const vendor = await jobs.newVendor();
    // Without external ids, an item that runs twice creates two offers.
    const items = Array.from({ length: 2000 }, () => perfume(null));
    const id = await startJob(jobs.api, vendor, 'createOffers', items);
    for (const atLeast of [250, 750]) {
      const worker = await processes.startWorker();
      await jobs.untilDone(id, atLeast);
      await worker.end('SIGKILL');
      expect((await jobs.read(id)).state).toBe('Running');
    }
    await processes.startWorker();

    expect(await jobs.untilEnded(id)).toMatchObject({
      state: 'Finished',
      doneCount: 2000,
      failedCount: 0,
    });
    expect(await jobs.countOffers(vendor)).toBe(2000);
    const [counts] = await gateway.sql`
    select count(*)::int as results, count(distinct offer_id)::int as offers, max(index) as last
    from bulk_job_results where job_id = ${id}`;
    expect(counts).toEqual({ results: 2000, offers: 2000, last: 1999 });
  },
);

test.concurrent(
  'decides each item of a review job once after kill -9 of its worker',
  async ({ gateway, processes, reviews }) => {
    const { sql } = gateway;
    const [reviewer, vendor] = [await reviews.newReviewer(), await reviews.newVendor()];
    const items = await reviews.stagedItems(vendor, 1000);
    const id = await startReviewJob(reviews.api, reviewer, { action: 'apply' }, items);
    for (const atLeast of [100, 350]) {
      const worker = await processes.startWorker();
      await reviews.untilDone(id, atLeast);
      await worker.end('SIGKILL');
      expect((await reviews.read(id)).state).toBe('Running');
    }
    await processes.startWorker();

    const ended = { state: 'Finished', doneCount: 1000, failedCount: 0 };
    expect(await reviews.untilEnded(id)).toMatchObject(ended);
    const [results] = await sql`
    select count(*)::int as results, count(distinct offer_id)::int as offers, max(index) as last
    from review_job_results where job_id = ${id} and state = 'SUCCESS'`;
    expect(results).toEqual({ results: 1000, offers: 1000, last: 999 });
    const [audit] = await sql`
    select count(*)::int as entries, count(distinct subject_id)::int as offers from audit_log
    where action = 'offer.applyPrice' and after ->> 'reviewJobId' = ${id}`;
    expect(audit).toEqual({ entries: 1000, offers: 1000 });
    const [events] = await sql`
    select count(*)::int as events, max(sequence)::int as latest,
      count(distinct body::jsonb #>> '{data,offerId}')::int as offers
    from webhook_events where vendor_id = ${vendor.vendorId}`;
    expect(events).toEqual({ events: 1000, latest: 1000, offers: 1000 });
    const staged = await sql`
    select from offers where vendor_id = ${vendor.vendorId} and pending_cost_net is not null`;
    expect(staged).toHaveLength(0);
  },
);
