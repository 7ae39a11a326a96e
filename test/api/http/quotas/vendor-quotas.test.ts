import { expect, onTestFinished, vi } from 'vitest';
import { connect } from '../../../../db/core/client.ts';
import { addSubscription, deferred } from '../../../db/support.ts';
import { call, help, refusal, type ApiResponse, type Gateway } from '../../../support/api/api.ts';
import { countLockWaits, holdLock, untilLockWaits } from '../../../support/database/locks.ts';
import { holdOffer } from '../../../support/seeds/agreement.ts';
import { ask, baseUrlOf } from '../../error-codes/http.ts';
import { appWith } from '../../error-codes/slow-app.ts';
import { newOfferFixture } from '../../offers/offer-fixture.ts';
import { quotasOf, quotasTest as test, waitingMax } from './vendor-quotas-fixture.ts';

const offers = '/api/v1/scent/offers';

/** A pool of an API that ends with the test. */
function poolOf(url: string, max: number, options: { statementTimeoutMs?: number } = {}) {
  const pool = connect(url, { max, name: 'quotas', ...options });
  onTestFinished(() => pool.end({ timeout: 5 }));
  return pool;
}

/** The different states of responses. */
const statesOf = (responses: readonly ApiResponse[]) =>
  new Set(responses.map(({ state }) => state));

/**
 * An API with a pool of four connections, and a vendor whose offer is locked, so that each
 * withdrawal waits.
 */
async function attackOn(gateway: Gateway, url: string, calls = 2, handlerTimeoutMs = 15_000) {
  const own = { sql: poolOf(url, 4), vendorQuotas: quotasOf(calls) };
  const app = await appWith({ ...gateway.dependencies, ...own }, { handlerTimeoutMs });
  const { create, vendor } = await newOfferFixture(gateway);
  const { token } = vendor;
  const path = `${offers}/${await create()}`;
  const letGo = await holdOffer(gateway.sql, path.slice(offers.length + 1));
  onTestFinished(letGo);
  return {
    app,
    token,
    path: `${path}/withdraw`,
    letGo,
    read: () => call(app, 'GET', path, { token }),
    withdraw: () => call(app, 'POST', `${path}/withdraw`, { token }),
  };
}

const times = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);

test('serves others while calls of a vendor wait for a lock', async ({ gateway, database }) => {
  const { app, withdraw, letGo } = await attackOn(gateway, database.url);
  const other = await newOfferFixture(gateway);
  const theirs = await other.create();
  const calls = times(30, withdraw);
  await untilLockWaits(gateway.sql, 2);
  const { token } = other.vendor;
  expect((await call(app, 'GET', `${offers}/${theirs}`, { token })).status).toBe(200);
  expect(await countLockWaits(gateway.sql)).toBe(2);
  await letGo();
  // Each call that waited in the queue is answered: the first withdraws, the others find it
  // withdrawn.
  expect(statesOf(await Promise.all(calls))).toEqual(
    new Set(['SUCCESS', 'BUSINESS_OFFER_INVALID_TRANSITION']),
  );
});

test('returns 429 for a call beyond the queue', async ({ gateway, database }) => {
  const { withdraw, letGo } = await attackOn(gateway, database.url);
  const calls = times(2 + waitingMax, withdraw);
  await untilLockWaits(gateway.sql, 2);
  const refused = await withdraw();
  expect(refused).toMatchObject(refusal('TOO_MANY_REQUESTS'));
  expect(refused.headers['retry-after']).toBe('1');
  expect(refused.details).toEqual({
    reason: 'CALLS_IN_PROGRESS',
    message: expect.stringMatching(/^Too many calls of your account .+ at most 2 at a time/),
    maxInProgress: 2,
    ...help('TOO_MANY_REQUESTS'),
  });
  await letGo();
  await Promise.all(calls);
});

test('holds an aborted call’s permit until its statement ends', async ({ gateway, database }) => {
  const { app, token, path, letGo, read } = await attackOn(gateway, database.url);
  const url = `${await baseUrlOf(app.app)}${path}`;
  const headers = { authorization: `Bearer ${token}` };
  for (let round = 0; round < 5; round += 1) {
    const gone = new AbortController();
    const request = { method: 'POST', headers, signal: gone.signal };
    const sent = times(8, () => fetch(url, request).catch(() => undefined));
    await untilLockWaits(gateway.sql, 2);
    gone.abort();
    await Promise.all(sent);
    expect(await countLockWaits(gateway.sql)).toBe(2);
  }
  await letGo();
  // 40 calls were aborted; had one of them kept its permit, these would wait for 30 seconds.
  expect(statesOf(await Promise.all(times(6, read)))).toEqual(new Set(['SUCCESS']));
});

test('holds the permit of a 504 until its statement ends', async ({ gateway, database }) => {
  const { app, token, path, letGo, read } = await attackOn(gateway, database.url, 1, 300);
  const responses = await Promise.all(times(3, () => ask(app, 'POST', path, { token })));
  expect(responses.map(({ status }) => status)).toEqual([504, 504, 504]);
  await untilLockWaits(gateway.sql, 1);
  await letGo();
  const waiting = { timeout: 20_000 };
  await vi.waitFor(async () => expect((await read()).state).toBe('SUCCESS'), waiting);
});

const fail = (): never => {
  throw new Error('a bug');
};

test('releases the permit of a call that fails', async ({ gateway }) => {
  const sql = Object.assign(fail, gateway.sql, { unsafe: fail });
  const app = await appWith({ ...gateway.dependencies, sql, vendorQuotas: quotasOf(1) });
  const { vendor } = await newOfferFixture(gateway);
  for (let calls = 0; calls < 3; calls += 1)
    expect((await call(app, 'GET', `${offers}/${vendor.vendorId}`, vendor)).status).toBe(500);
});

test('delays no other call while a sample waits for its attempt', async ({ gateway }) => {
  const { create, vendor } = await newOfferFixture(gateway);
  const { token, vendorId } = vendor;
  const id = await create();
  const answered = deferred<void>();
  const waitFor = vi.fn(async () => {
    await answered.promise;
    throw new Error('the worker is gone');
  });
  const testFires = { ...gateway.dependencies.testFires, waitFor };
  const app = await appWith({ ...gateway.dependencies, testFires, vendorQuotas: quotasOf(1) });
  const subscriptionId = await addSubscription(gateway.sql, vendorId);
  const fired = call(app, 'POST', `/api/v1/webhooks/${subscriptionId}/test-fire`, {
    token,
    body: { eventType: 'vendor.offer.review-decision' },
  });
  await vi.waitFor(() => expect(waitFor).toHaveBeenCalledOnce(), 20_000);
  expect((await call(app, 'GET', `${offers}/${id}`, { token })).state).toBe('SUCCESS');
  answered.resolve();
  expect((await fired).status).toBe(500);
});

/** Every list of subscriptions waits until the returned function is called. */
const lockSubscriptions = async ({ sql }: Gateway) => {
  const release = await holdLock(
    sql,
    sql`lock table webhook_subscriptions in access exclusive mode`,
  );
  onTestFinished(release);
  return release;
};

test('delays no push and no /health during slow lists', async ({ gateway, database }) => {
  const lists = poolOf(database.url, 1);
  const app = await appWith({ ...gateway.dependencies, lists, vendorQuotas: quotasOf(1) });
  const { create, vendor } = await newOfferFixture(gateway);
  const { token } = vendor;
  const id = await create();
  const release = await lockSubscriptions(gateway);
  const slow = times(20, () => call(app, 'GET', '/api/v1/webhooks', { token }));
  await untilLockWaits(gateway.sql, 1);
  const body = { declaredInStock: true, declaredStockQuantity: 7 };
  const push = await call(app, 'PATCH', `${offers}/${id}/stock`, { token, body });
  expect(push.state).toBe('SUCCESS');
  for (const url of ['/health', '/ready']) expect((await call(app, 'GET', url)).status).toBe(200);
  expect(await countLockWaits(gateway.sql)).toBe(1);
  await release();
  expect(statesOf(await Promise.all(slow))).toEqual(new Set(['SUCCESS']));
});

test('returns 504 for a slow list at its time limit', async ({ gateway, database }) => {
  const app = await appWith({
    ...gateway.dependencies,
    lists: poolOf(database.url, 1, { statementTimeoutMs: 200 }),
  });
  const { vendor, operator } = await newOfferFixture(gateway);
  await lockSubscriptions(gateway);
  for (const [url, { token }] of [
    ['/api/v1/webhooks', vendor],
    ['/operator/v1/webhook-subscriptions', operator],
  ] as const) {
    const response = await call(app, 'GET', url, { token });
    expect(response).toMatchObject({ status: 504, state: 'GATEWAY_TIMEOUT' });
    expect(response.details).toEqual({
      reason: 'LIST_TIMEOUT',
      message: expect.stringContaining('Narrow its filter'),
      ...help('GATEWAY_TIMEOUT'),
    });
  }
});
