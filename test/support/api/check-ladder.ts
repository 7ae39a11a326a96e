import type { Dependencies } from '../../../api/dependencies.ts';
import { capabilities, type Capability } from '../../../domain/accounts/capabilities.ts';
import type { ErrorCode } from '../../../domain/errors.ts';
import { newOperator, newVendor, tokenWith } from './actors.ts';
import { craftToken, goodClaims } from '../../api/auth/craft-token.ts';
import { gatewayOver, type Gateway, type Method } from './api.ts';
import type { WalkedRoute } from './walk.ts';

/** One request: how it is sent, and which gateway gets it. */
export type Ask = {
  readonly app: Pick<Gateway, 'app'>;
  readonly method: Method;
  readonly url: string;
  readonly token?: string | undefined;
  readonly body?: unknown;
  readonly headers: Readonly<Record<string, string>>;
};
/** A request whose first fault is this one, and the codes that may report it. */
export type Rung = {
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
export async function newGround(open: Gateway) {
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
export type Ground = Awaited<ReturnType<typeof newGround>>;

/** What the request comes to at last, when nothing of its form is wrong any more. */
export type Last = {
  readonly code: ErrorCode;
  readonly token?: string;
  readonly body?: WalkedRoute['body'];
};

/**
 * Requests to one route, each with one fault less than the one before, the first of D2 mended
 * first: all the later ones still apply. The last one has nothing wrong but what it is
 * about: a resource that there is not, or its state.
 */
export function ladderOf(route: WalkedRoute, ground: Ground, last: Last | null): readonly Rung[] {
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
