import { loadavg } from 'node:os';
import { seedVariant } from '../test/support/seeds/seed.ts';
import type { Benchmark, BenchmarkContext } from './harness/benchmark.ts';
import { connectionsMax, createHttpClient, type HttpClient } from './harness/http-client.ts';
import { compare } from './harness/measures/compare.ts';
import { counter, cycle } from './harness/measures/cycle.ts';
import {
  offersOfVendor,
  seedOwnedOffers,
  settingsText,
  type OwnedOffer,
} from './harness/seed-vendors.ts';
import { settle } from './harness/seed.ts';

type Target = { readonly floor: string; readonly api: string; readonly token: string };
type Send = (http: HttpClient, path: string, token: string) => Promise<unknown>;
/** `body` is the name of the bare server's response. */
type Operation = readonly [name: string, body: string, target: () => Target, send: Send];

/** Each call beside a bare Fastify handler with one statement that returns the same bytes. */
export const httpFloor: Benchmark = {
  name: 'http-floor',
  title: 'Calls beside a bare Fastify handler',
  run: async (context) => {
    const { api, print } = context;
    const variantId = await seedVariant(context.sql);
    const offers = await seedOwnedOffers(context, { variantId });
    await stageCosts(context);
    await settle(context);
    const floor = await context.startFloor();
    const [ofFloor, ofApi] = [createHttpClient(floor.url), createHttpClient(api.url)];
    print(settingsText(` with ${offersOfVendor} live offers each`));
    for (const [name, bodyName, target, send] of operationsOf(offers)) {
      const sendTo = (http: HttpClient, server: 'floor' | 'api') => {
        const { token, [server]: path } = target();
        return send(http, path, token);
      };
      const body = await sendTo(ofApi, 'api');
      await ofFloor.request('POST', `/bodies/${bodyName}`, { text: JSON.stringify(body) });
      const candidates = [
        { name: `${name}: bare`, pid: floor.pid, work: () => sendTo(ofFloor, 'floor') },
        { name: `${name}: gateway`, work: () => sendTo(ofApi, 'api') },
      ];
      print(await compare(context, connectionsMax, candidates));
      print(`Load ${(loadavg()[0] ?? 0).toFixed(1)} after it.`);
    }
    await Promise.all([ofFloor.close(), ofApi.close()]);
    await floor.stop();
  },
};

/** A staged cost on each offer, so that each push replaces one: the usual case. */
const stageCosts = ({ patientSql: sql }: BenchmarkContext) => sql`
  update offers set pending_cost_net = 1, pending_cost_vat = 0,
    pending_cost_entered_vat_inclusive = false, awaiting_since = now()`;

const send =
  (method: 'GET' | 'POST' | 'PATCH', bodyOf?: () => object): Send =>
  (http, path, token) =>
    http.request(method, path, { token, ...(bodyOf === undefined ? {} : { body: bodyOf() }) });

function operationsOf(offers: readonly OwnedOffer[]): readonly Operation[] {
  const next = cycle(offers);
  const number = counter();
  const ofOffer = (more = ''): Target => {
    const { offerId, token } = next();
    const path = `/offers/${offerId}${more}`;
    return { floor: path, api: `/api/v1/scent${path}`, token };
  };
  const ofVendor = (): Target => {
    const { vendorId, token } = next();
    return { floor: `/vendors/${vendorId}/offers`, api: '/api/v1/scent/offers', token };
  };
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
  return [
    ['GET offer', 'read', () => ofOffer(), send('GET')],
    ['page of 20 offers', 'page', ofVendor, send('GET')],
    ['stock push', 'stock', () => ofOffer('/stock'), send('PATCH', stock)],
    ['cost push', 'cost', () => ofOffer('/cost'), send('PATCH', cost)],
    ['create offer', 'create', ofVendor, send('POST', created)],
  ];
}
