import type { Sql } from '../db/core/client.ts';
import { seedVariant } from '../test/support/seeds/seed.ts';
import type { Benchmark, BenchmarkContext } from './harness/benchmark.ts';
import { createHttpClient, type HttpClient } from './harness/http-client.ts';
import { cpuMs } from './harness/measures/cpu.ts';
import { counter, cycle } from './harness/measures/cycle.ts';
import { fullLoad, median } from './harness/measures/load.ts';
import { offerIds, seedBenchVendor, seedOffers, settle } from './harness/seed.ts';
import { figure, table } from './harness/table.ts';

const offersMax = 10_000;
const itemsPerCall = 1000;
/** The calls that one vendor may have in progress in an API process with its default settings. */
const atOnce = 3;
const rounds = 5;
const roundMs = 2000;
const ratioMin = 10;

/** Bulk pushes beside single ones of the same kind, with as many calls in progress. */
export const bulkPushes: Benchmark = {
  name: 'bulk-pushes',
  title: 'Bulk pushes',
  hasShares: true,
  run: async (context) => {
    const { api, print, say } = context;
    const http = createHttpClient(api.url);
    const rows = [];
    for (const kind of await kindsOf(context)) {
      say(kind.path);
      const { single, bulk } = await measure(context, http, kind);
      const ratios = bulk.map(
        ({ perSecond }, round) => perSecond / (single[round]?.perSecond ?? 0),
      );
      const rate = (turns: readonly Turn[]) => median(turns.map(({ perSecond }) => perSecond));
      const range = `${figure(Math.min(...ratios))} to ${figure(Math.max(...ratios))}`;
      const costs = [single, bulk].flatMap((turns) => [
        median(turns.map(({ apiMicroseconds }) => apiMicroseconds)),
        median(turns.map(({ postgresMicroseconds }) => postgresMicroseconds)),
      ]);
      rows.push([kind.path, rate(single), rate(bulk), median(ratios), range, ...costs] as const);
    }
    print(
      `Over HTTP, ${atOnce} calls in progress, ${itemsPerCall} items in a bulk call, ` +
        `${offersMax} live offers; each push changes its offer:`,
    );
    const header = ['', 'single per s', 'bulk items per s', 'ratio', 'range'];
    const costs = ['', 'single API µs', 'DB µs', 'bulk API µs', 'DB µs'];
    const rates = rows.map((row) => row.slice(0, header.length));
    print(table(header, rates));
    print(
      table(
        costs,
        rows.map((row) => [row[0], ...row.slice(header.length)]),
      ),
    );
    await http.close();
    const worst = Math.min(...rows.map(([, , , ratio]) => ratio));
    if (worst < ratioMin) {
      throw new Error(`bulk pushes store ${figure(worst)} times as many items as single ones`);
    }
  },
};

type Kind = {
  readonly path: string;
  readonly token: string;
  readonly ids: readonly string[];
  /** The fields of a push that changes the offer. */
  readonly fields: () => object;
};

const values = counter();
const price = (): number => (10_000 + (values() % 900_000_000)) / 100;

async function kindsOf(context: BenchmarkContext): Promise<readonly Kind[]> {
  const { sql, api } = context;
  const variantId = await seedVariant(sql);
  const [one, two] = [await seedBenchVendor(sql), await seedBenchVendor(sql)];
  for (const vendorId of [one, two]) {
    await seedOffers(context, { vendorId, variantId, count: offersMax });
  }
  await sellByPercentage(context.patientSql, two);
  await settle(context);
  const ofVendor = async (vendorId: string) => ({
    token: api.vendorToken(vendorId),
    ids: await offerIds(sql, vendorId, offersMax),
  });
  const [costPlus, percentage] = [await ofVendor(one), await ofVendor(two)];
  return [
    {
      path: 'stock',
      ...costPlus,
      fields: () => ({ declaredInStock: true, declaredStockQuantity: 1 + (values() % 999_999) }),
    },
    { path: 'cost', ...costPlus, fields: () => ({ cost: price(), costIsVatInclusive: false }) },
    {
      path: 'sale-price',
      ...percentage,
      fields: () => ({ salePrice: price(), salePriceIsVatInclusive: false }),
    },
  ];
}

async function sellByPercentage(sql: Sql, vendorId: string): Promise<void> {
  const pricingModel = 'PercentageOfSale';
  await sql`
    with vendor as (
      update vendors set pricing_model = ${pricingModel}, rate_basis_points = 1000
      where id = ${vendorId}
    ), supply as (
      update supply_options set pricing_model = ${pricingModel} where vendor_id = ${vendorId}
    )
    update offers
    set pricing_model = ${pricingModel}, sale_price_net = 20000, sale_price_vat = 3000,
      sale_price_entered_vat_inclusive = false
    where vendor_id = ${vendorId}`;
}

/** One way in one round; processor time is for each item. */
type Turn = {
  readonly perSecond: number;
  readonly apiMicroseconds: number;
  readonly postgresMicroseconds: number;
};

/** Both ways take turns, so that other load on the machine meets both. */
async function measure(context: BenchmarkContext, http: HttpClient, kind: Kind) {
  const { path, token, ids, fields } = kind;
  const next = cycle(ids);
  const pushOne = () =>
    http.request('PATCH', `/api/v1/scent/offers/${next()}/${path}`, { body: fields(), token });
  const pushMany = () => {
    const items = Array.from({ length: itemsPerCall }, () => ({ offerId: next(), ...fields() }));
    return http.request('PATCH', `/api/v1/scent/offers/${path}`, { body: { items }, token });
  };
  const [single, bulk]: [Turn[], Turn[]] = [[], []];
  for (let round = 0; round <= rounds; round += 1) {
    const turns = [await turn(context, pushOne, 1), await turn(context, pushMany, itemsPerCall)];
    // The first round warms the processes up, and stages the first price of each offer.
    if (round === 0 || turns[0] === undefined || turns[1] === undefined) continue;
    single.push(turns[0]);
    bulk.push(turns[1]);
  }
  return { single, bulk };
}

async function turn(
  { api, postgresPid }: BenchmarkContext,
  work: () => Promise<unknown>,
  items: number,
): Promise<Turn> {
  const before = { api: cpuMs(api.pid), postgres: cpuMs(postgresPid) };
  const { latenciesMs, seconds } = await fullLoad(work, { atOnce, ms: roundMs });
  const pushes = latenciesMs.length * items;
  return {
    perSecond: pushes / seconds,
    apiMicroseconds: ((cpuMs(api.pid) - before.api) * 1000) / pushes,
    postgresMicroseconds: ((cpuMs(postgresPid) - before.postgres) * 1000) / pushes,
  };
}
