import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import { seedVariant } from '../test/support/seeds/seed.ts';
import type { Benchmark, BenchmarkContext } from './harness/benchmark.ts';
import { createHttpClient } from './harness/http-client.ts';
import { besideCells, besideHeader, requireRatio, type Beside } from './harness/measures/beside.ts';
import { fullLoad, pacedLoad, quantile, type Work } from './harness/measures/load.ts';
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
    const measured: Attacked[] = [];
    for (const { name, path } of attacks) {
      say(`${name}, at ${connections} connections`);
      measured.push(await attack(context, { heavy, other, name, path }));
    }
    print(
      `Another vendor, ${perSecond} calls a second, while one uses ${connections} connections:`,
    );
    print(
      table(
        [...besideHeader, '/health p99 ms', 'calls per s', '429 or 5xx'],
        measured.map(({ healthMs, pages, refused, ...beside }) => [
          ...besideCells(beside),
          quantile(healthMs, 0.99),
          pages / rounds / (attackMs / 1000 + 1),
          refused,
        ]),
      ),
    );
    requireRatio(measured, ratioMax);
  },
};

type Attack = {
  readonly heavy: string;
  readonly other: string;
  readonly name: string;
  readonly path: (operation: number) => string;
};

/** What the other vendor, a health check and the attacker saw. */
type Attacked = Beside & {
  readonly healthMs: readonly number[];
  readonly pages: number;
  readonly refused: number;
};

/** Quiet and attacked in turn, so that whatever else the machine does meets both. */
async function attack(
  context: BenchmarkContext,
  { heavy, other, name, path }: Attack,
): Promise<Attacked> {
  const { api } = context;
  const neighbour = await createNeighbour(context, other);
  const attacker = createAttacker(api.url, path);
  const measured = { quietMs: [] as number[], besideMs: [] as number[], healthMs: [] as number[] };
  let pages = 0;
  for (let round = 0; round <= rounds; round += 1) {
    // A token is good for five minutes.
    const tokens = { heavy: api.vendorToken(heavy), other: api.vendorToken(other) };
    const quiet = await neighbour.watch(attackMs, tokens.other);
    const heavyLoad = attacker.attack(attackMs + 1000, tokens.heavy);
    await delay(500);
    const beside = await neighbour.watch(attackMs, tokens.other);
    const { latenciesMs } = await heavyLoad;
    // The first round warms the processes up.
    if (round === 0) continue;
    measured.quietMs.push(...quiet.callsMs);
    measured.besideMs.push(...beside.callsMs);
    measured.healthMs.push(...beside.healthMs);
    pages += latenciesMs.length;
  }
  await Promise.all([neighbour.close(), attacker.close()]);
  return { name, ...measured, pages, refused: attacker.refused() };
}

/** The vendor beside the attack: a read, a push and a page of its own in turn; and health checks. */
async function createNeighbour({ api, sql }: BenchmarkContext, vendorId: string) {
  const http = createHttpClient(api.url, 8);
  const ids = await offerIds(sql, vendorId, 500);
  const offers = '/api/v1/scent/offers';
  const callsOf = (token: string): Work => {
    return (operation) => {
      const offer = `${offers}/${ids[operation % ids.length] ?? ''}`;
      const body = { declaredInStock: true, declaredStockQuantity: 1 + (operation % 97) };
      if (operation % 3 === 1) return http.request('PATCH', `${offer}/stock`, { body, token });
      return http.request('GET', operation % 3 === 0 ? offer : `${offers}?page=2`, { token });
    };
  };
  return {
    watch: async (ms: number, token: string) => {
      const over = AbortSignal.timeout(ms);
      const [calls, checks] = await Promise.all([
        pacedLoad(callsOf(token), perSecond, over),
        pacedLoad(() => http.request('GET', '/health'), 10, over),
      ]);
      return { callsMs: calls.latenciesMs, healthMs: checks.latenciesMs };
    },
    close: () => http.close(),
  };
}

/** Asks for pages, and does not parse them, since that would delay the other calls. */
function createAttacker(origin: string, pathOf: Attack['path']) {
  const pool = new Pool(origin, { connections, pipelining: 1 });
  let refused = 0;
  return {
    attack: (ms: number, token: string) =>
      fullLoad(
        async (operation) => {
          const { statusCode, body } = await pool.request({
            method: 'GET',
            path: `/api/v1/scent/offers?${pathOf(operation)}`,
            headers: { authorization: `Bearer ${token}` },
          });
          await body.dump({ limit: Number.MAX_SAFE_INTEGER });
          if (statusCode >= 300) refused += 1;
        },
        { atOnce: connections, ms },
      ),
    refused: () => refused,
    close: () => pool.close(),
  };
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
