import { expect } from 'vitest';
import { securityHeaders } from '../../../api/http/security-headers.ts';
import { newOperator, newVendor } from '../../support/api/actors.ts';
import { inProduction } from '../accounts/credentials/credential-fixture.ts';
import { ask, baseUrlOf, parsedAnswer } from '../error-codes/http.ts';
import { appWith, rawAnswer } from '../error-codes/slow-app.ts';
import { unknownId } from '../../support/api/api.ts';
import { walkRoutes } from '../../support/api/walk.ts';
import { hookUrl, newWebhookFixture } from '../webhooks/webhook-fixture.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';
/**
 * The security and cache headers of every answer: of a route, a refusal, a page or Node's parser.
 */

const test = gatewayTest
  .extend('baseUrl', { scope: 'file' }, ({ gateway }) => baseUrlOf(gateway.app))
  .extend('vendor', { scope: 'file' }, ({ gateway }) => newVendor(gateway))
  .extend('operator', { scope: 'file' }, ({ gateway }) => newOperator(gateway));

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

test('every route’s answers have them', async ({ gateway, vendor, operator }) => {
  const statuses = new Set<number>();
  for (const route of await walkRoutes(gateway, unknownId())) {
    const { method, url, body, isOperators, headers } = route;
    for (const token of [isOperators ? operator.token : vendor.token, undefined]) {
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

test.for([
  ['/docs', 'no-cache', "script-src 'self'; style-src 'self' 'unsafe-inline'"],
  ['/operator/docs', 'no-cache', "script-src 'self'; style-src 'self' 'unsafe-inline'"],
  ['/operator/docs/reviewing', 'no-cache', "style-src 'self'"],
  ['/docs/reference.css', 'no-cache', "default-src 'none'; frame-ancestors 'none'"],
  ['/docs/reference.js', 'no-cache', "default-src 'none'; frame-ancestors 'none'"],
  ['/docs/scalar.js', 'public, max-age=86400', "default-src 'none'; frame-ancestors 'none'"],
  ['/docs/page.css', 'no-cache', "default-src 'none'; frame-ancestors 'none'"],
  ['/docs/page.js', 'no-cache', "default-src 'none'; frame-ancestors 'none'"],
  ['/docs/offers.md', 'no-store', "default-src 'none'; frame-ancestors 'none'"],
  ['/llms.txt', 'no-store', "default-src 'none'; frame-ancestors 'none'"],
  ['/docs/authentication', 'no-cache', "style-src 'self'"],
  ['/docs/errors', 'no-cache', "style-src 'self'"],
  ['/docs/offers', 'no-cache', "style-src 'self'"],
  ['/docs/shipments', 'no-cache', "style-src 'self'"],
  ['/docs/returns', 'no-cache', "style-src 'self'"],
  ['/docs/webhooks', 'no-cache', "style-src 'self'"],
  ['/openapi.json', 'no-cache', "default-src 'none'; frame-ancestors 'none'"],
  ['/operator/openapi.json', 'no-cache', "default-src 'none'; frame-ancestors 'none'"],
  ['/.well-known/jwks.json', /^public, max-age=\d+$/, "default-src 'none'; frame-ancestors 'none'"],
] as const)(
  '%s has them, but for its own caching and what its page must load',
  async ([path, caching, policy], { baseUrl }) => {
    const answer = await get(baseUrl, path);
    expect(answer.status).toBe(200);
    expectSecure(path, answer.headers, {
      'cache-control': typeof caching === 'string' ? caching : expect.stringMatching(caching),
      'content-security-policy': expect.stringContaining(policy),
    });
    // Each page denies all sources by default and forbids frames.
    expect(answer.headers['content-security-policy']).toMatch(
      /^default-src 'none';.*frame-ancestors 'none'$/,
    );
  },
);

test('sends them with refusals before there is a request', async ({ gateway }) => {
  const slow = await appWith(gateway.dependencies, { requestTimeoutMs: 3000 });
  const tooLarge = `GET / HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(17 * 1024)}\r\n\r\n`;
  for (const [bytes, status] of [
    ['nonsense\r\n\r\n', 400],
    ['CONNECT db.internal:5432 HTTP/1.1\r\nhost: x\r\n\r\n', 404],
    ['GET / HTTP/1.1\r\nhost: x\r\n', 408],
    [tooLarge, 431],
  ] as const) {
    const answer = parsedAnswer(await rawAnswer(slow, bytes));
    expect(answer.status).toBe(status);
    expectSecure(String(status), answer.headers);
  }
});

test('refuses preflights, and scripts of other sites', async ({ baseUrl }) => {
  for (const path of [
    '/api/v1/auth/token',
    '/api/v1/webhooks',
    '/operator/v1/vendors',
    '/docs',
    '/health',
  ]) {
    const response = await fetch(baseUrl + path, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://evil.example.org',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization',
      },
    });
    expect(response.status, path).toBe(404);
    expect(await response.json()).toMatchObject({ state: 'NOT_FOUND_ROUTE', payload: null });
    expectSecure(path, Object.fromEntries(response.headers));
  }
});

test('forbids caching of a token or a secret', async ({ gateway, vendor, operator }) => {
  const { vendorId, clientId, clientSecret, token } = vendor;
  const { operatorId, operatorSecret } = operator;
  const other = await newWebhookFixture(gateway);
  const subscriptionId = await other.subscribe();
  const webhook = { url: hookUrl, eventTypes: ['vendor.order.assigned'] };
  const issued = { environment: 'Production', capabilities: 'Stock' };
  const answers = await Promise.all([
    ask(gateway, 'POST', '/api/v1/auth/token', { body: { clientId, clientSecret } }),
    ask(gateway, 'POST', '/operator/v1/auth/token', { body: { operatorId, operatorSecret } }),
    ask(gateway, 'POST', '/api/v1/credentials', {
      token,
      body: { capabilities: 'Stock' },
      headers: inProduction,
    }),
    ask(gateway, 'POST', `/operator/v1/vendors/${vendorId}/credentials`, {
      token: operator.token,
      body: issued,
    }),
    ask(gateway, 'POST', '/api/v1/webhooks', { token, body: webhook }),
    ask(gateway, 'POST', `/api/v1/webhooks/${subscriptionId}/rotate-secret`, {
      token: other.vendor.token,
    }),
  ]);
  for (const answer of answers) {
    expect(answer.text).toMatch(/"(?:accessToken|clientSecret|secret)":"\S{20,}"/);
    expect(answer.headers['cache-control']).toBe('no-store');
  }
});
