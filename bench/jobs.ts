import { seedVariant } from '../test/support/seeds/seed.ts';
import type { Benchmark, BenchmarkContext } from './harness/benchmark.ts';
import { forkProgram } from './harness/fork-program.ts';
import { createHttpClient } from './harness/http-client.ts';
import { besideCells, besideHeader, newBeside, requireRatio } from './harness/measures/beside.ts';
import { countCpu } from './harness/measures/cpu-share.ts';
import { median, pacedLoad, type Work } from './harness/measures/load.ts';
import { offerIds, seedBenchVendor, seedOffers, settle } from './harness/seed.ts';
import type { JobQuestion } from './harness/servers/job-vendor-process.ts';
import { withWorker, type TemporalSide } from './harness/servers/temporal-side.ts';
import { table } from './harness/table.ts';
import { until } from './harness/until.ts';

const itemsPerJob = 10_000;
const quietPartMs = 10_000;
/** The single pushes of the vendor beside the one with jobs. */
const perSecond = 50;
const ratioMax = 1.5;

/** One vendor's jobs run; another vendor's single pushes must not notice. */
export const jobs: Benchmark = {
  name: 'jobs',
  title: 'Single pushes beside bulk jobs',
  hasTemporal: true,
  run: (context) =>
    withWorker(context, {}, async (temporal) => {
      await pauseReconciliation(temporal);
      await measure(context, { worker: temporal.worker.pid, Temporal: () => temporal.pid });
    }),
};

/** It would start the reviews whose messages are deleted before each quiet part. */
async function pauseReconciliation({ client, taskQueue }: TemporalSide): Promise<void> {
  const schedule = client.schedule.getHandle(`${taskQueue}/reconciliation`);
  // The worker creates it.
  await until(() =>
    schedule.pause().then(
      () => true,
      () => false,
    ),
  );
}

type Pids = Readonly<Record<string, () => number>>;

async function measure(context: BenchmarkContext, pids: Pids): Promise<void> {
  const { sql, api, print, postgresPid } = context;
  const variantId = await seedVariant(sql);
  const [heavy, other] = [await seedBenchVendor(sql), await seedBenchVendor(sql)];
  await seedOffers(context, { vendorId: heavy, variantId, count: itemsPerJob });
  await seedOffers(context, { vendorId: other, variantId, count: 1000 });
  await settle(context);
  const client = await createClient(context, { heavy, other });
  const processes = { API: () => api.pid, Postgres: () => postgresPid, ...pids };
  const measured: Awaited<ReturnType<typeof measureKind>>[] = [];
  for (const kind of kindsOf(await offerIds(sql, heavy, itemsPerJob)))
    measured.push(await measureKind(context, client, kind, processes));
  await client.close();
  print(`${perSecond} single stock pushes a second, while a job of ${itemsPerJob} items runs:`);
  print(table(besideHeader, measured.map(besideCells)));
  print('Items of the job a second, and the cores that each process uses meanwhile:');
  const names = Object.keys(processes);
  print(
    table(
      ['', 'items per s', ...names],
      measured.map(({ name, rates, cores }) => [
        name,
        median(rates),
        ...names.map((process) => median(cores.map((used) => used[process] ?? Number.NaN))),
      ]),
    ),
  );
  requireRatio(measured, ratioMax);
}

/** The rounds of a kind of job: quiet pushes, and pushes beside a job. */
async function measureKind(
  { sql, say, isQuick }: BenchmarkContext,
  client: Client,
  { name, items }: Kind,
  processes: Pids,
) {
  const measured = {
    ...newBeside(name),
    rates: [] as number[],
    cores: [] as Record<string, number>[],
  };
  // The first round warms the processes up.
  for (let round = 0; round <= (isQuick ? 1 : 3); round += 1) {
    say(`${name}, round ${round}`);
    const runJob = await client.prepareJob(name, items(round));
    // The reviews of the offers that a job creates begin for minutes after it.
    await sql`delete from outbox where is_low_priority`;
    const quiet = await client.push(AbortSignal.timeout(quietPartMs));
    const pids = Object.entries(processes).map(([process, pid]) => [process, pid()] as const);
    const cpuSince = countCpu(Object.fromEntries(pids));
    const { latenciesMs, seconds } = await client.pushBeside(runJob);
    const used = Object.entries(cpuSince().ms);
    if (round === 0) continue;
    measured.quietMs.push(...quiet);
    measured.besideMs.push(...latenciesMs);
    measured.rates.push(itemsPerJob / seconds);
    measured.cores.push(
      Object.fromEntries(used.map(([process, ms]) => [process, ms / seconds / 1000])),
    );
  }
  return measured;
}

type Kind = {
  readonly name: string;
  readonly items: (round: number) => readonly object[];
};

const kindsOf = (ids: readonly string[]): readonly Kind[] => [
  {
    name: 'createOffers',
    items: (round) =>
      Array.from({ length: itemsPerJob }, (_, index) => ({
        vendorExternalId: `${round}-${index}`,
        rawBrandName: 'Maison Dahab',
        rawProductName: `Oud ${index}`,
        cost: 100 + (index % 900),
        costIsVatInclusive: false,
        declaredStockQuantity: 1 + (index % 50),
      })),
  },
  {
    name: 'pushCosts',
    items: (round) =>
      ids.map((offerId, index) => ({
        offerId,
        cost: 300 + round + (index % 900),
        costIsVatInclusive: false,
      })),
  },
];

type Client = Awaited<ReturnType<typeof createClient>>;

/** The calls of both vendors. */
async function createClient(
  { api, sql }: BenchmarkContext,
  { heavy, other }: { readonly heavy: string; readonly other: string },
) {
  const http = createHttpClient(api.url, 8);
  const ids = await offerIds(sql, other, 500);
  const { ask, stop } = forkProgram<JobQuestion, number>(
    new URL('harness/servers/job-vendor-process.ts', import.meta.url),
  );
  const pushStock: Work = (operation) =>
    http.request('PATCH', `/api/v1/scent/offers/${ids[operation % ids.length]}/stock`, {
      body: { declaredInStock: true, declaredStockQuantity: 1 + (operation % 97) },
      token: api.vendorToken(other),
    });
  const push = async (until: AbortSignal): Promise<readonly number[]> =>
    (await pacedLoad(pushStock, perSecond, until)).latenciesMs;
  return {
    push,
    /** Hands a job over. The function starts the job, and returns its items that are done. */
    prepareJob: async (kind: string, items: readonly object[]) => {
      const body = JSON.stringify(items);
      const task = { origin: api.url, token: api.vendorToken(heavy), kind, body };
      await ask({ ask: 'prepare', task });
      return () => ask({ ask: 'run' });
    },
    pushBeside: async (runJob: () => Promise<number>) => {
      const ended = new AbortController();
      const startedAt = performance.now();
      const job = runJob().finally(() => ended.abort());
      const [latenciesMs, done] = await Promise.all([push(ended.signal), job]);
      if (done !== itemsPerJob) throw new Error(`${done} of ${itemsPerJob} items are done`);
      return { latenciesMs, seconds: (performance.now() - startedAt) / 1000 };
    },
    close: async () => {
      stop();
      await http.close();
    },
  };
}
