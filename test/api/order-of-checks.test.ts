import { expect } from 'vitest';
import {
  freeFormOffer,
  newVariant,
  newVendor,
  tokenWith,
  newOperator,
} from '../support/api/actors.ts';
import {
  call,
  fieldErrorsOf,
  unknownId,
  type ApiResponse,
  gatewayOver,
  type Gateway,
  type Method,
} from '../support/api/api.ts';
import { newOfferFixture } from './offers/offer-fixture.ts';
import { walkRoutes, type WalkedRoute } from '../support/api/walk.ts';
import { refusedForLastAdmin, stateless, wrongStates } from '../support/api/wrong-states.ts';
import { gatewayTest } from '../support/gateway/gateway-test.ts';
import type { Dependencies } from '../../api/dependencies.ts';
import { capabilities, type Capability } from '../../domain/accounts/capabilities.ts';
import type { ErrorCode } from '../../domain/errors.ts';
import { craftToken, goodClaims } from './auth/craft-token.ts';

/** One request: how it is sent, and which gateway gets it. */
type Ask = {
  readonly app: Pick<Gateway, 'app'>;
  readonly method: Method;
  readonly url: string;
  readonly token?: string | undefined;
  readonly body?: unknown;
  readonly headers: Readonly<Record<string, string>>;
};
/** A request whose first fault is this one, and the codes that may report it. */
type Rung = {
  readonly fault: string;
  readonly ask: Ask;
  readonly codes: readonly ErrorCode[];
};

const exceeded: Dependencies['callsPerVendor'] = () => ({
  limit: 1,
  remaining: 0,
  resetSeconds: 60,
  isExceeded: true,
});

/**
 * What a vendor's token needs for a route, any one of them, the first being the one that a refusal
 * names: the specification's part 5, and D15, D55 and D68 for the routes that it does not show.
 * None for the operators' routes and those without a token.
 */
function capabilityFor({
  method,
  path,
  isOperators,
  needsToken,
}: WalkedRoute): readonly Capability[] {
  if (isOperators || !needsToken) return [];
  if (path === '/api/v1/credentials' && method === 'GET') return [];
  if (path.startsWith('/api/v1/credentials') || path === '/api/v1/vendor/profile')
    return ['Account'];
  if (path === '/api/v1/event-types') return [];
  if (path === '/api/v1/events') return ['Offers', 'Orders'];
  if (path === '/api/v1/upcoming') return ['Orders', 'Account'];
  if (path === '/api/v1/scent/variants') return ['Offers'];
  if (path.startsWith('/api/v1/scent/jobs')) return ['Offers', 'Stock', 'Cost'];
  if (!path.startsWith('/api/v1/scent/offers')) return ['Orders'];
  if (method === 'GET') return ['Offers', 'Stock', 'Cost'];
  if (path.endsWith('/cost') || path.endsWith('/sale-price')) return ['Cost'];
  return path.endsWith('/stock') ? ['Stock'] : ['Offers'];
}

/**
 * Two gateways over one database, the limits of one of them exceeded by every caller; and who
 * calls.
 */
async function newGround(open: Gateway) {
  const vendor = await newVendor(open);
  const operator = await newOperator(open);
  const exhausted = await gatewayOver(open.sql, {
    ...open.dependencies,
    callsPerVendor: exceeded,
    pushesPerVendor: exceeded,
    bulkItemsPerVendor: exceeded,
    jobItemsPerVendor: exceeded,
    callsPerOperator: exceeded,
    tokenCallsPerAddress: exceeded,
  });
  const { id, operatorId } = operator;
  const { tokens } = open.dependencies;
  return {
    open,
    exhausted,
    vendorToken: vendor.token,
    operatorToken: operator.token,
    /**
     * A vendor's token with every capability but the ones that the route takes; an operator's
     * without any role.
     */
    lacking: (route: WalkedRoute): string | null => {
      if (route.isOperators)
        return tokens.issueOperatorToken({ id, operatorId, roles: [], tokenGeneration: 1 });
      const taken = capabilityFor(route);
      const others = capabilities.filter((capability) => !taken.includes(capability));
      return taken.length === 0 ? null : tokenWith(open, vendor, others);
    },
  };
}
type Ground = Awaited<ReturnType<typeof newGround>>;

/** What the request comes to at last, when nothing of its form is wrong any more. */
type Last = {
  readonly code: ErrorCode;
  readonly token?: string;
  readonly body?: WalkedRoute['body'];
};

/**
 * Requests to one route, each with one fault less than the one before, the first of D2 mended
 * first: all the later ones still apply. The last one has nothing wrong but what it is
 * about: a resource that there is not, or its state.
 */
function ladderOf(route: WalkedRoute, ground: Ground, last: Last | null): readonly Rung[] {
  const { method, url, isOperators, headers: asked } = route;
  // Whatever is no read takes a body, if only an empty one.
  const least = method === 'GET' ? undefined : {};
  const right = {
    token: last?.token ?? ownToken(ground, isOperators),
    body: last?.body ?? route.body ?? least,
  };
  const rungs: Rung[] = [];
  const wrongQuery = `${url}?unexpected=1`;
  let ask: Ask = {
    app: ground.exhausted,
    method,
    url: `${url}/nowhere/at/all?unexpected=1`,
    headers: { 'content-type': 'text/plain' },
    ...(right.body === undefined ? {} : { body: '{' }),
  };
  const rung = (fault: string, codes: readonly ErrorCode[], mended: Partial<Ask>): void => {
    rungs.push({ fault, ask, codes });
    ask = { ...ask, ...mended };
  };
  /** A fault alone, but for what comes after it. */
  const alone = (fault: string, codes: readonly ErrorCode[], given: Partial<Ask>): void => {
    rungs.push({ fault, ask: { ...ask, url, body: right.body, headers: asked, ...given }, codes });
  };
  rung('no route', ['NOT_FOUND_ROUTE'], { url: wrongQuery });
  if (route.needsToken) {
    const expired = craftToken(goodClaims({ iat: -400, exp: -100 }));
    const lacking = ground.lacking(route);
    rung('no token', ['UNAUTHORIZED_MISSING_TOKEN'], { token: 'a.b.c' });
    rung('invalid token', ['UNAUTHORIZED_INVALID_TOKEN'], { token: expired });
    rung('expired token', ['UNAUTHORIZED_TOKEN_EXPIRED'], {
      token: ownToken(ground, !isOperators),
    });
    rung('other side', ['FORBIDDEN'], { token: lacking ?? right.token });
    const refused = isOperators ? 'FORBIDDEN' : 'FORBIDDEN_CAPABILITY_NOT_GRANTED';
    if (lacking !== null) rung('no right', [refused], { token: right.token });
  }
  rung('rate', ['TOO_MANY_REQUESTS'], { app: ground.open });
  const wrongBody = { ...right.body, unexpected: 1 };
  if (right.body !== undefined) {
    rung('media type', ['UNSUPPORTED_MEDIA_TYPE'], { headers: {} });
    rung('malformed body', ['VALIDATION_ERRORS'], { body: wrongBody });
    alone('body', ['VALIDATION_ERRORS'], { body: wrongBody });
  }
  alone('query', ['VALIDATION_UNKNOWN_QUERY_PARAMETER'], { url: wrongQuery });
  if (Object.keys(asked).length > 0) alone('header', ['VALIDATION_ERRORS'], { headers: {} });
  const shape: readonly ErrorCode[] = ['VALIDATION_ERRORS', 'VALIDATION_UNKNOWN_QUERY_PARAMETER'];
  rung('body, header and query', shape, { url, body: right.body, headers: asked });
  if (last !== null) rung('what it is about', [last.code], {});
  return rungs;
}

const ownToken = ({ vendorToken, operatorToken }: Ground, isOperators: boolean): string =>
  isOperators ? operatorToken : vendorToken;

/** D2: each step mends the first fault of the step before, and the next one shows. */

const test = gatewayTest
  .extend('ground', { scope: 'file' }, ({ gateway }) => newGround(gateway))
  .extend('states', { scope: 'file' }, ({ gateway }) => wrongStates(gateway));

test.afterAll(async ({ ground }) => {
  await ground.exhausted.app.close();
});

const nameOf = ({ method, path }: WalkedRoute) => `${method} ${path}`;

/**
 * Climbs a route's ladder: the response to each request names its first fault. Returns the last
 * one.
 */
async function climb(ground: Ground, route: WalkedRoute, last: Last | null) {
  const rungs = ladderOf(route, ground, last);
  let response: ApiResponse | undefined;
  for (const { fault, ask, codes } of rungs) {
    const { app, method, url, ...given } = ask;
    response = await call(app, method, url, given);
    expect(codes, `${nameOf(route)}, ${fault}: ${response.state}`).toContain(response.state);
  }
  return { rungs: rungs.map(({ fault }) => fault), response: response ?? expect.unreachable() };
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

test('checks on each route token, side, right, rate, media type, body and query, then 404', async ({
  gateway,
  ground,
}) => {
  const routes = (await walkRoutes(gateway, unknownId())).filter(({ needsToken }) => needsToken);
  expect(routes.length).toBeGreaterThan(70);
  for (const route of routes) {
    const last = route.hasId ? { code: notFoundFor(route) } : null;
    const { rungs } = await climb(ground, route, last);
    const tokens = ['no token', 'invalid token', 'expired token', 'other side'];
    const always = ['no route', ...tokens, 'rate', 'query'];
    expect(rungs, nameOf(route)).toEqual(expect.arrayContaining(always));
    expect(rungs.includes('no right'), nameOf(route)).toBe(
      !['GET /api/v1/credentials', 'GET /api/v1/event-types'].includes(nameOf(route)),
    );
    expect(rungs.includes('media type'), nameOf(route)).toBe(route.method !== 'GET');
    expect(rungs.includes('what it is about'), nameOf(route)).toBe(route.hasId);
  }
});

test('checks the state or rule last on every route that a state can refuse', async ({
  gateway,
  ground,
  states,
}) => {
  for (const { route: name, id = unknownId(), field, ...last } of states) {
    const route = (await walkRoutes(gateway, id)).find((each) => nameOf(each) === name);
    if (route === undefined) throw new Error(`no route ${name}`);
    const { response } = await climb(ground, route, last);
    if (field !== undefined) expect(fieldErrorsOf(response), name).toEqual([`${field} required`]);
  }
});

test('returns 404 for OPTIONS, which no path of the document has', async ({ gateway, token }) => {
  const routes = await walkRoutes(gateway, unknownId());
  for (const url of new Set(routes.map((route) => route.url))) {
    const response = await call(gateway, 'OPTIONS', url, { token });
    expect(response.state, url).toBe('NOT_FOUND_ROUTE');
  }
});

test('requires no capability for two lists', async ({ gateway }) => {
  const token = tokenWith(gateway, await newVendor(gateway), []);
  const headers = { 'x-service-environment': 'Production' };
  for (const path of ['credentials', 'event-types'])
    expect((await call(gateway, 'GET', `/api/v1/${path}`, { token, headers })).status).toBe(200);
});

test('names for each changing route whether a state can refuse it', async ({ gateway, states }) => {
  const routes = await walkRoutes(gateway, unknownId());
  const changing = routes
    .filter(({ method, needsToken }) => needsToken && method !== 'GET')
    .map(nameOf);
  const stated = [...states.map(({ route }) => route), ...stateless, refusedForLastAdmin];
  expect(stated.toSorted()).toEqual(changing.toSorted());
});

test('checks on token routes: address rate, media type, body and query, then the secret', async ({
  gateway,
  ground,
}) => {
  const routes = (await walkRoutes(gateway, unknownId())).filter(({ needsToken }) => !needsToken);
  expect(routes).toHaveLength(2);
  const body = ['media type', 'malformed body', 'body'];
  const order = [
    'no route',
    'rate',
    ...body,
    'query',
    'body, header and query',
    'what it is about',
  ];
  for (const route of routes) {
    const last = { code: 'UNAUTHORIZED_INVALID_CREDENTIALS' } as const;
    expect((await climb(ground, route, last)).rungs).toEqual(order);
  }
});

test('checks in create-offer: capability, then encoding; variant, then agreement', async ({
  gateway,
}) => {
  const vendor = await newVendor(gateway);
  const stock = tokenWith(gateway, vendor, ['Stock']);
  const { token } = vendor;
  const { id: variantId } = await newVariant(gateway);
  const priced = { ...freeFormOffer, salePrice: 5, salePriceIsVatInclusive: true };
  const headers = { 'content-encoding': 'gzip' };
  for (const [query, given, state] of [
    ['', { token: stock, body: '{', headers }, 'FORBIDDEN_CAPABILITY_NOT_GRANTED'],
    ['?x=1', { token, body: '{', headers }, 'UNSUPPORTED_MEDIA_TYPE'],
    ['', { token, body: { ...priced, variantId: unknownId() } }, 'VALIDATION_ERRORS'],
    ['', { token, body: { ...priced, variantId } }, 'BUSINESS_OFFER_PRICE_FIELD_NOT_FOR_AGREEMENT'],
    ['', { token, body: { ...freeFormOffer, variantId } }, 'SUCCESS'],
  ] as const) {
    const response = await call(gateway, 'POST', `/api/v1/scent/offers${query}`, given);
    expect(response.state).toBe(state);
  }
});

test('checks in an approval the offer, then version, then state', async ({ gateway, operate }) => {
  const draft = await (await newOfferFixture(gateway)).offerIn('Draft');
  for (const [id, expectedVersion, state] of [
    [unknownId(), 2, 'NOT_FOUND_VENDOR_OFFER'],
    [draft, 2, 'CONFLICT_VERSION'],
    [draft, 1, 'BUSINESS_OFFER_INVALID_TRANSITION'],
  ] as const) {
    const response = await operate('POST', `/offers/${id}/approve`, { expectedVersion });
    expect(response.state).toBe(state);
  }
});
