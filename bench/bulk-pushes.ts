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
/**
 * A bulk call saves a token, a request and round trips, not the rule: some four fifths of the
 * processor time of a single push.
 */
const ratioMin = 5;

/** Bulk stock pushes beside single ones, with as many calls in progress. */
export const bulkPushes: Benchmark = {
  name: 'bulk-pushes',
  title: 'Bulk pushes',
  run: async (context) => {
    const { api, print, say } = context;
    const http = createHttpClient(api.url);
    say('stock');
    const { single, bulk, ratios } = await measure(context, http);
    await http.close();
    print(
      `Over HTTP, ${atOnce} calls in progress, ${itemsPerCall} items in a bulk call, ` +
        `${offersMax} live offers; each push changes its offer:`,
    );
    print(
      table(
        ['', 'single per s', 'bulk items per s', 'ratio', 'range'],
        [
          [
            'stock',
            ...[single, bulk].map((rounds) => medianOf(rounds, ({ perSecond }) => perSecond)),
            median(ratios),
            rangeOf(ratios),
          ],
        ],
      ),
    );
    print(
      table(
        ['', 'single API µs', 'DB µs', 'bulk API µs', 'DB µs'],
        [['stock', ...costsOf(single), ...costsOf(bulk)]],
      ),
    );
    const ratio = median(ratios);
    if (ratio < ratioMin)
      throw new Error(`bulk pushes store ${figure(ratio)} times as many items as single ones`);
  },
};

type Measured = {
  readonly single: readonly Round[];
  readonly bulk: readonly Round[];
  readonly ratios: readonly number[];
};

/** Processor time for each item. */
const costsOf = (turns: readonly Round[]): readonly number[] => [
  medianOf(turns, ({ apiMicroseconds }) => apiMicroseconds),
  medianOf(turns, ({ postgresMicroseconds }) => postgresMicroseconds),
];

const values = counter();
/** Each push changes its offer. */
const fields = () => ({
  declaredInStock: true,
  declaredStockQuantity: 1 + (values() % 999_999),
});

async function measure(context: BenchmarkContext, http: HttpClient): Promise<Measured> {
  const { sql, api } = context;
  const variantId = await seedVariant(sql);
  const vendorId = await seedBenchVendor(sql);
  await seedOffers(context, { vendorId, variantId, count: offersMax });
  await settle(context);
  const token = api.vendorToken(vendorId);
  const next = cycle(await offerIds(sql, vendorId, offersMax));
  const pushOne = () =>
    http.request('PATCH', `/api/v1/scent/offers/${next()}/stock`, { body: fields(), token });
  const pushMany = () => {
    const items = Array.from({ length: itemsPerCall }, () => ({ offerId: next(), ...fields() }));
    return http.request('PATCH', '/api/v1/scent/offers/stock', { body: { items }, token });
  };
  const [single = [], bulk = []] = await measureRounds(context, atOnce, [
    { name: 'single', work: pushOne },
    { name: 'bulk', work: pushMany, operations: itemsPerCall },
  ]);
  return { single, bulk, ratios: ratiosTo(single, bulk) };
}
