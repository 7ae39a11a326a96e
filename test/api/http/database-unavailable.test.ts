import { expect, onTestFinished, test as base } from 'vitest';
import { connect } from '../../../db/core/client.ts';
import { closedPort } from '../error-codes/dependencies.ts';
import {
  call,
  gatewayOver,
  help,
  refusal,
  unknownId,
  type Gateway,
  type Method,
} from '../../support/api/api.ts';

const test = base.extend('port', { scope: 'file' }, () => closedPort());

type Away = Omit<Gateway, 'close'>;

/** The app over a pool whose database is not there; both end with the test. */
async function gatewayWithoutDatabase(port: number, max = 20): Promise<Away> {
  const sql = connect(`postgres://gateway:hunter2@127.0.0.1:${port}/gateway`, {
    max,
    name: 'test',
  });
  const gateway = await gatewayOver(sql);
  onTestFinished(async () => {
    await gateway.app.close();
    await sql.end({ timeout: 1 });
  });
  return gateway;
}

const vendorToken = ({ dependencies }: Away) =>
  dependencies.tokens.issueVendorToken({
    id: unknownId(),
    clientId: 'vc_1',
    vendorId: unknownId(),
    capabilities: ['Offers', 'Stock', 'Orders'],
    environment: 'Production',
  });
const operatorToken = ({ dependencies }: Away) =>
  dependencies.tokens.issueOperatorToken({
    id: unknownId(),
    operatorId: 'alice',
    roles: ['Admin'],
    tokenGeneration: 1,
  });

const offer = { cost: 1, costIsVatInclusive: true, rawBrandName: 'B', rawProductName: 'P' };
const subscription = { url: 'https://vendor.example.org/', eventTypes: ['vendor.order.assigned'] };

const routes: readonly (readonly [Method, string, unknown])[] = [
  ['POST', '/api/v1/auth/token', { clientId: 'vc_1', clientSecret: 'x' }],
  ['POST', '/api/v1/scent/offers', offer],
  [
    'PATCH',
    '/api/v1/scent/offers/stock',
    { items: [{ offerId: unknownId(), declaredInStock: true }] },
  ],
  ['POST', '/api/v1/webhooks', subscription],
  ['GET', '/api/v1/webhooks', undefined],
  ['GET', `/api/v1/webhooks/${unknownId()}`, undefined],
  ['GET', `/api/v1/webhooks/${unknownId()}/deliveries`, undefined],
  ['POST', '/operator/v1/auth/token', { operatorId: 'alice', operatorSecret: 'x' }],
  ['GET', '/operator/v1/vendors', undefined],
  ['GET', '/operator/v1/offers', undefined],
  ['POST', `/operator/v1/offers/${unknownId()}/approve`, {}],
];

test('returns 503 with Retry-After and no internal details on every route', async ({ port }) => {
  const gateway = await gatewayWithoutDatabase(port);
  const answers = await Promise.all(
    routes.map(([method, url, body]) => {
      const token = url.startsWith('/operator') ? operatorToken(gateway) : vendorToken(gateway);
      return call(gateway, method, url, { token, body });
    }),
  );
  for (const answer of answers) {
    const state = 'SERVICE_UNAVAILABLE';
    expect(answer).toMatchObject(refusal(state));
    expect(answer.headers['retry-after']).toMatch(/^[1-9]\d*$/);
    expect(answer.text).toBe(JSON.stringify({ state, payload: null, details: help(state) }));
  }
});

test('/ready is 503 with Retry-After and names the unavailable part', async ({ port }) => {
  const ready = await call(await gatewayWithoutDatabase(port), 'GET', '/ready');
  const parts = { postgres: 'unavailable', temporal: 'ok', eventLoop: 'ok', process: 'ok' };
  expect(ready).toMatchObject({ status: 503, headers: { 'retry-after': '5' } });
  expect(JSON.parse(ready.text)).toEqual({
    state: 'SERVICE_UNAVAILABLE',
    payload: null,
    details: { parts },
  });
});

test('serves what needs no database: refusals, keys, health', async ({ port }) => {
  const gateway = await gatewayWithoutDatabase(port);
  const token = vendorToken(gateway);
  expect((await call(gateway, 'POST', '/api/v1/scent/offers', { token, body: {} })).status).toBe(
    400,
  );
  expect((await call(gateway, 'GET', '/api/v1/webhooks')).status).toBe(401);
  expect((await call(gateway, 'GET', '/nope')).status).toBe(404);
  expect((await call(gateway, 'GET', '/.well-known/jwks.json')).status).toBe(200);
  expect((await call(gateway, 'GET', '/health')).status).toBe(200);
});

test('refuses each call within two seconds without a database', async ({ port }) => {
  const gateway = await gatewayWithoutDatabase(port, 2);
  for (let index = 0; index < 20; index += 1) {
    const begun = performance.now();
    expect((await call(gateway, 'GET', '/ready')).status).toBe(503);
    expect(performance.now() - begun).toBeLessThan(2000);
  }
});
