import { expect } from 'vitest';
import {
  freeFormOffer,
  newOperator,
  newVariant,
  newVendor,
  tokenWith,
} from '../support/api/actors.ts';
import { ladderOf, newGround, type Ground, type Last } from '../support/api/check-ladder.ts';
import {
  call,
  fieldErrorsOf,
  textOf,
  unknownId,
  type Call,
  type Gateway,
} from '../support/api/api.ts';
import { walkRoutes, type WalkedRoute } from '../support/api/walk.ts';
import { refusedForLastAdmin, stateless, wrongStates } from '../support/api/wrong-states.ts';
import { gatewayTest } from '../support/gateway/gateway-test.ts';
/** D2: each step mends the first fault of the step before, and the next one shows. */

const test = gatewayTest
  .extend('ground', { scope: 'file' }, ({ gateway }) => newGround(gateway))
  .extend('states', { scope: 'file' }, ({ gateway }) => wrongStates(gateway));

test.afterAll(async ({ ground }) => {
  await ground.exhausted.app.close();
});

const text = { 'content-type': 'text/plain' };
const gzip = { 'content-encoding': 'gzip' };
const nameOf = ({ method, path }: WalkedRoute) => `${method} ${path}`;

/**
 * Climbs a route's ladder: of each request the answer is that of its first fault. Answers the last
 * one.
 */
async function climb(gateway: Gateway, ground: Ground, route: WalkedRoute, last: Last | null) {
  const rungs = ladderOf(route, ground, last);
  for (const { fault, ask, codes } of rungs) {
    const { app, method, url, ...given } = ask;
    const { state } = await call(app, method, url, given);
    expect(codes, `${nameOf(route)}, ${fault}: ${state}`).toContain(state);
  }
  const { app, method, url, ...given } = rungs.at(-1)?.ask ?? {
    app: gateway,
    method: 'GET',
    url: '/',
    headers: {},
  };
  return { rungs: rungs.map(({ fault }) => fault), answer: await call(app, method, url, given) };
}

/** The code that tells that a path's resource is not there, by what the path is about. */
function notFoundFor({ path }: WalkedRoute): Last['code'] {
  if (path.includes('/webhook-deliveries')) return 'NOT_FOUND_VENDOR_WEBHOOK_DELIVERY';
  if (path.includes('/webhooks')) return 'NOT_FOUND_VENDOR_WEBHOOK_SUBSCRIPTION';
  if (path.includes('/credentials/')) return 'NOT_FOUND_VENDOR_CREDENTIAL';
  if (path.startsWith('/operator/v1/orders/')) return 'NOT_FOUND_ORDER';
  if (path.includes('/orders/') || path.includes('/groups/')) return 'NOT_FOUND_FULFILMENT_GROUP';
  if (path.includes('/returns/')) return 'NOT_FOUND_RETURN_REQUEST';
  if (path.includes('/variants/')) return 'NOT_FOUND_VARIANT';
  if (path.includes('/operators/')) return 'NOT_FOUND_OPERATOR';
  if (path.includes('jobs/')) return 'NOT_FOUND_BULK_JOB';
  return path.includes('/vendors/') ? 'NOT_FOUND_VENDOR' : 'NOT_FOUND_VENDOR_OFFER';
}

test('every route: route, token, side, right, rate, media type, body and query, 404', async ({
  gateway,
  ground,
}) => {
  const routes = (await walkRoutes(gateway, unknownId())).filter(({ needsToken }) => needsToken);
  expect(routes.length).toBeGreaterThan(70);
  for (const route of routes) {
    const { rungs } = await climb(
      gateway,
      ground,
      route,
      route.hasId ? { code: notFoundFor(route) } : null,
    );
    // Those of every route, and the last one: no ladder is shorter than that.
    const always = [
      'no route',
      'no token',
      'invalid token',
      'expired token',
      'other side',
      'rate',
      'query',
    ];
    expect(rungs, nameOf(route)).toEqual(expect.arrayContaining(always));
    expect(rungs.includes('no right'), nameOf(route)).toBe(
      !['GET /api/v1/credentials', 'GET /api/v1/event-types'].includes(nameOf(route)),
    );
    expect(rungs.includes('media type'), nameOf(route)).toBe(route.method !== 'GET');
    expect(rungs.includes('what it is about'), nameOf(route)).toBe(route.hasId);
  }
});

test('every route that a state can refuse checks the state or rule last', async ({
  gateway,
  ground,
  states,
}) => {
  for (const { route: name, id = unknownId(), field, ...last } of states) {
    const route = (await walkRoutes(gateway, id)).find((each) => nameOf(each) === name);
    if (route === undefined) throw new Error(`no route ${name}`);
    const { answer } = await climb(gateway, ground, route, last);
    if (field !== undefined) expect(fieldErrorsOf(answer), name).toEqual([`${field} required`]);
  }
});

test('states for each changing route whether a state can refuse it', async ({
  gateway,
  states,
}) => {
  const routes = await walkRoutes(gateway, unknownId());
  const changing = routes
    .filter(({ method, needsToken }) => needsToken && method !== 'GET')
    .map(nameOf);
  const stated = [...states.map(({ route }) => route), ...stateless, refusedForLastAdmin];
  expect(stated.toSorted()).toEqual(changing.toSorted());
});

test('the token routes: address rate first, then media type, body and query, secret', async ({
  gateway,
  ground,
}) => {
  const routes = (await walkRoutes(gateway, unknownId())).filter(({ needsToken }) => !needsToken);
  expect(routes).toHaveLength(2);
  for (const route of routes) {
    const { rungs } = await climb(gateway, ground, route, {
      code: 'UNAUTHORIZED_INVALID_CREDENTIALS',
    });
    expect(rungs).toEqual([
      'no route',
      'rate',
      'media type',
      'malformed body',
      'body',
      'query',
      'body, header and query',
      'what it is about',
    ]);
  }
});

test('the rate limit precedes the checks of body, query, secret and vendor', async ({
  gateway,
}) => {
  const url = '/api/v1/auth/token';
  const { clientId, clientSecret } = await newVendor(gateway, { isActive: false });
  const ask = (body: unknown, query = '') => call(gateway, 'POST', url + query, { body });
  for (let calls = 0; calls < 10; calls += 1) {
    expect((await ask({ clientId, clientSecret })).state).toBe('UNAUTHORIZED_VENDOR_INACTIVE');
  }
  for (const body of [
    { clientId, extra: 1 },
    { clientId, clientSecret: 'wrong' },
    { clientId, clientSecret },
  ]) {
    for (const query of ['?unexpected=1', '']) {
      expect((await ask(body, query)).state).toBe('TOO_MANY_REQUESTS');
    }
  }
  expect((await ask({ clientId: 'vc_another', clientSecret, extra: 1 })).state).toBe(
    'VALIDATION_ERRORS',
  );
});

test('create-offer: route, token, capability, media type, body, query, variant, agreement', async ({
  gateway,
}) => {
  const vendor = await newVendor(gateway);
  const stock = tokenWith(gateway, vendor, ['Stock']);
  const { token } = vendor;
  const { id: variantId } = await newVariant(gateway);
  const priced = { ...freeFormOffer, salePrice: 5, salePriceIsVatInclusive: true };
  const url = '/api/v1/scent/offers';
  const steps: readonly (readonly [string, Call, string])[] = [
    ['/api/v1/scent/offer', { body: '{', headers: text }, 'NOT_FOUND_ROUTE'],
    [url, { body: '{', headers: text }, 'UNAUTHORIZED_MISSING_TOKEN'],
    [url, { token: 'x', body: '{', headers: text }, 'UNAUTHORIZED_INVALID_TOKEN'],
    [url, { token: stock, body: '{', headers: text }, 'FORBIDDEN_CAPABILITY_NOT_GRANTED'],
    [url, { token: stock, body: '{', headers: gzip }, 'FORBIDDEN_CAPABILITY_NOT_GRANTED'],
    [url, { token, body: '{', headers: text }, 'UNSUPPORTED_MEDIA_TYPE'],
    [`${url}?x=1`, { token, body: '{', headers: gzip }, 'UNSUPPORTED_MEDIA_TYPE'],
    [url, { token, body: '{' }, 'VALIDATION_ERRORS'],
    [url, { token, body: { ...priced, cost: 'x', variantId: unknownId() } }, 'VALIDATION_ERRORS'],
    [
      `${url}?x=1`,
      { token, body: { ...priced, variantId: unknownId() } },
      'VALIDATION_UNKNOWN_QUERY_PARAMETER',
    ],
    [url, { token, body: { ...priced, variantId: unknownId() } }, 'VALIDATION_ERRORS'],
    [
      url,
      { token, body: { ...priced, variantId } },
      'BUSINESS_OFFER_PRICE_FIELD_NOT_FOR_AGREEMENT',
    ],
    [url, { token, body: { ...freeFormOffer, variantId } }, 'SUCCESS'],
  ];
  for (const [at, given, state] of steps) {
    expect((await call(gateway, 'POST', at, given)).state).toBe(state);
  }
});

test('approve: token, side, role, media type, body, offer, version, state', async ({ gateway }) => {
  const { token: vendor } = await newVendor(gateway);
  const { token: operations } = await newOperator(gateway, ['Operations']);
  const { token } = await newOperator(gateway, ['Reviewer']);
  const body = { ...freeFormOffer, saveAsDraft: true };
  const draft = textOf(
    await call(gateway, 'POST', '/api/v1/scent/offers', { token: vendor, body }),
    'id',
  );
  const unknown = `/operator/v1/offers/${unknownId()}/approve`;
  const url = `/operator/v1/offers/${draft}/approve`;
  const steps: readonly (readonly [string, Call, string])[] = [
    [unknown, { body: '{', headers: text }, 'UNAUTHORIZED_MISSING_TOKEN'],
    [unknown, { token: vendor, body: '{', headers: text }, 'FORBIDDEN'],
    [unknown, { token: operations, body: '{', headers: text }, 'FORBIDDEN'],
    [unknown, { token, body: '{', headers: text }, 'UNSUPPORTED_MEDIA_TYPE'],
    [unknown, { token, body: { variantId: 'x', expectedVersion: 2 } }, 'VALIDATION_ERRORS'],
    [unknown, { token, body: { expectedVersion: 2 } }, 'NOT_FOUND_VENDOR_OFFER'],
    [url, { token, body: { expectedVersion: 2 } }, 'CONFLICT_VERSION'],
    [url, { token, body: { expectedVersion: 1 } }, 'BUSINESS_OFFER_INVALID_TRANSITION'],
  ];
  for (const [at, given, state] of steps) {
    expect((await call(gateway, 'POST', at, given)).state).toBe(state);
  }
});
