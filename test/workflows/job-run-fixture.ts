import { expect, vi } from 'vitest';
import type { JobProgress } from '../../workflows/jobs/bulk-job-messages.ts';
import type { TestGateway } from '../support/gateway/gateway.ts';
import { jobColumns, type Job, reviewJobColumns, type ReviewJob } from '../../db/jobs/job-row.ts';
import { bulkJobId, reviewJobId } from '../../workflows/ids.ts';
import { gatewayOver, type Gateway } from '../support/api/api.ts';
import {
  newVendor,
  type TestVendor,
  newOperator,
  newVariant,
  type TestOperator,
} from '../support/api/actors.ts';
import { seedManyOffers } from '../support/seeds/agreement.ts';

export const waiting = { timeout: 60_000, interval: 20 };

/** What becomes of jobs of one type, and of their runs. */
type JobRunFixture<TJob> = {
  readonly read: (jobId: string) => Promise<TJob>;
  readonly untilDone: (jobId: string, atLeast: number) => Promise<TJob>;
  readonly untilEnded: (jobId: string) => Promise<TJob>;
  readonly run: (jobId: string) => ReturnType<TestGateway['client']['workflow']['getHandle']>;
  readonly progress: (jobId: string) => Promise<JobProgress>;
};

function createJobRunFixture<
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

/** Vendors who start jobs by HTTP, and what becomes of the jobs and their runs. */
type JobFixture = JobRunFixture<Job> & {
  readonly api: Omit<Gateway, 'close'>;
  readonly newVendor: () => Promise<TestVendor>;
  readonly details: (jobId: string) => Promise<string>;
  readonly countOffers: (vendor: TestVendor) => Promise<number>;
};

export async function createJobFixture(gateway: TestGateway): Promise<JobFixture> {
  const { sql } = gateway;
  const api = await gatewayOver(sql);
  const runs = createJobRunFixture<Job>(gateway, {
    find: (jobId) => sql`select ${jobColumns.list(sql)} from bulk_jobs where id = ${jobId}`,
    workflowIdOf: bulkJobId,
  });
  return {
    ...runs,
    api,
    newVendor: () => newVendor(api),
    details: async (jobId) => {
      const metadata = await runs
        .run(jobId)
        .query<{ readonly currentDetails?: string }>('__temporal_workflow_metadata');
      return metadata.currentDetails ?? '';
    },
    countOffers: async ({ vendorId }) => {
      const [row] = await sql<[{ count: number }]>`
        select count(*)::int as count from offers where vendor_id = ${vendorId}`;
      return row.count;
    },
  };
}

/** Reviewers who start jobs by HTTP, and what becomes of the jobs and their runs. */
type ReviewFixture = JobRunFixture<ReviewJob> & {
  readonly api: Omit<Gateway, 'close'>;
  readonly newReviewer: () => Promise<TestOperator>;
  readonly newVendor: () => Promise<TestVendor>;
  /** Items for so many new offers of a vendor with a staged price. */
  readonly stagedItems: (
    vendor: TestVendor,
    count: number,
  ) => Promise<readonly { readonly offerId: string; readonly expectedVersion: number }[]>;
};

export async function createReviewFixture(gateway: TestGateway): Promise<ReviewFixture> {
  const { sql } = gateway;
  const api = await gatewayOver(sql);
  return {
    ...createJobRunFixture<ReviewJob>(gateway, {
      find: (jobId) =>
        sql`select ${reviewJobColumns.list(sql)} from review_jobs where id = ${jobId}`,
      workflowIdOf: reviewJobId,
    }),
    api,
    newReviewer: () => newOperator(api, ['Reviewer']),
    newVendor: () => newVendor(api),
    stagedItems: async ({ vendorId }, count) => {
      const variantId = (await newVariant(api)).id;
      const seeded = { approvedWithStagedPrice: count };
      const offers = await seedManyOffers(sql, { vendorId, variantId }, seeded);
      const ids = offers.map(({ id }) => id);
      return sql<{ offerId: string; expectedVersion: number }[]>`
        select offers.id as offer_id, judged_version + agreement_version as expected_version
        from offers join vendors on vendors.id = offers.vendor_id
        where offers.id = any(${ids}::uuid[])`;
    },
  };
}
