import { expect, vi } from 'vitest';
import { bulkJobId, reviewJobId } from '../../workflows/ids.ts';
import type { JobProgress } from '../../workflows/jobs/bulk-job-messages.ts';
import { newOperator, newVariant, newVendor, type TestVendor } from '../support/api/actors.ts';
import { gatewayOver } from '../support/api/api.ts';
import type { TestGateway } from '../support/gateway/gateway.ts';
import { readDetails } from '../support/gateway/runs.ts';
import { recordHistory, replayRun } from '../support/history.ts';
import { seedManyOffers } from '../support/seeds/agreement.ts';

export const waiting = { timeout: 60_000, interval: 20 };

type Job = {
  readonly state: string;
  readonly doneCount: number;
  readonly failedCount: number;
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
};

/** The API on which vendors and reviewers start jobs, and what becomes of them and their runs. */
async function createJobRunFixture(
  { sql, client }: TestGateway,
  table: 'bulk_jobs' | 'review_jobs',
  workflowIdOf: (jobId: string) => string,
) {
  const api = await gatewayOver(sql);
  const read = async (jobId: string): Promise<Job> => {
    const [job] = await sql<[Job]>`
      select state, done_count, failed_count, started_at, ended_at from ${sql(table)}
      where id = ${jobId}`;
    return job;
  };
  const until = (jobId: string, isReached: (job: Job) => boolean): Promise<Job> =>
    vi.waitFor(async () => {
      const job = await read(jobId);
      expect(isReached(job), JSON.stringify(job)).toBe(true);
      return job;
    }, waiting);
  const run = (jobId: string) => client.workflow.getHandle(workflowIdOf(jobId));
  return {
    api,
    newVendor: () => newVendor(api),
    newReviewer: () => newOperator(api, ['Reviewer']),
    countOffers: async ({ vendorId }: TestVendor): Promise<number> =>
      (await sql`select from offers where vendor_id = ${vendorId}`).length,
    /** Items for a given number of new offers of a vendor with a staged price. */
    stagedItems: async ({ vendorId }: TestVendor, count: number) => {
      const { id: variantId } = await newVariant(api);
      const seeded = { approvedWithStagedPrice: count };
      const offers = await seedManyOffers(sql, { vendorId, variantId }, seeded);
      return sql<{ offerId: string; expectedVersion: number }[]>`
        select offers.id as offer_id, judged_version + agreement_version as expected_version
        from offers join vendors on vendors.id = offers.vendor_id
        where offers.id = any(${offers.map(({ id }) => id)}::uuid[])`;
    },
    read,
    untilDone: (jobId: string, atLeast: number) =>
      until(jobId, ({ doneCount }) => doneCount >= atLeast),
    untilEnded: (jobId: string) => until(jobId, ({ endedAt }) => endedAt !== null),
    progress: async (jobId: string): Promise<JobProgress> => {
      await vi.waitFor(() => run(jobId).describe(), waiting);
      return (await run(jobId).result()) as JobProgress;
    },
    details: (jobId: string) => readDetails(client, workflowIdOf(jobId)),
    taskQueue: async (jobId: string) => (await run(jobId).describe()).taskQueue,
    /** Checks that the run replays, and records it. */
    record: async (jobId: string, name: string): Promise<void> => {
      await replayRun(client, workflowIdOf(jobId));
      await recordHistory(client, workflowIdOf(jobId), name);
    },
  };
}

export type JobFixture = Awaited<ReturnType<typeof createJobRunFixture>>;

export const createJobFixture = (gateway: TestGateway): Promise<JobFixture> =>
  createJobRunFixture(gateway, 'bulk_jobs', bulkJobId);
export const createReviewFixture = (gateway: TestGateway): Promise<JobFixture> =>
  createJobRunFixture(gateway, 'review_jobs', reviewJobId);
