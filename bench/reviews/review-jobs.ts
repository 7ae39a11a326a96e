import { v7 as uuidv7 } from 'uuid';
import { createReviewActivities } from '../../activities/offer-review.ts';
import { runReviewTransactions } from '../../activities/review-job.ts';
import type { Sql } from '../../db/core/client.ts';
import { insertReviewJob } from '../../db/jobs/review-jobs.ts';
import { seedManyOffers } from '../../test/support/seeds/agreement.ts';
import { seedCommand, seedOperator, seedVariant } from '../../test/support/seeds/seed.ts';
import type { Benchmark } from '../harness/benchmark.ts';
import { pacedLoad, quantile } from '../harness/measures/load.ts';
import { seedBenchVendor, settle } from '../harness/seed.ts';
import { figure, table } from '../harness/table.ts';

const items = 4000;
const singlesPerSecond = 10;
const quietMs = 5000;
const decisionsPerSecondMin = 200;
const ratioMax = 2;

type Item = { readonly offerId: string; readonly expectedVersion: number };

/**
 * A review job over Postgres, and single decisions on the same vendor's offers before it and beside
 * it. Temporal's part of a decision is the same in both.
 */
export const reviewJobs: Benchmark = {
  name: 'review-jobs',
  title: 'Review jobs',
  run: async (context) => {
    const { sql, print, isQuick } = context;
    const count = isQuick ? items / 10 : items;
    const vendorId = await seedBenchVendor(sql);
    const reviewer = await seedOperator(sql);
    const staged = await stage(sql, vendorId, count + 3000);
    await settle(context);
    const { applyReviewDecision } = createReviewActivities({ sql });
    let index = count;
    const decide = async () => {
      const item = staged[(index += 1)];
      if (item === undefined) throw new Error('too few staged prices');
      const { offerId, expectedVersion } = item;
      const command = { action: 'applyPrice', reason: null, expectedVersion } as const;
      const commandId = await seedCommand(sql, reviewer.id, offerId, command);
      await applyReviewDecision({ commandId, operatorId: reviewer.id });
    };
    const quiet = await pacedLoad(decide, singlesPerSecond, AbortSignal.timeout(quietMs));
    const ended = new AbortController();
    const jobId = await startJob(sql, reviewer.id, staged.slice(0, count));
    const [busy, perSecond] = await Promise.all([
      pacedLoad(decide, singlesPerSecond, ended.signal),
      runJob(sql, jobId, count).finally(() => ended.abort()),
    ]);
    const [before, beside] = [quiet, busy].map(({ latenciesMs }) =>
      [0.5, 0.95].map((fraction) => quantile(latenciesMs, fraction)),
    );
    const ratios = [0, 1].map((at) => (beside?.[at] ?? 0) / (before?.[at] ?? 0));
    print(
      `A job of ${count} staged prices of one vendor: ${figure(perSecond)} decisions a second.`,
    );
    print(
      table(
        ['single decisions of the vendor', 'p50 ms', 'p95 ms'],
        [
          ['quiet', ...(before ?? [])],
          ['beside the job', ...(beside ?? [])],
          ['ratio', ...ratios],
        ],
      ),
    );
    const [ratio = Infinity] = ratios;
    if (!isQuick && (perSecond < decisionsPerSecondMin || ratio > ratioMax))
      throw new Error(`${figure(perSecond)} decisions a second, ratio ${figure(ratio)}`);
  },
};

async function stage(sql: Sql, vendorId: string, count: number): Promise<readonly Item[]> {
  const variantId = await seedVariant(sql);
  await seedManyOffers(sql, { vendorId, variantId }, { approvedWithStagedPrice: count });
  return sql<Item[]>`
    select offers.id as offer_id, judged_version + agreement_version as expected_version
    from offers join vendors on vendors.id = offers.vendor_id where vendor_id = ${vendorId}`;
}

async function startJob(sql: Sql, operatorId: string, decided: readonly Item[]): Promise<string> {
  const job = {
    id: uuidv7(),
    operatorId,
    action: 'apply',
    reason: null,
    requestId: 'bench',
  } as const;
  await insertReviewJob(
    sql,
    job,
    decided.map((item) => ({ type: 'decision', variantId: null, ...item })),
  );
  return job.id;
}

function onUnexpected(error: unknown): never {
  throw error;
}

/** Runs a job as its activity does; returns its decisions a second. */
async function runJob(sql: Sql, jobId: string, count: number): Promise<number> {
  const begunAt = performance.now();
  const asked = { jobId, limit: count, signal: new AbortController().signal };
  const job = await runReviewTransactions(sql, asked, { onUnexpected });
  if (job?.doneCount !== count) throw new Error('not every price was applied');
  return count / ((performance.now() - begunAt) / 1000);
}
