import { storeStock } from '../db/offers/pushes/store-stock.ts';
import { seedVariant } from '../test/support/seeds/seed.ts';
import type { Benchmark, BenchmarkContext } from './harness/benchmark.ts';
import { compare } from './harness/measures/compare.ts';
import { counter, cycle } from './harness/measures/cycle.ts';
import { connectionsMax, createHttpClient } from './harness/http-client.ts';
import { explainStatements } from './harness/postgres/plans.ts';
import {
  offersOfVendor,
  seedOwnedOffers,
  settingsText,
  type OwnedOffer,
} from './harness/seed-vendors.ts';
import { seededQuantity, settle } from './harness/seed.ts';

/**
 * The busiest call: what it costs beside an answer that does nothing, and beside the least that
 * Postgres can do.
 */
export const stock: Benchmark = {
  name: 'stock',
  title: 'Stock push',
  run: async (context) => {
    const variantId = await seedVariant(context.sql);
    const offers = await seedOwnedOffers(context, { variantId });
    await settle(context);
    const load: Load = { ...halvesOf(offers), quantity: counter() };
    await overHttp(context, load);
    await overPool(context, load);
    const stored = stockOf(load.hot, load.quantity());
    await explainStatements(context, context.sql, () => storeStock(context.sql, stored));
  },
};

type Load = {
  /** The next of the offers that change. */
  readonly next: () => OwnedOffer;
  /** The next of the offers whose stock stays what it is. */
  readonly nextSettled: () => OwnedOffer;
  /** The offer that all calls change. */
  readonly hot: OwnedOffer;
  readonly quantity: () => number;
};

function halvesOf(offers: readonly OwnedOffer[]): Omit<Load, 'quantity'> {
  const next = cycle(offers.slice(0, offers.length / 2));
  return { next, nextSettled: cycle(offers.slice(offers.length / 2)), hot: next() };
}

const stockOf = ({ vendorId, offerId }: OwnedOffer, declaredStockQuantity: number) => ({
  vendorId,
  offerId,
  declaredInStock: true,
  declaredStockQuantity,
});

async function overHttp(
  context: BenchmarkContext,
  { next, nextSettled, hot, quantity }: Load,
): Promise<void> {
  const { api, print } = context;
  const http = createHttpClient(api.url);
  const read = ({ offerId, token }: OwnedOffer) =>
    http.request('GET', `/api/v1/scent/offers/${offerId}`, { token });
  const push = ({ offerId, token }: OwnedOffer, declaredStockQuantity: number) =>
    http.request('PATCH', `/api/v1/scent/offers/${offerId}/stock`, {
      body: { declaredInStock: true, declaredStockQuantity },
      token,
    });
  print(`Over HTTP, ${settingsText(` with ${offersOfVendor} live offers each`)}`);
  print(
    await compare(context, connectionsMax, [
      { name: 'GET /health', work: () => http.request('GET', '/health') },
      { name: 'GET an offer', work: () => read(next()) },
      { name: 'stock push', work: () => push(next(), quantity() % 1_000_000) },
      { name: 'stock push, the same again', work: () => push(nextSettled(), seededQuantity) },
      { name: 'stock push, all on one offer', work: () => push(hot, quantity() % 1_000_000) },
    ]),
  );
  await http.close();
}

async function overPool(
  context: BenchmarkContext,
  { next, nextSettled, hot, quantity }: Load,
): Promise<void> {
  const { sql, print } = context;
  const push = (offer: OwnedOffer, stock: number) => storeStock(sql, stockOf(offer, stock));
  print('The statement alone, 10 connections:');
  print(
    await compare(context, connectionsMax, [
      {
        name: 'bare `update … where id`',
        work: () => sql`
          update offers set declared_stock_quantity = ${quantity()}
          where id = ${next().offerId}`,
      },
      { name: 'storeStock', work: () => push(next(), quantity()) },
      { name: 'storeStock, the same again', work: () => push(nextSettled(), seededQuantity) },
      { name: 'storeStock, all on one offer', work: () => push(hot, quantity()) },
    ]),
  );
}
