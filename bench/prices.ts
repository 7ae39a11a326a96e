import { changeOffer } from '../api/offers/change-offer.ts';
import { pushPrice } from '../domain/offers/edit-offer.ts';
import { seedVariant } from '../test/support/seeds/seed.ts';
import type { Benchmark, BenchmarkContext } from './harness/benchmark.ts';
import { compare, type Candidate } from './harness/measures/compare.ts';
import { counter, cycle } from './harness/measures/cycle.ts';
import { connectionsMax, createHttpClient, type HttpClient } from './harness/http-client.ts';
import { explainStatements } from './harness/postgres/plans.ts';
import { offerIds, seedBenchVendor, seedOffers, settle } from './harness/seed.ts';

const offersMax = 10_000;

/** Cost push and PATCH: read, decided, stored if nothing else has changed it meanwhile. */
export const prices: Benchmark = {
  name: 'prices',
  title: 'Cost push and PATCH',
  run: async (context) => {
    const { sql, api, print } = context;
    const variantId = await seedVariant(sql);
    const [live, inReview] = [await seedBenchVendor(sql), await seedBenchVendor(sql)];
    await seedOffers(context, { vendorId: live, variantId, count: offersMax });
    await seedOffers(context, {
      vendorId: inReview,
      variantId,
      count: offersMax,
      mix: { PendingReview: 100 },
    });
    await settle(context);
    const http = createHttpClient(api.url);
    print(`Over HTTP, ${connectionsMax} connections, ${offersMax} offers of each kind:`);
    const candidates = [
      { name: 'GET /ready (`select 1`)', work: () => http.request('GET', '/ready') },
      ...candidatesOf(http, api.vendorToken(live), await offerIds(sql, live, offersMax), 'live'),
      ...candidatesOf(
        http,
        api.vendorToken(inReview),
        await offerIds(sql, inReview, offersMax),
        'in review',
      ),
    ];
    print(await compare(context, connectionsMax, candidates));
    await http.close();
    await explain(context, live);
  },
};

const amounts = counter();
/** An amount in SAR that is not the one before. */
const nextCost = (): number => (10_000 + (amounts() % 900_000_000)) / 100;

function candidatesOf(
  http: HttpClient,
  token: string,
  ids: readonly string[],
  what: 'live' | 'in review',
): readonly Candidate[] {
  const next = cycle(ids);
  const [hot = ''] = ids;
  const push = (id: string, cost: number) =>
    http.request('PATCH', `/api/v1/scent/offers/${id}/cost`, {
      body: { cost, costIsVatInclusive: false },
      token,
    });
  const patch = (body: object) =>
    http.request('PATCH', `/api/v1/scent/offers/${next()}`, { body, token });
  return what === 'live'
    ? [
        { name: 'cost push on live offers: staged', work: () => push(next(), nextCost()) },
        { name: 'the same cost again', work: () => push(hot, 321.5) },
        { name: 'cost push, all on one offer', work: () => push(hot, nextCost()) },
      ]
    : [
        {
          name: 'PATCH of a description, in review',
          work: () => patch({ rawDescription: `No. ${amounts()}` }),
        },
        { name: 'PATCH of nothing', work: () => patch({}) },
      ];
}

async function explain(context: BenchmarkContext, vendorId: string): Promise<void> {
  const { sql } = context;
  const [offerId = ''] = await offerIds(sql, vendorId, 1);
  const settings = { vatRateBasisPoints: 1500, now: new Date() };
  const declared = { amountHalalas: 777, isVatInclusive: false };
  await explainStatements(context, sql, () =>
    changeOffer(sql, { vendorId, offerId }, (offer) =>
      pushPrice(offer, { field: 'cost', declared }, settings),
    ),
  );
}
