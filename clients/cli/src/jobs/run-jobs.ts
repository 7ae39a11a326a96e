import type { Job, JobItemResult, NewJob, VendorClient } from 'vendor-gateway-client';
import type { Context } from '../core/command.ts';
import { startProgress } from '../core/progress.ts';
import { itemsIn, resultsIn } from './chunks.ts';
import type { Journal } from './journal.ts';
import type { PlannedJob } from './plan.ts';
import { isTooLarge } from './too-large.ts';

/** An item that has run, with its row and what was sent. */
export type RowResult = {
  readonly row: number;
  readonly job: PlannedJob;
  readonly item: Readonly<Record<string, unknown>>;
  readonly result: JobItemResult;
};

type PlannedJobs = Pick<Context, 'output' | 'signal'> & {
  readonly client: VendorClient;
  readonly journal: Journal;
  readonly validateOnly: boolean;
  readonly report: (result: RowResult) => void;
};

/** The id of a planned job, which the gateway accepts once, however often it is sent. */
async function accept(
  { client, journal, validateOnly, output, signal }: PlannedJobs,
  index: number,
): Promise<string> {
  for (;;) {
    const { kind, key, jobId } = journal.plan().jobs[index] as PlannedJob;
    if (jobId !== null) return jobId;
    const body = await journal.readBody(index);
    const options = { idempotencyKey: key, validateOnly, signal };
    try {
      const job = { kind, items: itemsIn(body) } as NewJob;
      const { id } = await client.jobs.create(job, options);
      await journal.noteJob(index, id);
      return id;
    } catch (error) {
      // The same again would fail again.
      if (!isTooLarge(error, Buffer.byteLength(body)) || !(await journal.split(index))) throw error;
      output.note(`A job of ${itemsIn(body).length} rows is too large to send: it goes in halves.`);
    }
  }
}

async function reportResults(planned: PlannedJobs, index: number, jobId: string): Promise<void> {
  const { client, journal, report, signal } = planned;
  const job = journal.plan().jobs[index] as PlannedJob;
  const items = itemsIn(await journal.readBody(index));
  const file = await client.jobs.resultsFile(jobId, {}, { signal });
  for (const result of resultsIn(file)) {
    const { [result.index]: item = {} } = items;
    report({ row: job.rows[result.index] ?? 0, job, item, result });
  }
}

/**
 * Runs the jobs of a plan one after another and reports the result of each item. The next job is
 * accepted while one runs, so that the gateway does not wait for this program.
 */
export async function runJobs(planned: PlannedJobs): Promise<void> {
  const { client, journal, output, signal } = planned;
  const total = journal.plan().jobs.reduce((sum, { rows }) => sum + rows.length, 0);
  const progress = startProgress(output, total);
  const ended = { done: 0, failed: 0 };
  const show = ({ counts }: Job): void => {
    progress.show({ done: ended.done + counts.done, failed: ended.failed + counts.failed });
  };
  const acceptNext = (index: number): Promise<string> | null => {
    // Their number grows while jobs are halved.
    if (index >= journal.plan().jobs.length) return null;
    const next = accept(planned, index);
    // It is awaited when the job before has ended.
    next.catch(() => {});
    return next;
  };
  try {
    let next = acceptNext(0);
    for (let index = 0; next !== null; index += 1) {
      const jobId: string = await next;
      next = acceptNext(index + 1);
      const { counts } = await client.jobs.wait(jobId, { onProgress: show, signal });
      ended.done += counts.done;
      ended.failed += counts.failed;
      await reportResults(planned, index, jobId);
    }
  } finally {
    progress.end();
  }
}
