import { setTimeout as sleep } from 'node:timers/promises';
import { runBatch } from '../../../commands/jobs/run-batch.ts';
import { settings } from '../../api/jobs/job-fixture.ts';
import type { Gateway } from '../../support/api/api.ts';
import { cliTest } from './cli-fixture.ts';

export type JobRunner = {
  /** Holds the jobs before a batch once so many items of all jobs have run. */
  readonly holdAfter: (items: number) => void;
  readonly release: () => void;
};

/** Runs the batches of all open jobs as their workflows do, one job after another. */
async function runOpenJobs(
  { sql }: Pick<Gateway, 'sql'>,
  mayRun: (done: number) => boolean,
  stopped: AbortSignal,
): Promise<void> {
  while (!stopped.aborted) {
    const [open] = await sql<{ id: string }[]>`
      select id from bulk_jobs where state in ('Queued', 'Running') order by id limit 1`;
    const [{ done }] = await sql<[{ done: number }]>`
      select coalesce(sum(done_count + failed_count), 0)::int as done from bulk_jobs`;
    if (open !== undefined && mayRun(done))
      await runBatch(sql, { jobId: open.id, limit: 250 }, settings);
    else await sleep(20);
  }
}

/** Gives a test of the command line the jobs' runs. */
export const jobsTest = cliTest.extend(
  'jobRunner',
  { auto: true },
  async ({ gateway }, { onCleanup }): Promise<JobRunner> => {
    let itemsMax = Number.POSITIVE_INFINITY;
    const stop = new AbortController();
    const running = runOpenJobs(gateway, (done) => done < itemsMax, stop.signal);
    onCleanup(async () => {
      stop.abort();
      await running;
    });
    return {
      holdAfter: (items) => (itemsMax = items),
      release: () => (itemsMax = Number.POSITIVE_INFINITY),
    };
  },
);
