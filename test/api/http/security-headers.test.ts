import { expect } from 'vitest';
import { securityHeaders } from '../../../api/http/security-headers.ts';
import { newVendor } from '../../support/api/actors.ts';
import { inProduction } from '../accounts/credentials/credential-fixture.ts';
import { ask, baseUrlOf, parsedAnswer } from '../error-codes/http.ts';
import { rawAnswer } from '../error-codes/slow-app.ts';
import { unknownId, type Call } from '../../support/api/api.ts';
import { walkRoutes } from '../../support/api/walk.ts';
import { hookUrl, newWebhookFixture } from '../webhooks/webhook-fixture.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';
/**
 * The security and cache headers of every answer: of a route, a refusal, a page or Node's parser.
 */

const test = gatewayTest
  .extend('baseUrl', { scope: 'file' }, ({ gateway }) => baseUrlOf(gateway.app))
  .extend('vendor', { scope: 'file' }, ({ gateway }) => newVendor(gateway));

type Headers = Readonly<Record<string, unknown>>;

/**
 * The answer has them all, names no software, and admits no script of another site.
 */
function expectSecure(what: string, headers: Headers, others: Headers = {}): void {
  expect(headers, what).toMatchObject({ ...securityHeaders, ...others });
  const loose = Object.keys(headers).filter((name) =>
    /^(?:access-control-|server$|x-powered-by$|via$|set-cookie$)/i.test(name),
  );
  expect(loose, what).toEqual([]);
}

/** Over the network, as a page of another site would ask. */
async function get(baseUrl: string, path: string) {
  const response = await fetch(baseUrl + path, { headers: { origin: 'https://evil.example.org' } });
  await response.arrayBuffer();
  return { status: response.status, headers: Object.fromEntries(response.headers) };
}

test('are the headers of the list', () => {
  expect(securityHeaders).toEqual({
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'strict-transport-security': 'max-age=31536000',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  });
});

test('every route’s answers have them', async ({ gateway, vendor, adminAccount }) => {
  const statuses = new Set<number>();
  for (const route of await walkRoutes(gateway, unknownId())) {
    const { method, url, body, isOperators, headers } = route;
    for (const token of [isOperators ? adminAccount.token : vendor.token, undefined]) {
      const answer = await ask(gateway, method, url, { token, body, headers });
      expectSecure(`${method} ${url}: ${answer.status}`, answer.headers);
      statuses.add(answer.status);
    }
  }
  // The walk met each of these kinds.
  expect([...statuses]).toEqual(expect.arrayContaining([200, 201, 400, 401, 404]));
});

test.for([
  ['/nope', 404],
  ['/%zz', 404],
  ['/api/v1/%E0%A4%A/webhooks', 404],
  [`/${'x'.repeat(10_000)}`, 404],
  ['/health', 200],
  ['/ready', 200],
] as const)(
  '%s has them, without a token and without a route',
  async ([path, status], { baseUrl }) => {
    const answer = await get(baseUrl, path);
    expect(answer.status).toBe(status);
    expectSecure(path, answer.headers);
  },
);

const none = "default-src 'none'; frame-ancestors 'none'";
const styles = "style-src 'self'";
const reference = "script-src 'self'; style-src 'self' 'unsafe-inline'";

test.for([
  ['/docs', 'no-cache', reference],
  ['/operator/docs', 'no-cache', reference],
  ['/operator/docs/reviewing', 'no-cache', styles],
  ['/docs/errors', 'no-cache', styles],
  ['/docs/reference.css', 'no-cache', none],
  ['/docs/reference.js', 'no-cache', none],
  ['/docs/scalar.js', 'public, max-age=86400', none],
  ['/docs/page.css', 'no-cache', none],
  ['/docs/page.js', 'no-cache', none],
  ['/docs/offers.md', 'no-store', none],
  ['/llms.txt', 'no-store', none],
  ['/openapi.json', 'no-cache', none],
  ['/operator/openapi.json', 'no-cache', none],
  ['/.well-known/jwks.json', 'public, max-age=10', none],
] as const)(
  '%s has them, but for its own caching and what its page must load',
  async ([path, caching, policy], { baseUrl }) => {
    const answer = await get(baseUrl, path);
    expect(answer.status).toBe(200);
    expectSecure(path, answer.headers, {
      'cache-control': caching,
      'content-security-policy': expect.stringContaining(policy),
    });
    // Each page denies all sources by default and forbids frames.
    expect(answer.headers['content-security-policy']).toMatch(
      /^default-src 'none';.*frame-ancestors 'none'$/,
    );
  },
);

// The refusals 408 and 431 have their cases in `slow-clients.test.ts` and `arrival.test.ts`.
test.for([
  ['nonsense\r\n\r\n', 400],
  ['CONNECT db.internal:5432 HTTP/1.1\r\nhost: x\r\n\r\n', 404],
] as const)('sends them with the refusal of %j', async ([bytes, status], { gateway }) => {
  const answer = parsedAnswer(await rawAnswer(gateway, bytes));
  expect(answer.status).toBe(status);
  expectSecure(bytes, answer.headers);
});

test('refuses preflights, and scripts of other sites', async ({ baseUrl }) => {
  const headers = {
    origin: 'https://evil.example.org',
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization',
  };
  for (const path of ['/api/v1/auth/token', '/operator/v1/vendors', '/docs', '/health']) {
    const response = await fetch(baseUrl + path, { method: 'OPTIONS', headers });
    expect(response.status, path).toBe(404);
    expect(await response.json()).toMatchObject({ state: 'NOT_FOUND_ROUTE', payload: null });
    expectSecure(path, Object.fromEntries(response.headers));
  }
});

test('forbids caching of a token or a secret', async ({ gateway, vendor, adminAccount }) => {
  const { vendorId, clientId, clientSecret, token } = vendor;
  const { operatorId, operatorSecret } = adminAccount;
  const other = await newWebhookFixture(gateway);
  const subscription = `/api/v1/webhooks/${await other.subscribe()}`;
  const webhook = { url: hookUrl, eventTypes: ['vendor.order.assigned'] };
  const issued = { environment: 'Production', capabilities: 'Stock' };
  const own = { token, body: { capabilities: 'Stock' }, headers: inProduction };
  const calls: readonly (readonly [string, Call])[] = [
    ['/api/v1/auth/token', { body: { clientId, clientSecret } }],
    ['/operator/v1/auth/token', { body: { operatorId, operatorSecret } }],
    ['/api/v1/credentials', own],
    [`/operator/v1/vendors/${vendorId}/credentials`, { token: adminAccount.token, body: issued }],
    ['/api/v1/webhooks', { token, body: webhook }],
    [`${subscription}/rotate-secret`, { token: other.vendor.token }],
  ];
  for (const [url, given] of calls) {
    const answer = await ask(gateway, 'POST', url, given);
    expect(answer.text).toMatch(/"(?:accessToken|clientSecret|secret)":"\S{20,}"/);
    expect(answer.headers['cache-control']).toBe('no-store');
  }
});
