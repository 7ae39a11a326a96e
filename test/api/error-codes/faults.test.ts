import { expect, inject, onTestFinished } from 'vitest';
import type { ErrorCode } from '../../../domain/errors.ts';
import { newOperator, newVendor, type TestVendor } from '../../support/api/actors.ts';
import { holdLock } from '../../support/database/locks.ts';
import { newOfferFixture } from '../offers/offer-fixture.ts';
import { unknownEffect, type Gateway } from '../../support/api/api.ts';
import { hookUrl } from '../webhooks/webhook-fixture.ts';
import { closedPort, decisionsAt, poolTo, tcpServer, temporalThatAnswers } from './dependencies.ts';
import { ask, expectRefusal, givenRequestId, type HttpAnswer } from './http.ts';
import { appWith } from './slow-app.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';
/**
 * 500 to 504, and what a dependency refuses us: our own faults, each by a dependency that is broken
 * so.
 */

const test = gatewayTest.extend('vendor', { scope: 'file' }, ({ gateway }) => newVendor(gateway));

const fails = () => Promise.reject(new TypeError('secret column at 10.0.0.7'));
const retry = { 'retry-after': '5' };

/** A vendor's read over another database. */
async function readOver(
  gateway: Gateway,
  vendor: TestVendor,
  databaseUrl: string,
): Promise<HttpAnswer> {
  const pool = poolTo(databaseUrl);
  const app = await appWith({ ...gateway.dependencies, sql: pool, lists: pool }, {});
  return ask(app, 'GET', '/api/v1/webhooks', { token: vendor.token });
}

/**
 * An operator's decision by the Temporal at a port, on an offer that waits for one and must go on
 * waiting.
 */
async function decideBy(gateway: Gateway, port: number): Promise<HttpAnswer> {
  const app = await appWith({ ...gateway.dependencies, decisions: decisionsAt(port) }, {});
  const id = await (await newOfferFixture(gateway)).offerIn('PendingReview');
  const { token } = await newOperator(gateway, ['Reviewer']);
  const answer = await ask(app, 'POST', `/operator/v1/offers/${id}/approve`, {
    token,
    body: { expectedVersion: 1 },
  });
  const [offer] = await gateway.sql`select status, version from offers where id = ${id}`;
  expect(offer).toEqual({ status: 'PendingReview', version: 1 });
  return answer;
}

const at = (port: number) => `postgres://gateway:hunter2@127.0.0.1:${port}/gateway`;

/** The URL of the Postgres server with a wrong password. */
async function urlWithWrongPassword(): Promise<string> {
  const url = new URL(inject('postgresAdminUrl'));
  url.password = 'wrong';
  return url.href;
}

/** Another server at the address of Postgres. */
async function webServerUrl(): Promise<string> {
  const { port } = await tcpServer((socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'));
  return at(port);
}

test.for<readonly [ErrorCode, number, () => Promise<string>, object]>([
  ['UPSTREAM_AUTH_FAILED', 401, urlWithWrongPassword, {}],
  ['BAD_GATEWAY', 502, webServerUrl, {}],
  ['SERVICE_UNAVAILABLE', 503, async () => at(await closedPort()), retry],
])('%s: a read over a Postgres that fails is %i', async (row, { gateway, vendor }) => {
  const [code, status, urlOf, headers] = row;
  const answer = await readOver(gateway, vendor, await urlOf());
  expectRefusal(answer, status, code, {}, { ...headers });
});

test.for<readonly [ErrorCode, number, () => Promise<number>, object, object]>([
  ['UPSTREAM_AUTH_FAILED', 401, () => temporalThatAnswers('a refusal of our key'), {}, {}],
  ['BAD_GATEWAY', 502, () => temporalThatAnswers('nonsense'), {}, {}],
  ['SERVICE_UNAVAILABLE', 503, closedPort, {}, retry],
  ['GATEWAY_TIMEOUT', 504, () => temporalThatAnswers('nothing'), unknownEffect, {}],
])(
  '%s: a decision by a Temporal that fails is %i, and stores nothing',
  async (row, { gateway }) => {
    const [code, status, portOf, details, headers] = row;
    const answer = await decideBy(gateway, await portOf());
    expectRefusal(answer, status, code, { ...details }, { ...headers });
  },
);

test('INTERNAL_ERROR: an unexpected fault is answered with the request’s id only', async ({
  gateway,
  vendor,
}) => {
  const app = await appWith({ ...gateway.dependencies, checkDestination: fails }, {});
  const body = { url: hookUrl, eventTypes: ['vendor.order.assigned'] };
  const answer = await ask(app, 'POST', '/api/v1/webhooks', { token: vendor.token, body });
  expectRefusal(answer, 500, 'INTERNAL_ERROR', { requestId: givenRequestId });
});

test('SERVICE_UNAVAILABLE: a proxy lacks its Postgres, and reconnects are limited', async ({
  gateway,
  vendor,
}) => {
  const proxy = await tcpServer((socket) => socket.end());
  const answer = await readOver(gateway, vendor, at(proxy.port));
  expectRefusal(answer, 503, 'SERVICE_UNAVAILABLE', {}, retry);
  // One statement, one connection, and at most one more that was opened meanwhile.
  expect(proxy.connections()).toBeLessThanOrEqual(2);
});

test('GATEWAY_TIMEOUT: a statement that Postgres does not finish ends at the time limit', async ({
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
