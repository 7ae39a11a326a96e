import { afterAll, beforeAll, expect, test } from 'vitest';
import { freeFormOffer, type TestVendor } from './actors.ts';
import { newBench, type Bench } from './offer-bench.ts';
import { call, itemsOf, refusal, startGateway, unknownId, type Gateway } from './support.ts';
import { walkRoutes, type WalkedRoute } from './walk.ts';

let gateway: Gateway;
let ownersBench: Bench;
let owner: TestVendor;
let stranger: TestVendor;
/** Everything that the owner has, by the kind of thing that a path's id names. */
let subscriptionId: string;
/** One that sells, and one that is still a draft: each has moves that the other has not. */
let offerIds: readonly string[];

beforeAll(async () => {
  gateway = await startGateway();
  ownersBench = await newBench(gateway);
  ({ vendor: owner } = ownersBench);
  ({ vendor: stranger } = await newBench(gateway));
  offerIds = [
    await ownersBench.offerIn('Approved', { said: { vendorSku: 'owned', vendorExternalId: 'owned' } }),
    await ownersBench.offerIn('Draft'),
  ];
  const made = await call(gateway, 'POST', '/api/v1/webhooks', {
    token: owner.token,
    body: { url: 'https://owner.example.org/', eventTypes: ['vendor.order.assigned'] },
  });
  subscriptionId = (made.payload as { subscription: { id: string } }).subscription.id;
});
afterAll(() => gateway.close());

const listedIds = async ({ token }: TestVendor) =>
  itemsOf(await call(gateway, 'GET', '/api/v1/webhooks', { token })).map(({ id }) => id);

/** Every row of the owner's, as text. */
const everything = () => gateway.sql`
  select (select string_agg(o::text, ',' order by id) from offers o where vendor_id = ${owner.vendorId}) as offers,
    (select string_agg(s::text, ',' order by id) from supply_options s where vendor_id = ${owner.vendorId}) as supply,
    (select string_agg(h::text, ',' order by id) from offer_status_changes h where offer_id = any(${[...offerIds]}))
      as history,
    (select string_agg(m::text, ',' order by id) from outbox m where subject_id = any(${[...offerIds]})) as messages,
    (select string_agg(s::text, ',' order by id) from webhook_subscriptions s where vendor_id = ${owner.vendorId})
      as subscriptions`;

const nameOf = ({ method, path }: WalkedRoute) => `${method} ${path}`;
const isOffers = ({ path }: WalkedRoute) => path.startsWith('/api/v1/scent/offers/{');

/** Every vendor route, with an id of the owner's in each path: of whatever kind the path asks for, and of the other kind. */
async function routesToOwner(): Promise<readonly WalkedRoute[]> {
  const walks = await Promise.all([subscriptionId, ...offerIds].map((id) => walkRoutes(gateway, id)));
  return walks.flat().filter(({ isOperators, needsToken }) => needsToken && !isOperators);
}

test("by no vendor route does a stranger reach the owner's things, or change them", async () => {
  const before = await everything();
  for (const route of await routesToOwner()) {
    const { method, url, body, hasId } = route;
    const answer = await call(gateway, method, url, { token: stranger.token, body });
    for (const secret of [owner.vendorId, 'owner.example.org', 'owned']) {
      expect(answer.text, nameOf(route)).not.toContain(secret);
    }
    if (hasId) expect(answer.status, nameOf(route)).toBe(404);
  }
  expect(await everything()).toEqual(before);
});

test("another vendor's resource and one that does not exist cannot be told apart", async () => {
  const unknown = subscriptionId.replaceAll(/\d/g, '0');
  for (const path of ['', '/deliveries']) {
    const foreign = await call(gateway, 'GET', `/api/v1/webhooks/${subscriptionId}${path}`, stranger);
    const missing = await call(gateway, 'GET', `/api/v1/webhooks/${unknown}${path}`, stranger);
    expect(foreign).toMatchObject(refusal('NOT_FOUND_VENDOR_WEBHOOK_SUBSCRIPTION'));
    expect(foreign.text).toBe(missing.text);
  }
});

test("on every offer route another vendor's offer and one that does not exist cannot be told apart, whatever the body", async () => {
  const routes = (await walkRoutes(gateway, '{id}')).filter(isOffers);
  expect(routes.length).toBeGreaterThanOrEqual(7);
  const { token } = stranger;
  for (const { method, url, path, body } of routes) {
    // What the walk sends, and what is refused for its shape.
    for (const sent of body === undefined
      ? [undefined]
      : [body, { ...body, vendorId: owner.vendorId }, '{']) {
      const ask = async (id: string) => {
        const answer = await call(gateway, method, url.replace('{id}', id), { token, body: sent });
        const { 'x-request-id': _, date: __, ...headers } = answer.headers;
        return { status: answer.status, headers, text: answer.text };
      };
      const missing = await ask(unknownId());
      if (sent === body) expect(missing, path).toMatchObject({ status: 404 });
      for (const id of offerIds) expect(await ask(id), `${method} ${path}`).toEqual(missing);
    }
  }
});

test("a stranger's lists hold nothing of the owner's, the owner's do", async () => {
  expect(await listedIds(stranger)).not.toContain(subscriptionId);
  expect(await listedIds(owner)).toEqual([subscriptionId]);
});

test("a stranger's list of offers holds nothing of the owner's, whatever it filters by; the owner's does", async () => {
  const list = async (token: string, query: string) =>
    itemsOf(await call(gateway, 'GET', `/api/v1/scent/offers${query}`, { token })).map(({ id }) => id);
  const filters = [
    'vendorSku=owned',
    'vendorExternalId=owned',
    'changedSince=2000-01-01T00:00:00Z',
    'include=history',
  ];
  const fresh = await newBench(gateway);
  for (const query of ['', ...filters.map((filter) => `?${filter}`)]) {
    const [own, theirs] = [await list(owner.token, query), await list(stranger.token, query)];
    expect(await list(fresh.vendor.token, query)).toEqual([]);
    expect(own.length).toBeGreaterThan(0);
    expect(theirs.filter((id) => own.includes(id))).toEqual([]);
  }
});

test("the owner's key is the stranger's own key", async () => {
  const body = { ...freeFormOffer, vendorExternalId: 'owned' };
  const answer = await call(gateway, 'POST', '/api/v1/scent/offers', { token: stranger.token, body });
  expect(answer).toMatchObject({ status: 201, payload: { vendorId: stranger.vendorId } });
});

// Last, for it changes what the owner has.
test('the walk does reach: with her own token the owner gets an answer to every one of these routes', async () => {
  const reached = new Set<string>();
  const routes = await routesToOwner();
  for (const route of routes) {
    const { method, url, body } = route;
    const answer = await call(gateway, method, url, { token: owner.token, body });
    if (answer.status !== 404) reached.add(nameOf(route));
  }
  expect([...reached].toSorted()).toEqual([...new Set(routes.map(nameOf))].toSorted());
});
