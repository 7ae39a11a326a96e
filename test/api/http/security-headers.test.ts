import { expect } from 'vitest';
import { securityHeaders } from '../../../api/http/security-headers.ts';
import { newVendor } from '../../support/api/actors.ts';
import { inProduction } from '../accounts/credentials/credential-fixture.ts';
import { ask, baseUrlOf, parsedResponse } from '../error-codes/http.ts';
import { rawResponse } from '../error-codes/slow-app.ts';
import { unknownId, type Call } from '../../support/api/api.ts';
import { walkRoutes } from '../../support/api/walk.ts';
import { hookUrl, newWebhookFixture } from '../webhooks/webhook-fixture.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';
/**
 * The security and cache headers of every response: of a route, a refusal, a page or Node's parser.
 */

const test = gatewayTest
  .extend('baseUrl', { scope: 'file' }, ({ gateway }) => baseUrlOf(gateway.app))
  .extend('vendor', { scope: 'file' }, ({ gateway }) => newVendor(gateway));

type Headers = Readonly<Record<string, unknown>>;

/** The response has them all, names no software, and admits no script of another site. */
function expectSecure(what: string, headers: Headers, others: Headers = {}): void {
  expect(headers, what).toMatchObject({ ...securityHeaders, ...others });
  const loose = Object.keys(headers).filter((name) =>
    /^(?:access-control-|server$|x-powered-by$|via$|set-cookie$)/i.test(name),
  );
  expect(loose, what).toEqual([]);
}

test('has exactly the headers of this list', () => {
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

test('sends them with every response of every route', async ({ gateway, vendor, adminAccount }) => {
  const statuses = new Set<number>();
  for (const route of await walkRoutes(gateway, unknownId())) {
    const { method, url, body, isOperators, headers } = route;
    for (const token of [isOperators ? adminAccount.token : vendor.token, undefined]) {
      const response = await ask(gateway, method, url, { token, body, headers });
      expectSecure(`${method} ${url}: ${response.status}`, response.headers);
      statuses.add(response.status);
    }
  }
  // The walk met each of these kinds.
  expect([...statuses]).toEqual(expect.arrayContaining([200, 201, 400, 401, 404]));
});

const none = "default-src 'none'; frame-ancestors 'none'";
const styles = "style-src 'self'";
const reference = "script-src 'self'; style-src 'self' 'unsafe-inline'";

test.for([
  ['/nope', 404, 'no-store', none],
  ['/%zz', 404, 'no-store', none],
  ['/api/v1/%E0%A4%A/webhooks', 404, 'no-store', none],
  [`/${'x'.repeat(10_000)}`, 404, 'no-store', none],
  ['/health', 200, 'no-store', none],
  ['/ready', 200, 'no-store', none],
  ['/docs', 200, 'no-cache', reference],
  ['/operator/docs', 200, 'no-cache', reference],
  ['/operator/docs/reviewing', 200, 'no-cache', styles],
  ['/docs/errors', 200, 'no-cache', styles],
  ['/docs/reference.css', 200, 'no-cache', none],
  ['/docs/reference.js', 200, 'no-cache', none],
  ['/docs/scalar.js', 200, 'public, max-age=86400', none],
  ['/docs/page.css', 200, 'no-cache', none],
  ['/docs/page.js', 200, 'no-cache', none],
  ['/docs/offers.md', 200, 'no-store', none],
  ['/llms.txt', 200, 'no-store', none],
  ['/openapi.json', 200, 'no-cache', none],
  ['/operator/openapi.json', 200, 'no-cache', none],
  ['/.well-known/jwks.json', 200, 'public, max-age=10', none],
] as const)(
  'sends them for %s with status %i, but with its own cache and content policy',
  async ([path, status, caching, policy], { baseUrl }) => {
    // As a page of another site would ask.
    const headers = { origin: 'https://evil.example.org' };
    const response = await fetch(baseUrl + path, { headers });
    await response.arrayBuffer();
    expect(response.status).toBe(status);
    expectSecure(path, Object.fromEntries(response.headers), {
      'cache-control': caching,
      'content-security-policy': expect.stringContaining(policy),
    });
    // Each page denies all sources by default and forbids frames.
    expect(response.headers.get('content-security-policy')).toMatch(
      /^default-src 'none';.*frame-ancestors 'none'$/,
    );
  },
);

// The refusals 408 and 431 have their cases in `slow-clients.test.ts` and `error-codes.test.ts`.
test.for([
  ['nonsense\r\n\r\n', 400],
  ['CONNECT db.internal:5432 HTTP/1.1\r\nhost: x\r\n\r\n', 404],
] as const)('sends them with the refusal of %j', async ([bytes, status], { gateway }) => {
  const response = parsedResponse(await rawResponse(gateway, bytes));
  expect(response.status).toBe(status);
  expectSecure(bytes, response.headers);
});

test('refuses the preflights of scripts of other sites', async ({ baseUrl }) => {
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
    const response = await ask(gateway, 'POST', url, given);
    expect(response.text).toMatch(/"(?:accessToken|clientSecret|secret)":"\S{20,}"/);
    expect(response.headers['cache-control']).toBe('no-store');
  }
});
