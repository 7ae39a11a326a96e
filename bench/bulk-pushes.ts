import type { Sql } from '../db/core/client.ts';
import { seedVariant } from '../test/support/seeds/seed.ts';
import type { Benchmark, BenchmarkContext } from './harness/benchmark.ts';
import { createHttpClient, type HttpClient } from './harness/http-client.ts';
import {
  measureRounds,
  medianOf,
  rangeOf,
  ratiosTo,
  type Round,
} from './harness/measures/compare.ts';
import { counter, cycle } from './harness/measures/cycle.ts';
import { median } from './harness/measures/load.ts';
import { offerIds, seedBenchVendor, seedOffers, settle } from './harness/seed.ts';
import { figure, table } from './harness/table.ts';

const offersMax = 10_000;
const itemsPerCall = 1000;
/** The calls that one vendor may have in progress in an API process with its default settings. */
const atOnce = 3;
const ratioMin = 10;

/** Bulk pushes beside single ones of the same kind, with as many calls in progress. */
export const bulkPushes: Benchmark = {
  name: 'bulk-pushes',
  title: 'Bulk pushes',
  hasShares: true,
  run: async (context) => {
    const { api, print, say } = context;
    const http = createHttpClient(api.url);
    const measured: Measured[] = [];
    for (const kind of await kindsOf(context)) {
      say(kind.path);
      measured.push(await measure(context, http, kind));
    }
    await http.close();
    print(
      `Over HTTP, ${atOnce} calls in progress, ${itemsPerCall} items in a bulk call, ` +
        `${offersMax} live offers; each push changes its offer:`,
    );
    print(
      table(
        ['', 'single per s', 'bulk items per s', 'ratio', 'range'],
        measured.map(({ path, single, bulk, ratios }) => [
          path,
          ...[single, bulk].map((turns) => medianOf(turns, ({ perSecond }) => perSecond)),
          median(ratios),
          rangeOf(ratios),
        ]),
      ),
    );
    print(
      table(
        ['', 'single API µs', 'DB µs', 'bulk API µs', 'DB µs'],
        measured.map(({ path, single, bulk }) => [path, ...costsOf(single), ...costsOf(bulk)]),
      ),
    );
    const worst = Math.min(...measured.map(({ ratios }) => median(ratios)));
    if (worst < ratioMin) {
      throw new Error(`bulk pushes store ${figure(worst)} times as many items as single ones`);
    }
  },
};

type Measured = {
  readonly path: string;
  readonly single: readonly Round[];
  readonly bulk: readonly Round[];
  readonly ratios: readonly number[];
};

/** Processor time for each item. */
const costsOf = (turns: readonly Round[]): readonly number[] => [
  medianOf(turns, ({ apiMicroseconds }) => apiMicroseconds),
  medianOf(turns, ({ postgresMicroseconds }) => postgresMicroseconds),
];

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

async function measure(
  context: BenchmarkContext,
  http: HttpClient,
  { path, token, ids, fields }: Kind,
): Promise<Measured> {
  const next = cycle(ids);
  const pushOne = () =>
    http.request('PATCH', `/api/v1/scent/offers/${next()}/${path}`, { body: fields(), token });
  const pushMany = () => {
    const items = Array.from({ length: itemsPerCall }, () => ({ offerId: next(), ...fields() }));
    return http.request('PATCH', `/api/v1/scent/offers/${path}`, { body: { items }, token });
  };
  // The round that warms the processes up also stages the first price of each offer.
  const [single = [], bulk = []] = await measureRounds(context, atOnce, [
    { name: 'single', work: pushOne },
    { name: 'bulk', work: pushMany, operations: itemsPerCall },
  ]);
  return { path, single, bulk, ratios: ratiosTo(single, bulk) };
}
