import { Pool } from 'undici';
import { seedVariant } from '../test/support/seeds/seed.ts';
import type { Benchmark, BenchmarkContext } from './harness/benchmark.ts';
import { cpuMs } from './harness/measures/cpu.ts';
import { median, pacedLoad, quantile, type Work } from './harness/measures/load.ts';
import { offerIds, seedBenchVendor, seedOffers, settle } from './harness/seed.ts';
import { keepWorker, until } from './harness/servers/keep-worker.ts';
import { startJobVendor } from './harness/servers/job-vendor.ts';
import { startTemporalSide, type TemporalSide } from './harness/servers/temporal-side.ts';
import { table } from './harness/table.ts';

const itemsPerJob = 10_000;
const quietMs = 10_000;
/** The single pushes of the vendor beside the one with jobs. */
const perSecond = 50;
const ratioMax = 1.5;

/** One vendor's jobs run; another vendor's single pushes must not notice. */
export const jobs: Benchmark = {
  name: 'jobs',
  title: 'Single pushes beside bulk jobs',
  hasTemporal: true,
  run: async (context) => {
    const { say } = context;
    const temporal = await startTemporalSide(context);
    const worker = keepWorker(temporal, say);
    try {
      await worker.start();
      await pauseReconciliation(temporal);
      await measure(context, { worker: () => worker.pid() ?? 0, Temporal: () => temporal.pid });
    } finally {
      await worker.stop();
      await temporal.stop();
    }
  },
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

type Pids = Readonly<Record<'worker' | 'Temporal', () => number>>;

async function measure(context: BenchmarkContext, pids: Pids): Promise<void> {
  const { sql, api, print, say, postgresPid, isQuick } = context;
  const variantId = await seedVariant(sql);
  const [heavy, other] = [await seedBenchVendor(sql), await seedBenchVendor(sql)];
  await seedOffers(context, { vendorId: heavy, variantId, count: itemsPerJob });
  await seedOffers(context, { vendorId: other, variantId, count: 1000 });
  await settle(context);
  const ids = await offerIds(sql, heavy, itemsPerJob);
  const client = await createClient(context, { heavy, other });
  const processes = { API: () => api.pid, Postgres: () => postgresPid, ...pids };
  const rows = [];
  for (const { name, items } of kindsOf(ids)) {
    const measured = { quiet: [] as number[], beside: [] as number[] };
    const rates: number[] = [];
    const cpu = new Map<string, number[]>();
    // The first round warms the processes up.
    for (let round = 0; round <= (isQuick ? 1 : 3); round += 1) {
      say(`${name}, round ${round}`);
      const runJob = await client.prepareJob(name, items(round));
      // The reviews of the offers that a job creates begin for minutes after it.
      await sql`delete from outbox where is_low_priority`;
      const quiet = await client.push(AbortSignal.timeout(quietMs));
      const before = Object.entries(processes).map(([key, pid]) => [key, cpuMs(pid())] as const);
      const { latenciesMs, seconds } = await client.pushBeside(runJob);
      if (round === 0) continue;
      measured.quiet.push(...quiet);
      measured.beside.push(...latenciesMs);
      rates.push(itemsPerJob / seconds);
      for (const [key, ms] of before) {
        const used = cpuMs(processes[key as keyof typeof processes]()) - ms;
        cpu.set(key, [...(cpu.get(key) ?? []), used / seconds / 1000]);
      }
    }
    const { quiet, beside } = measured;
    const [quietP99, besideP99] = [quantile(quiet, 0.99), quantile(beside, 0.99)];
    rows.push({
      cells: [name, median(quiet), quietP99, median(beside), besideP99, besideP99 / quietP99],
      rest: [name, median(rates), ...[...cpu.values()].map(median)],
      ratio: besideP99 / quietP99,
    });
  }
  await client.close();
  print(`${perSecond} single stock pushes a second, while a job of ${itemsPerJob} items runs:`);
  const header = ['', 'quiet p50 ms', 'p99 ms', 'beside p50 ms', 'p99 ms', 'ratio of p99'];
  print(
    table(
      header,
      rows.map(({ cells }) => cells),
    ),
  );
  print('Items of the job a second, and the cores that each process uses meanwhile:');
  print(
    table(
      ['', 'items per s', ...Object.keys(processes)],
      rows.map(({ rest }) => rest),
    ),
  );
  const worst = Math.max(...rows.map(({ ratio }) => ratio));
  if (worst > ratioMax)
    throw new Error(`a single push beside a job takes ${worst.toFixed(2)} times its quiet p99`);
}

type Items = (round: number) => readonly object[];

const kindsOf = (ids: readonly string[]): readonly { name: string; items: Items }[] => [
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

/** The calls of both vendors. */
async function createClient(
  { api, sql }: BenchmarkContext,
  { heavy, other }: { readonly heavy: string; readonly other: string },
) {
  const pool = new Pool(api.url, { connections: 8, pipelining: 1 });
  const ids = await offerIds(sql, other, 500);
  const jobVendor = await startJobVendor();
  const pushStock: Work = async (operation) => {
    const path = `/api/v1/scent/offers/${ids[operation % ids.length]}/stock`;
    const headers = {
      authorization: `Bearer ${api.vendorToken(other)}`,
      'content-type': 'application/json',
    };
    const stock = { declaredInStock: true, declaredStockQuantity: 1 + (operation % 97) };
    const sent = { method: 'PATCH', path, headers, body: JSON.stringify(stock) } as const;
    const { statusCode, body } = await pool.request(sent);
    const text = await body.text();
    if (statusCode !== 200) throw new Error(`${path}: ${statusCode} ${text}`);
  };
  const push = async (until: AbortSignal): Promise<readonly number[]> =>
    (await pacedLoad(pushStock, perSecond, until)).latenciesMs;
  return {
    push,
    prepareJob: (kind: string, items: readonly object[]) =>
      jobVendor.prepare({
        origin: api.url,
        token: api.vendorToken(heavy),
        kind,
        body: items.map((item) => `${JSON.stringify(item)}\n`).join(''),
      }),
    pushBeside: async (runJob: () => Promise<number>) => {
      const ended = new AbortController();
      const startedAt = performance.now();
      const job = runJob().finally(() => ended.abort());
      const [latenciesMs, done] = await Promise.all([push(ended.signal), job]);
      if (done !== itemsPerJob) throw new Error(`${done} of ${itemsPerJob} items are done`);
      return { latenciesMs, seconds: (performance.now() - startedAt) / 1000 };
    },
    close: async () => {
      jobVendor.stop();
      await pool.close();
    },
  };
}
