import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import { seedVariant } from '../test/support/seeds/seed.ts';
import type { Benchmark, BenchmarkContext } from './harness/benchmark.ts';
import { fullLoad, median, pacedLoad, quantile, type Work } from './harness/measures/load.ts';
import { seedBenchVendor, seedOffers, offerIds, settle } from './harness/seed.ts';
import { table } from './harness/table.ts';

const offers = 200_000;
/** Offers of the heavy vendor with a long history each: the newest ones, which page 1 has. */
const edited = { offers: 100, changes: 2000 };
const connections = 60;
const attackMs = 5000;
const rounds = 2;
/** The vendor beside it: a read, a push and a page of its own in turn. */
const perSecond = 40;
const ratioMax = 3;

/**
 * One vendor asks for as many deep pages as 60 connections take; another vendor must not notice.
 */
export const neighbours: Benchmark = {
  name: 'neighbours',
  title: 'A vendor beside a heavy one',
  hasShares: true,
  run: async (context) => {
    const { sql, print, say } = context;
    const variantId = await seedVariant(sql);
    const [heavy, other] = [await seedBenchVendor(sql), await seedBenchVendor(sql)];
    say(`making ${offers} offers`);
    await seedOffers(context, { vendorId: heavy, variantId, count: offers });
    await seedOffers(context, { vendorId: other, variantId, count: 1000 });
    await seedHistory(context, heavy);
    await settle(context);
    const attacks = [
      { name: 'deep pages', path: (n: number) => `page=${1 + ((n * 7919) % 2000)}&pageSize=100` },
      { name: 'include=history', path: () => 'include=history&pageSize=100' },
    ];
    const rows = [];
    for (const { name, path } of attacks) {
      say(`${name}, at ${connections} connections`);
      rows.push(await attack(context, { heavy, other, name, path }));
    }
    const header = ['', 'quiet p50 ms', 'p99 ms', 'beside p50 ms', 'p99 ms', 'ratio of p99'];
    print(
      `Another vendor, ${perSecond} calls a second, while one uses ${connections} connections:`,
    );
    print(table([...header, '/health p99 ms', 'calls per s', '429 or 5xx'], rows));
    const worst = Math.max(...rows.map(([, , , , , ratio]) => Number(ratio)));
    if (worst > ratioMax) {
      throw new Error(`another vendor's p99 is ${worst.toFixed(1)} times its quiet value`);
    }
  },
};

type Attack = {
  readonly heavy: string;
  readonly other: string;
  readonly name: string;
  readonly path: (operation: number) => string;
};

/** Quiet and attacked in turn, so that whatever else the machine does meets both. */
async function attack(context: BenchmarkContext, { heavy, other, name, path }: Attack) {
  const { api, sql } = context;
  const pool = new Pool(api.url, { connections, pipelining: 1 });
  const calm = new Pool(api.url, { connections: 8, pipelining: 1 });
  const ids = await offerIds(sql, other, 500);
  const refused: number[] = [];
  const page: Work = async (operation) => {
    const answer = await pool.request({
      method: 'GET',
      path: `/api/v1/scent/offers?${path(operation)}`,
      headers: { authorization: `Bearer ${tokens.heavy}` },
    });
    await answer.body.dump({ limit: Number.MAX_SAFE_INTEGER });
    if (answer.statusCode >= 300) refused.push(answer.statusCode);
  };
  const call: Work = async (operation) => {
    const id = ids[operation % ids.length] ?? '';
    const target = [`/${id}`, `/${id}/stock`, '?page=2'][operation % 3] ?? '';
    const isPush = target.endsWith('/stock');
    const answer = await calm.request({
      method: isPush ? 'PATCH' : 'GET',
      path: `/api/v1/scent/offers${target}`,
      headers: {
        authorization: `Bearer ${tokens.other}`,
        ...(isPush ? { 'content-type': 'application/json' } : {}),
      },
      ...(isPush
        ? {
            body: JSON.stringify({
              declaredInStock: true,
              declaredStockQuantity: 1 + (operation % 97),
            }),
          }
        : {}),
    });
    await answer.body.dump();
    if (answer.statusCode !== 200) throw new Error(`${target}: ${answer.statusCode}`);
  };
  const health: Work = async () => {
    await (await calm.request({ method: 'GET', path: '/health' })).body.dump();
  };
  const tokens = { heavy: '', other: '' };
  const measured = { quiet: [] as number[], beside: [] as number[], health: [] as number[] };
  let pages = 0;
  const watch = async (ms: number) => {
    const over = AbortSignal.timeout(ms);
    const [calls, probes] = await Promise.all([
      pacedLoad(call, perSecond, over),
      pacedLoad(health, 10, over),
    ]);
    return { calls: calls.latenciesMs, probes: probes.latenciesMs };
  };
  for (let round = 0; round <= rounds; round += 1) {
    // A token is good for five minutes.
    tokens.heavy = api.vendorToken(heavy);
    tokens.other = api.vendorToken(other);
    const quiet = await watch(attackMs);
    const heavyLoad = fullLoad(page, { atOnce: connections, ms: attackMs + 1000 });
    await delay(500);
    const beside = await watch(attackMs);
    const { latenciesMs } = await heavyLoad;
    // The first round warms the processes up.
    if (round === 0) continue;
    measured.quiet.push(...quiet.calls);
    measured.beside.push(...beside.calls);
    measured.health.push(...beside.probes);
    pages += latenciesMs.length;
  }
  await Promise.all([pool.close(), calm.close()]);
  const [quietP99, besideP99] = [quantile(measured.quiet, 0.99), quantile(measured.beside, 0.99)];
  return [
    name,
    median(measured.quiet),
    quietP99,
    median(measured.beside),
    besideP99,
    besideP99 / quietP99,
    quantile(measured.health, 0.99),
    pages / rounds / (attackMs / 1000 + 1),
    refused.length,
  ];
}

async function seedHistory({ patientSql: sql }: BenchmarkContext, vendorId: string): Promise<void> {
  await sql`
    insert into offer_status_changes (offer_id, from_status, to_status, reason, at)
    select offer.id, 'PendingReview', 'Approved', 'Change ' || n || ' of many', offer.created_at
    from (
      select id, created_at from offers where vendor_id = ${vendorId}
      order by created_at desc limit ${edited.offers}
    ) as offer, generate_series(1, ${edited.changes}::int) as n`;
}
