import type { CheckContext } from '../../doctor/check.ts';
import { checks } from '../../doctor/checks.ts';
import { isClean, runCheck } from '../../doctor/examine.ts';
import { reconcile } from '../../doctor/reconcile.ts';
import { createSealer } from '../../security/sealer.ts';
import { readHistories } from '../../temporal/runs/histories.ts';
import { createRuns } from '../../temporal/runs/open-runs.ts';
import { seedVariant } from '../../test/support/seeds/seed.ts';
import { dayMs } from '../../test/support/webhooks/old-deliveries.ts';
import type { BenchmarkContext } from '../harness/benchmark.ts';
import { seedBenchVendor, seedOffers } from '../harness/seed.ts';
import { withWorker, type TemporalSide } from '../harness/servers/temporal-side.ts';
import { table } from '../harness/table.ts';
import { until } from '../harness/until.ts';

/** The histories that the command reads by default. */
const runsMax = 2000;

/** The time of all checks of the doctor. */
async function doctorSeconds(
  { patientSql: sql }: BenchmarkContext,
  { client, taskQueue, secretsKey }: TemporalSide,
): Promise<number> {
  const doctor: CheckContext = {
    sql,
    runs: createRuns(client, { taskQueue }),
    histories: () => readHistories(client, { taskQueue, runsMax }),
    retentionMs: 30 * dayMs,
    sealer: createSealer(secretsKey),
  };
  const begun = performance.now();
  for (const check of checks) {
    const result = await runCheck(doctor, check, { isRepairing: false, findingsMax: 0 });
    // The seeds of offers write no history.
    if (!isClean(result) && result.id !== 'offer-history')
      throw new Error(`${result.id}: ${result.found} found, ${String(result.error)}`);
  }
  return (performance.now() - begun) / 1000;
}

/** Prints the time of a reconciliation with a given number of open reviews, each with its run. */
export async function printReconciliations(
  context: BenchmarkContext,
  sizes: readonly number[],
): Promise<void> {
  const { patientSql: sql, print, say } = context;
  await withWorker(context, {}, async (temporal) => {
    const runs = createRuns(temporal.client, temporal);
    const signal = new AbortController().signal;
    const variantId = await seedVariant(sql);
    const rows: [number, number, number, number][] = [];
    let open = 0;
    for (const size of sizes) {
      const vendorId = await seedBenchVendor(sql);
      const mix = { PendingReview: 100 };
      await seedOffers(context, { vendorId, variantId, count: size - open, mix });
      open = size;
      say(`starting the runs of ${size} reviews`);
      await reconcile({ sql, runs }, signal);
      const listed = `WorkflowType = 'offerReview' and ReviewState = 'PendingReview'`;
      await until(async () => (await temporal.client.workflow.count(listed)).count === size, 500);
      const begun = performance.now();
      const repaired = await reconcile({ sql, runs }, signal);
      const seconds = (performance.now() - begun) / 1000;
      if (Object.keys(repaired).length > 0) throw new Error(JSON.stringify(repaired));
      rows.push([size, seconds, (seconds / size) * 1000, await doctorSeconds(context, temporal)]);
    }
    print(table(['open reviews', 'reconciliation s', 'ms a review', 'doctor s'], rows));
  });
}
