import { expect, vi } from 'vitest';
import type { JobProgress } from '../../workflows/jobs/bulk-job-messages.ts';
import type { TestGateway } from '../support/gateway/gateway.ts';

export const waiting = { timeout: 60_000, interval: 20 };

/** What becomes of jobs of one type, and of their runs. */
export type JobRunFixture<TJob> = {
  readonly read: (jobId: string) => Promise<TJob>;
  readonly untilDone: (jobId: string, atLeast: number) => Promise<TJob>;
  readonly untilEnded: (jobId: string) => Promise<TJob>;
  readonly run: (jobId: string) => ReturnType<TestGateway['client']['workflow']['getHandle']>;
  readonly progress: (jobId: string) => Promise<JobProgress>;
};

export function createJobRunFixture<
  TJob extends { readonly doneCount: number; readonly endedAt: Date | null },
>(
  { client }: TestGateway,
  {
    find,
    workflowIdOf,
  }: {
    readonly find: (jobId: string) => Promise<readonly TJob[]>;
    readonly workflowIdOf: (jobId: string) => string;
  },
): JobRunFixture<TJob> {
  const read = async (jobId: string): Promise<TJob> => {
    const [job] = await find(jobId);
    if (job === undefined) throw new Error('no such job');
    return job;
  };
  const until = (jobId: string, isReached: (job: TJob) => boolean): Promise<TJob> =>
    vi.waitFor(async () => {
      const job = await read(jobId);
      expect(isReached(job), JSON.stringify(job)).toBe(true);
      return job;
    }, waiting);
  const run: JobRunFixture<TJob>['run'] = (jobId) => client.workflow.getHandle(workflowIdOf(jobId));
  return {
    read,
    untilDone: (jobId, atLeast) => until(jobId, ({ doneCount }) => doneCount >= atLeast),
    untilEnded: (jobId) => until(jobId, ({ endedAt }) => endedAt !== null),
    run,
    progress: async (jobId) => {
      await vi.waitFor(() => run(jobId).describe(), waiting);
      return (await run(jobId).result()) as JobProgress;
    },
  };
}
