import { reviewJobColumns, type ReviewJob } from '../../../db/jobs/job-row.ts';
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
import { createJobRunFixture, type JobRunFixture } from '../job-run-fixture.ts';

/** Reviewers who start jobs by HTTP, and what becomes of the jobs and their runs. */
export type ReviewFixture = JobRunFixture<ReviewJob> & {
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
