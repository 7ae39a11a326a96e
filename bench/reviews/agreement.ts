import { setTimeout as delay } from 'node:timers/promises';
import {
  countOutdatedOffers,
  lockOutdatedOffers,
  settleAgreement,
} from '../../db/accounts/agreements.ts';
import { seedOperator, seedVariant } from '../../test/support/seeds/seed.ts';
import type { Benchmark, BenchmarkContext } from '../harness/benchmark.ts';
import { cycle } from '../harness/measures/cycle.ts';
import { followAgreement, type FollowedBatch } from '../harness/servers/follower.ts';
import { createHttpClient, type HttpClient } from '../harness/http-client.ts';
import { median, pacedLoad, quantile, type Load } from '../harness/measures/load.ts';
import { explainStatements } from '../harness/postgres/plans.ts';
import { catalogMix, offerIds, seedBenchVendor, seedOffers, settle } from '../harness/seed.ts';
import { table, type Cell } from '../harness/table.ts';

const switchingOffers = 100_000;
const otherOffers = 10_000;
const idleMs = 5000;
/** Well below what the machine can do: latencies, not a queue, are compared. */
const pushesPerSecond = 100;

/** An agreement changes for 100,000 offers during stock pushes. */
export const agreement: Benchmark = {
  name: 'agreement',
  title: 'Agreement of 100,000 offers',
  run: async (context) => {
    const { sql, print, say } = context;
    const variantId = await seedVariant(sql);
    const [vendorId, otherId] = [await seedBenchVendor(sql), await seedBenchVendor(sql)];
    say(`making ${switchingOffers} offers`);
    await seedOffers(context, { vendorId, variantId, count: switchingOffers, mix: catalogMix });
    await seedOffers(context, { vendorId: otherId, variantId, count: otherOffers });
    await settle(context);
    const measure = await measuring(context, vendorId, otherId);
    const idle = await measure.idle();
    const rate = await measure.change({ pricingModel: 'CostPlusMargin', markupPercent: 30 });
    const model = await measure.change({ pricingModel: 'PercentageOfSale', commissionPercent: 10 });
    await measure.close();
    print('The change and its batches:');
    print(
      table(changeHeader, [changeRow('another markup', rate), changeRow('another model', model)]),
    );
    print(`Stock pushes over HTTP meanwhile, ${pushesPerSecond} a second to each:`);
    print(
      table(pushHeader, [
        pushRow('the vendor itself, idle', idle.own, idle.own),
        pushRow('another vendor, idle', idle.other, idle.other),
        pushRow('the vendor itself, another markup', rate.own, idle.own),
        pushRow('another vendor, another markup', rate.other, idle.other),
        pushRow('the vendor itself, another model', model.own, idle.own),
        pushRow('another vendor, another model', model.other, idle.other),
      ]),
    );
    await explain(context, vendorId);
  },
};

type Pushes = { readonly own: Load; readonly other: Load };
type Change = Pushes & {
  readonly patchMs: number;
  readonly seconds: number;
  readonly batches: readonly FollowedBatch[];
};

/** Pushes stock, steadily, for as long as something takes. */
async function measuring(
  { sql, api, databaseUrl }: BenchmarkContext,
  vendorId: string,
  otherId: string,
) {
  const http = createHttpClient(api.url);
  const operatorToken = api.operatorToken(await seedOperator(sql));
  const [own, other] = [
    await pusher(http, api.vendorToken(vendorId), await offerIds(sql, vendorId, switchingOffers)),
    await pusher(http, api.vendorToken(otherId), await offerIds(sql, otherId, otherOffers)),
  ];
  const during = async (work: () => Promise<unknown>): Promise<Pushes> => {
    const end = new AbortController();
    const loads = Promise.all([
      pacedLoad(own, pushesPerSecond, end.signal),
      pacedLoad(other, pushesPerSecond, end.signal),
    ]);
    const finished = work().finally(() => end.abort());
    const [[ownLoad, otherLoad]] = await Promise.all([loads, finished]);
    return { own: ownLoad, other: otherLoad };
  };
  return {
    idle: async (): Promise<Pushes> => {
      await during(() => delay(idleMs / 5));
      return during(() => delay(idleMs));
    },
    change: async (body: object): Promise<Change> => {
      let patchMs = 0;
      let seconds = 0;
      let batches: readonly FollowedBatch[] = [];
      const pushes = await during(async () => {
        const begun = performance.now();
        const path = `/operator/v1/vendors/${vendorId}/agreement`;
        await http.request('PATCH', path, { body, token: operatorToken });
        patchMs = performance.now() - begun;
        batches = await followAgreement(databaseUrl, vendorId);
        seconds = batches.reduce((sum, { ms }) => sum + ms, 0) / 1000;
      });
      return { ...pushes, patchMs, seconds, batches };
    },
    close: () => http.close(),
  };
}

async function pusher(http: HttpClient, token: string, ids: readonly string[]) {
  // Everywhere among them: a stride that has no common divisor with their number.
  const next = cycle(ids.map((_, index) => ids[(index * 7919) % ids.length] ?? ''));
  let quantity = 100;
  return () =>
    http.request('PATCH', `/api/v1/scent/offers/${next()}/stock`, {
      body: { declaredInStock: true, declaredStockQuantity: (quantity += 1) },
      token,
    });
}

const changeHeader = [
  '',
  'PATCH ms',
  'offers',
  'supply options',
  'batches',
  'seconds',
  'first ten ms',
  'last ten ms',
];

function changeRow(name: string, { patchMs, seconds, batches }: Change): readonly Cell[] {
  const times = batches.map(({ ms }) => ms);
  const offers = batches.reduce((sum, batch) => sum + batch.offers, 0);
  const options = batches.reduce((sum, batch) => sum + batch.supplyOptions, 0);
  const [begin, end] = [median(times.slice(0, 10)), median(times.slice(-11, -1))];
  return [name, patchMs, offers, options, batches.length, seconds, begin, end];
}

const pushHeader = [
  '',
  'pushes',
  'median ms',
  'ratio to idle',
  'p99 ms',
  'ratio to idle',
  'longest ms',
];

function pushRow(name: string, load: Load, idle: Load): readonly Cell[] {
  const [typical, p99] = [median(load.latenciesMs), quantile(load.latenciesMs, 0.99)];
  return [
    name,
    load.latenciesMs.length,
    typical,
    typical / median(idle.latenciesMs),
    p99,
    p99 / quantile(idle.latenciesMs, 0.99),
    quantile(load.latenciesMs, 1),
  ];
}

/**
 * The statements of a batch: when every offer follows, as while supply options are repriced, and
 * when none does yet.
 */
async function explain(context: BenchmarkContext, vendorId: string): Promise<void> {
  const { sql, print, explains } = context;
  if (!explains) return;
  for (const behind of ['none', 'all']) {
    print(`Offers behind: ${behind}`);
    await explainStatements(context, sql, async () => {
      await lockOutdatedOffers(sql, vendorId, 500);
      await countOutdatedOffers(sql, vendorId);
      await settleAgreement(sql, vendorId);
    });
    await sql`update vendors set agreement_epoch = agreement_epoch + 1 where id = ${vendorId}`;
  }
}
