import { jobColumns, type Job } from '../../../db/jobs/job-row.ts';
import { bulkJobId } from '../../../workflows/ids.ts';
import { gatewayOver, type Gateway } from '../../api/support/api.ts';
import { newVendor, type TestVendor } from '../../api/support/actors.ts';
import type { TestGateway } from '../../support/gateway/gateway.ts';
import { createJobRunFixture, type JobRunFixture } from '../job-run-fixture.ts';

/** Vendors who start jobs by HTTP, and what becomes of the jobs and their runs. */
export type JobFixture = JobRunFixture<Job> & {
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
