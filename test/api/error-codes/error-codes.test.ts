import { expect, inject, onTestFinished } from 'vitest';
import type { ErrorCode } from '../../../domain/errors.ts';
import { createDecisions } from '../../../temporal/decisions.ts';
import { createRateLimit } from '../../../api/auth/rate-limits.ts';
import { freeFormOffer, newVendor, type TestVendor } from '../../support/api/actors.ts';
import { holdLock } from '../../support/database/locks.ts';
import { freePort } from '../../support/free-port.ts';
import { newOfferFixture } from '../offers/offer-fixture.ts';
import { unknownEffect, type Gateway } from '../../support/api/api.ts';
import { uuidV7 } from '../../support/api/matchers.ts';
import { hookUrl } from '../webhooks/webhook-fixture.ts';
import { clientAt, poolTo, tcpServer, temporalThatAnswers } from './dependencies.ts';
import { ask, expectRefusal, givenRequestId, parsedResponse } from './http.ts';
import { appWith, rawResponse } from './slow-app.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';
/**
 * Requests that cannot be read or are too many (413, 415, 429, 431), and our own faults, each by a
 * dependency that is broken so (500 to 504, and what a dependency refuses us).
 */

const test = gatewayTest.extend('vendor', { scope: 'file' }, ({ gateway }) => newVendor(gateway));

const fails = () => Promise.reject(new TypeError('secret column at 10.0.0.7'));
const retry = { 'retry-after': '5' };

/** A vendor's read over another database. */
async function readOver(gateway: Gateway, { token }: TestVendor, databaseUrl: string) {
  const pool = poolTo(databaseUrl);
  const app = await appWith({ ...gateway.dependencies, sql: pool, lists: pool });
  return ask(app, 'GET', '/api/v1/webhooks', { token });
}

const at = (port: number) => `postgres://gateway:hunter2@127.0.0.1:${port}/gateway`;

/** Another server at the address of Postgres. */
const webServer = () => tcpServer((socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'));

test.for<readonly [ErrorCode, number, () => Promise<string> | string, object]>([
  [
    'UPSTREAM_AUTH_FAILED',
    401,
    () => Object.assign(new URL(inject('postgresAdminUrl')), { password: 'wrong' }).href,
    {},
  ],
  ['BAD_GATEWAY', 502, async () => at((await webServer()).port), {}],
  ['SERVICE_UNAVAILABLE', 503, async () => at(await freePort()), retry],
])('%s: returns %i for a read over a Postgres that fails', async (row, { gateway, vendor }) => {
  const [code, status, urlOf, headers] = row;
  const response = await readOver(gateway, vendor, await urlOf());
  expectRefusal(response, status, code, {}, { ...headers });
});

test.for<readonly [ErrorCode, number, () => Promise<number>, object, object]>([
  ['UPSTREAM_AUTH_FAILED', 401, () => temporalThatAnswers('a refusal of our key'), {}, {}],
  ['BAD_GATEWAY', 502, () => temporalThatAnswers('nonsense'), {}, {}],
  ['SERVICE_UNAVAILABLE', 503, freePort, {}, retry],
  ['GATEWAY_TIMEOUT', 504, () => temporalThatAnswers('nothing'), unknownEffect, {}],
])(
  '%s: returns %i for a decision by a Temporal that fails, and stores nothing',
  async ([code, status, portOf, details, headers], { gateway }) => {
    // Those that answer get the time of a busy machine.
    const options = { taskQueue: 'error-codes', timeoutMs: status < 503 ? 20_000 : 500 };
    const decisions = createDecisions(clientAt(await portOf()), options);
    const app = await appWith({ ...gateway.dependencies, decisions });
    const { offerIn, operator } = await newOfferFixture(gateway);
    const id = await offerIn('PendingReview');
    const body = { expectedVersion: 1 };
    const { token } = operator;
    const response = await ask(app, 'POST', `/operator/v1/offers/${id}/approve`, { token, body });
    expectRefusal(response, status, code, { ...details }, { ...headers });
    const [offer] = await gateway.sql`select status, version from offers where id = ${id}`;
    expect(offer).toEqual({ status: 'PendingReview', version: 1 });
  },
);

test('INTERNAL_ERROR: returns only the id of the request after an unexpected fault', async ({
  gateway,
  vendor,
}) => {
  const app = await appWith({ ...gateway.dependencies, checkDestination: fails });
  const body = { url: hookUrl, eventTypes: ['vendor.order.assigned'] };
  const response = await ask(app, 'POST', '/api/v1/webhooks', { token: vendor.token, body });
  expectRefusal(response, 500, 'INTERNAL_ERROR', { requestId: givenRequestId });
});

test('SERVICE_UNAVAILABLE: limits reconnects to a proxy that lacks its Postgres', async ({
  gateway,
  vendor,
}) => {
  const proxy = await tcpServer((socket) => socket.end());
  const response = await readOver(gateway, vendor, at(proxy.port));
  expectRefusal(response, 503, 'SERVICE_UNAVAILABLE', {}, retry);
  // One statement, one connection, and at most one more that was opened meanwhile.
  expect(proxy.connections()).toBeLessThanOrEqual(2);
});

test('GATEWAY_TIMEOUT: ends a statement that Postgres does not finish at the time limit', async ({
  gateway,
  vendor: { token },
}) => {
  const app = await appWith(gateway.dependencies, { handlerTimeoutMs: 300 });
  const table = gateway.sql`lock table webhook_subscriptions in access exclusive mode`;
  const release = await holdLock(gateway.sql, table);
  onTestFinished(release);
  const read = await ask(app, 'GET', '/api/v1/webhooks', { token });
  expectRefusal(read, 504, 'GATEWAY_TIMEOUT');
  const body = { url: hookUrl, eventTypes: ['vendor.order.assigned'] };
  const change = await ask(app, 'POST', '/api/v1/webhooks', { token, body });
  expectRefusal(change, 504, 'GATEWAY_TIMEOUT', unknownEffect);
});

const offers = '/api/v1/scent/offers';
const seconds: unknown = expect.stringMatching(/^([1-9]|[1-5]\d|60)$/);
test('HEADERS_TOO_LARGE: refuses 17 KiB of headers, and closes the connection', async ({
  gateway,
}) => {
  const request = `GET / HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(17 * 1024)}\r\n\r\n`;
  const response = parsedResponse(await rawResponse(gateway, request));
  const message = 'The headers and the path may have at most 16384 bytes together.';
  // Before there is a request there is no id of the caller's.
  const ownId = { 'x-request-id': uuidV7 };
  expectRefusal(response, 431, 'HEADERS_TOO_LARGE', { maximum: 16_384, message }, ownId);
  expect(response.headers['connection']).toBe('close');
});

// D170: the body of one thing.
test('PAYLOAD_TOO_LARGE: reads 64 KiB, and refuses one byte more', async ({ gateway, token }) => {
  const maximum = 65_536;
  const body = JSON.stringify(freeFormOffer).padEnd(maximum);
  expect((await ask(gateway, 'POST', offers, { token, body })).status).toBe(201);
  const response = await ask(gateway, 'POST', offers, { token, body: `${body} ` });
  const message = 'The body may have at most 65536 bytes.';
  expectRefusal(response, 413, 'PAYLOAD_TOO_LARGE', { maximum, message });
});

test('UNSUPPORTED_MEDIA_TYPE: refuses JSON that is sent as text', async ({ gateway, token }) => {
  const headers = { 'content-type': 'text/plain' };
  const response = await ask(gateway, 'POST', offers, { token, body: '{}', headers });
  const details = { received: 'text/plain', allowedValues: ['application/json'] };
  expectRefusal(response, 415, 'UNSUPPORTED_MEDIA_TYPE', details);
});

test('TOO_MANY_REQUESTS: sends the eleventh token call in a minute the seconds to wait', async ({
  gateway,
}) => {
  const { clientId, clientSecret } = await newVendor(gateway);
  const body = { clientId, clientSecret };
  for (let calls = 0; calls < 10; calls += 1) {
    expect((await ask(gateway, 'POST', '/api/v1/auth/token', { body })).status).toBe(200);
  }
  const response = await ask(gateway, 'POST', '/api/v1/auth/token', { body });
  const message = 'The limit is 10 token calls of one client from one network in 60 seconds.';
  const details = { reason: 'TOKEN_CALLS', maximum: 10, message };
  expectRefusal(response, 429, 'TOO_MANY_REQUESTS', details, { 'retry-after': seconds });
});

test('TOO_MANY_REQUESTS: sends a vendor above its rate the limit and the seconds to wait', async ({
  gateway,
}) => {
  const { vendorId, token } = await newVendor(gateway);
  const callsPerVendor = createRateLimit(600);
  const limited = await appWith({ ...gateway.dependencies, callsPerVendor });
  callsPerVendor(vendorId, 599);
  expect((await ask(limited, 'GET', '/api/v1/webhooks', { token })).status).toBe(200);
  const response = await ask(limited, 'GET', '/api/v1/webhooks', { token });
  const message = 'The limit is 600 calls of your account in 60 seconds.';
  const details = { reason: 'CALLS', maximum: 600, message };
  expectRefusal(response, 429, 'TOO_MANY_REQUESTS', details, {
    'retry-after': seconds,
    'ratelimit-limit': '600',
    'ratelimit-remaining': '0',
    'ratelimit-reset': response.headers['retry-after'],
  });
});
