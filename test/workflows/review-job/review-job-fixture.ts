import { expect, vi } from 'vitest';
import { reviewJobColumns, type ReviewJob } from '../../../db/jobs/job-row.ts';
import type { JobProgress } from '../../../workflows/jobs/bulk-job-messages.ts';
import { reviewJobId } from '../../../workflows/ids.ts';
import { gatewayOver, type Gateway } from '../../api/support/api.ts';
import {
  newOperator,
  newVariant,
  newVendor,
  type TestOperator,
  type TestVendor,
} from '../../api/support/actors.ts';
import { seedManyOffers } from '../../support/seeds/agreement.ts';
import type { TestGateway } from '../../support/gateway/gateway.ts';

export const waiting = { timeout: 60_000, interval: 20 };

/** Reviewers who start jobs by HTTP, and what becomes of the jobs and their runs. */
export type ReviewFixture = {
  readonly api: Omit<Gateway, 'close'>;
  readonly newReviewer: () => Promise<TestOperator>;
  readonly newVendor: () => Promise<TestVendor>;
  /** Items for so many new offers of a vendor with a staged price. */
  readonly stagedItems: (
    vendor: TestVendor,
    count: number,
  ) => Promise<readonly { readonly offerId: string; readonly expectedVersion: number }[]>;
  readonly read: (jobId: string) => Promise<ReviewJob>;
  readonly untilDone: (jobId: string, atLeast: number) => Promise<ReviewJob>;
  readonly untilEnded: (jobId: string) => Promise<ReviewJob>;
  readonly run: (jobId: string) => ReturnType<TestGateway['client']['workflow']['getHandle']>;
  readonly progress: (jobId: string) => Promise<JobProgress>;
};

export async function createReviewFixture({ sql, client }: TestGateway): Promise<ReviewFixture> {
  const api = await gatewayOver(sql);
  const read = async (jobId: string): Promise<ReviewJob> => {
    const [job] = await sql<ReviewJob[]>`
      select ${reviewJobColumns.list(sql)} from review_jobs where id = ${jobId}`;
    if (job === undefined) throw new Error('no such job');
    return job;
  };
  const until = (jobId: string, isReached: (job: ReviewJob) => boolean): Promise<ReviewJob> =>
    vi.waitFor(async () => {
      const job = await read(jobId);
      expect(isReached(job), JSON.stringify(job)).toBe(true);
      return job;
    }, waiting);
  const run: ReviewFixture['run'] = (jobId) => client.workflow.getHandle(reviewJobId(jobId));
  return {
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
        from offers join vendors on vendors.id = offers.vendor_id where offers.id = any(${ids}::uuid[])`;
    },
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
