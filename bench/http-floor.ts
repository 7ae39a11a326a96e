import { loadavg } from 'node:os';
import { seedVariant } from '../test/support/seeds/seed.ts';
import type { Benchmark, BenchmarkContext } from './harness/benchmark.ts';
import { connectionsMax, createHttpClient, type HttpClient } from './harness/http-client.ts';
import { compare } from './harness/measures/compare.ts';
import { counter, cycle } from './harness/measures/cycle.ts';
import { offerIds, seedBenchVendor, seedOffers, settle } from './harness/seed.ts';

const offersMax = 10_000;

type Send = (http: HttpClient, path: string) => Promise<unknown>;
type Operation = {
  readonly name: string;
  /** The name of the bare server's answer. */
  readonly answer: string;
  readonly paths: () => { readonly floor: string; readonly api: string };
  readonly send: Send;
};

/** Each call beside a bare Fastify handler with one statement that answers the same bytes. */
export const httpFloor: Benchmark = {
  name: 'http-floor',
  title: 'Calls beside a bare Fastify handler',
  run: async (context) => {
    const { api, print } = context;
    const vendorId = await seedBenchVendor(context.sql);
    const variantId = await seedVariant(context.sql);
    await seedOffers(context, { vendorId, variantId, count: offersMax });
    await stageCosts(context, vendorId);
    await settle(context);
    const ids = await offerIds(context.sql, vendorId, offersMax);
    const floor = await context.startFloor();
    const [ofFloor, ofApi] = [createHttpClient(floor.url), createHttpClient(api.url)];
    print(`${connectionsMax} connections, ${offersMax} live offers:`);
    for (const operation of operationsOf({ vendorId, ids, token: api.vendorToken(vendorId) })) {
      const { name, answer, paths, send } = operation;
      const body = await send(ofApi, paths().api);
      await ofFloor.request('POST', `/answers/${answer}`, { text: JSON.stringify(body) });
      const candidates = [
        { name: `${name}: bare`, pid: floor.pid, work: () => send(ofFloor, paths().floor) },
        { name: `${name}: gateway`, work: () => send(ofApi, paths().api) },
      ];
      print(await compare(context, connectionsMax, candidates));
      print(`Load ${(loadavg()[0] ?? 0).toFixed(1)} after it.`);
    }
    await Promise.all([ofFloor.close(), ofApi.close()]);
    await floor.stop();
  },
};

/** A staged cost on each offer, so that each push replaces one: the usual case. */
const stageCosts = ({ patientSql: sql }: BenchmarkContext, vendorId: string) => sql`
  update offers set pending_cost_net = 1, pending_cost_vat = 0,
    pending_cost_entered_vat_inclusive = false, awaiting_since = now()
  where vendor_id = ${vendorId}`;

function operationsOf({
  vendorId,
  ids,
  token,
}: {
  readonly vendorId: string;
  readonly ids: readonly string[];
  readonly token: string;
}): readonly Operation[] {
  const next = cycle(ids);
  const number = counter();
  const ofOffer = (more = '') => {
    const id = next();
    return { floor: `/offers/${id}${more}`, api: `/api/v1/scent/offers/${id}${more}` };
  };
  const send =
    (method: 'GET' | 'POST' | 'PATCH', bodyOf?: () => object): Send =>
    (http, path) =>
      http.request(method, path, { token, ...(bodyOf === undefined ? {} : { body: bodyOf() }) });
  const stock = () => ({ declaredInStock: true, declaredStockQuantity: 1 + (number() % 999_999) });
  const cost = () => ({ cost: (10_000 + (number() % 900_000)) / 100, costIsVatInclusive: false });
  const created = () => ({
    vendorExternalId: `new-${number()}`,
    vendorSku: `SKU-${number()}`,
    rawBrandName: 'Maison Dahab',
    rawProductName: 'Oud 50',
    cost: 100,
    costIsVatInclusive: true,
    declaredStockQuantity: 12,
  });
  const listPaths = () => ({ floor: `/vendors/${vendorId}/offers`, api: '/api/v1/scent/offers' });
  const createPaths = () => ({ floor: `/vendors/${vendorId}/offers`, api: '/api/v1/scent/offers' });
  return [
    { name: 'GET offer', answer: 'read', paths: () => ofOffer(), send: send('GET') },
    { name: 'page of 20 offers', answer: 'page', paths: listPaths, send: send('GET') },
    {
      name: 'stock push',
      answer: 'stock',
      paths: () => ofOffer('/stock'),
      send: send('PATCH', stock),
    },
    { name: 'cost push', answer: 'cost', paths: () => ofOffer('/cost'), send: send('PATCH', cost) },
    { name: 'create offer', answer: 'create', paths: createPaths, send: send('POST', created) },
  ];
}
