import { storeStock } from '../db/offers/pushes/store-stock.ts';
import { seedVariant } from '../test/support/seeds/seed.ts';
import type { Benchmark, BenchmarkContext } from './harness/benchmark.ts';
import { compare } from './harness/measures/compare.ts';
import { counter, cycle } from './harness/measures/cycle.ts';
import { connectionsMax, createHttpClient } from './harness/http-client.ts';
import { explainStatements } from './harness/postgres/plans.ts';
import { offerIds, seedBenchVendor, seededQuantity, seedOffers, settle } from './harness/seed.ts';

const offersMax = 10_000;

/**
 * The busiest call: what it costs beside an answer that does nothing, and beside the least that
 * Postgres can do.
 */
export const stock: Benchmark = {
  name: 'stock',
  title: 'Stock push',
  run: async (context) => {
    const vendorId = await seedBenchVendor(context.sql);
    const variantId = await seedVariant(context.sql);
    await seedOffers(context, { vendorId, variantId, count: offersMax });
    await settle(context);
    const ids = await offerIds(context.sql, vendorId, offersMax);
    const quantity = counter();
    await overHttp(context, vendorId, ids, quantity);
    await overPool(context, vendorId, ids, quantity);
    const [offerId = ''] = ids;
    const stored = { vendorId, offerId, declaredInStock: true, declaredStockQuantity: quantity() };
    await explainStatements(context, context.sql, () => storeStock(context.sql, stored));
  },
};

type Ids = readonly string[];

/** Offers that change, and offers whose stock stays what it is. */
const halves = (ids: Ids): readonly [() => string, () => string] => [
  cycle(ids.slice(0, ids.length / 2)),
  cycle(ids.slice(ids.length / 2)),
];

async function overHttp(
  context: BenchmarkContext,
  vendorId: string,
  ids: Ids,
  quantity: () => number,
) {
  const { api, print } = context;
  const http = createHttpClient(api.url);
  const token = api.vendorToken(vendorId);
  const [next, nextSettled] = halves(ids);
  const [hot = ''] = ids;
  const push = (id: string, declaredStockQuantity: number) =>
    http.request('PATCH', `/api/v1/scent/offers/${id}/stock`, {
      body: { declaredInStock: true, declaredStockQuantity },
      token,
    });
  print(`Over HTTP, ${connectionsMax} connections, ${ids.length} live offers:`);
  print(
    await compare(context, connectionsMax, [
      { name: 'GET /ready (`select 1`)', work: () => http.request('GET', '/ready') },
      { name: 'GET /health', work: () => http.request('GET', '/health') },
      {
        name: 'GET an offer',
        work: () => http.request('GET', `/api/v1/scent/offers/${next()}`, { token }),
      },
      { name: 'stock push', work: () => push(next(), quantity() % 1_000_000) },
      { name: 'stock push, the same again', work: () => push(nextSettled(), seededQuantity) },
      { name: 'stock push, all on one offer', work: () => push(hot, quantity() % 1_000_000) },
    ]),
  );
  await http.close();
}

async function overPool(
  context: BenchmarkContext,
  vendorId: string,
  ids: Ids,
  quantity: () => number,
) {
  const { sql, print } = context;
  const [next, nextSettled] = halves(ids);
  const [hot = ''] = ids;
  const push = (offerId: string, declaredStockQuantity: number) =>
    storeStock(sql, {
      vendorId,
      offerId,
      declaredInStock: true,
      declaredStockQuantity,
    });
  print('The statement alone, 10 connections:');
  print(
    await compare(context, connectionsMax, [
      {
        name: 'bare `update … where id`',
        work: () =>
          sql`update offers set declared_stock_quantity = ${quantity()} where id = ${next()}`,
      },
      {
        name: 'the same and `changed_at`, which is indexed',
        work: () => sql`
          update offers set declared_stock_quantity = ${quantity()}, changed_at = ${new Date()}
          where id = ${next()}`,
      },
      { name: 'storeStock', work: () => push(next(), quantity()) },
      { name: 'storeStock, the same again', work: () => push(nextSettled(), seededQuantity) },
      { name: 'storeStock, all on one offer', work: () => push(hot, quantity()) },
    ]),
  );
}
