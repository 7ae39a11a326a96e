import { changeOffer } from '../api/offers/change-offer.ts';
import { pushPrice } from '../domain/offers/edit-offer.ts';
import { seedVariant } from '../test/support/seeds/seed.ts';
import type { Benchmark, BenchmarkContext } from './harness/benchmark.ts';
import { compare, type Candidate } from './harness/measures/compare.ts';
import { counter, cycle } from './harness/measures/cycle.ts';
import { connectionsMax, createHttpClient, type HttpClient } from './harness/http-client.ts';
import { explainStatements } from './harness/postgres/plans.ts';
import {
  offersOfVendor,
  seedOwnedOffers,
  settingsText,
  type OwnedOffer,
} from './harness/seed-vendors.ts';
import { settle } from './harness/seed.ts';

/** Cost push and PATCH: read, decided, stored if nothing else has changed it meanwhile. */
export const prices: Benchmark = {
  name: 'prices',
  title: 'Cost push and PATCH',
  run: async (context) => {
    const { sql, api, print } = context;
    const variantId = await seedVariant(sql);
    const live = await seedOwnedOffers(context, { variantId });
    const inReview = await seedOwnedOffers(context, { variantId, mix: { PendingReview: 100 } });
    await settle(context);
    const http = createHttpClient(api.url);
    const offers = ` with ${offersOfVendor} live offers each, and as many with offers in review`;
    print(`Over HTTP, ${settingsText(offers)}`);
    const candidates = [
      { name: 'GET /health', work: () => http.request('GET', '/health') },
      ...pushesOf(http, live),
      ...patchesOf(http, inReview),
    ];
    print(await compare(context, connectionsMax, candidates));
    await http.close();
    const [first] = live;
    if (first !== undefined) await explain(context, first);
  },
};

const amounts = counter();
/** An amount in SAR that is not the one before. */
const nextCost = (): number => (10_000 + (amounts() % 900_000_000)) / 100;

function pushesOf(http: HttpClient, live: readonly OwnedOffer[]): readonly Candidate[] {
  const next = cycle(live.slice(connectionsMax));
  const [hot] = live;
  if (hot === undefined) throw new Error('no offer');
  const nextSettled = cycle(live.slice(0, connectionsMax));
  const push = ({ offerId, token }: OwnedOffer, cost: number) =>
    http.request('PATCH', `/api/v1/scent/offers/${offerId}/cost`, {
      body: { cost, costIsVatInclusive: false },
      token,
    });
  return [
    { name: 'cost push on live offers: staged', work: () => push(next(), nextCost()) },
    { name: 'the same cost again', work: () => push(nextSettled(), 321.5) },
    { name: 'cost push, all on one offer', work: () => push(hot, nextCost()) },
  ];
}

function patchesOf(http: HttpClient, inReview: readonly OwnedOffer[]): readonly Candidate[] {
  const next = cycle(inReview);
  const patch = (body: object) => {
    const { offerId, token } = next();
    return http.request('PATCH', `/api/v1/scent/offers/${offerId}`, { body, token });
  };
  return [
    {
      name: 'PATCH of a description, in review',
      work: () => patch({ rawDescription: `No. ${amounts()}` }),
    },
    { name: 'PATCH of nothing', work: () => patch({}) },
  ];
}

async function explain(
  context: BenchmarkContext,
  { vendorId, offerId }: OwnedOffer,
): Promise<void> {
  const { sql } = context;
  const settings = { vatRateBasisPoints: 1500, now: new Date() };
  const declared = { amountHalalas: 777, isVatInclusive: false };
  await explainStatements(context, sql, () =>
    changeOffer(sql, { vendorId, offerId }, (offer) =>
      pushPrice(offer, { field: 'cost', declared }, settings),
    ),
  );
}
