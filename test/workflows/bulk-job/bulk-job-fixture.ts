import { expect, vi } from 'vitest';
import type { Job } from '../../../db/jobs/job-row.ts';
import { jobColumns } from '../../../db/jobs/job-row.ts';
import type { JobProgress } from '../../../workflows/jobs/bulk-job-messages.ts';
import { bulkJobId } from '../../../workflows/ids.ts';
import { gatewayOver, type Gateway } from '../../api/support/api.ts';
import { newVendor, type TestVendor } from '../../api/support/actors.ts';
import type { TestGateway } from '../../support/gateway/gateway.ts';

export const waiting = { timeout: 60_000, interval: 20 };

/** Vendors who start jobs by HTTP, and what becomes of the jobs and their runs. */
export type JobFixture = {
  readonly api: Omit<Gateway, 'close'>;
  readonly newVendor: () => Promise<TestVendor>;
  readonly read: (jobId: string) => Promise<Job>;
  readonly untilDone: (jobId: string, atLeast: number) => Promise<Job>;
  readonly untilEnded: (jobId: string) => Promise<Job>;
  readonly run: (jobId: string) => ReturnType<TestGateway['client']['workflow']['getHandle']>;
  readonly progress: (jobId: string) => Promise<JobProgress>;
  readonly details: (jobId: string) => Promise<string>;
  readonly countOffers: (vendor: TestVendor) => Promise<number>;
};

export async function createJobFixture({ sql, client }: TestGateway): Promise<JobFixture> {
  const api = await gatewayOver(sql);
  const read = async (jobId: string): Promise<Job> => {
    const [job] = await sql<Job[]>`
      select ${jobColumns.list(sql)} from bulk_jobs where id = ${jobId}`;
    if (job === undefined) throw new Error('no such job');
    return job;
  };
  const until = (jobId: string, isReached: (job: Job) => boolean): Promise<Job> =>
    vi.waitFor(async () => {
      const job = await read(jobId);
      expect(isReached(job), JSON.stringify(job)).toBe(true);
      return job;
    }, waiting);
  const run: JobFixture['run'] = (jobId) => client.workflow.getHandle(bulkJobId(jobId));
  return {
    api,
    newVendor: () => newVendor(api),
    read,
    untilDone: (jobId, atLeast) => until(jobId, ({ doneCount }) => doneCount >= atLeast),
    untilEnded: (jobId) => until(jobId, ({ endedAt }) => endedAt !== null),
    run,
    progress: async (jobId) => {
      await vi.waitFor(() => run(jobId).describe(), waiting);
      return (await run(jobId).result()) as JobProgress;
    },
    details: async (jobId) => {
      const metadata = await run(jobId).query<{ readonly currentDetails?: string }>(
        '__temporal_workflow_metadata',
      );
      return metadata.currentDetails ?? '';
    },
    countOffers: async ({ vendorId }) => {
      const [row] = await sql<[{ count: number }]>`
        select count(*)::int as count from offers where vendor_id = ${vendorId}`;
      return row.count;
    },
  };
}
