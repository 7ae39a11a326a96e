import { afterAll, beforeAll, expect, test } from 'vitest';
import { freeFormOffer, newVendor, type TestVendor } from './actors.ts';
import { call, itemsOf, refusal, startGateway, type Gateway } from './support.ts';
import { walkRoutes } from './walk.ts';

let gateway: Gateway;
let owner: TestVendor;
let stranger: TestVendor;
/** Everything that the owner has, by the kind of thing that a path's id names. */
let subscriptionId: string;

beforeAll(async () => {
  gateway = await startGateway();
  [owner, stranger] = [await newVendor(gateway), await newVendor(gateway)];
  const body = { ...freeFormOffer, vendorExternalId: 'owned' };
  await call(gateway, 'POST', '/api/v1/scent/offers', { token: owner.token, body });
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
  select (select string_agg(offers::text, ',' order by id) from offers where vendor_id = ${owner.vendorId}) as offers,
    (select string_agg(s::text, ',' order by id) from webhook_subscriptions s where vendor_id = ${owner.vendorId})
      as subscriptions`;

test("by no vendor route does a stranger reach the owner's things, or change them", async () => {
  const before = await everything();
  const routes = await walkRoutes(gateway, subscriptionId);
  for (const { method, url, path, body, isOperators, needsToken, hasId } of routes) {
    if (isOperators || !needsToken) continue;
    const answer = await call(gateway, method, url, { token: stranger.token, body });
    expect(answer.text, `${method} ${path}`).not.toContain(owner.vendorId);
    expect(answer.text, `${method} ${path}`).not.toContain('owner.example.org');
    if (hasId) expect(answer.status, `${method} ${path}`).toBe(404);
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

test("a stranger's lists hold nothing of the owner's, the owner's do", async () => {
  expect(await listedIds(stranger)).not.toContain(subscriptionId);
  expect(await listedIds(owner)).toEqual([subscriptionId]);
});

test("the owner's key is the stranger's own key", async () => {
  const body = { ...freeFormOffer, vendorExternalId: 'owned' };
  const answer = await call(gateway, 'POST', '/api/v1/scent/offers', { token: stranger.token, body });
  expect(answer).toMatchObject({ status: 201, payload: { vendorId: stranger.vendorId } });
});
