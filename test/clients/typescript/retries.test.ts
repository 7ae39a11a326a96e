import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createVendorClient } from '../../../clients/typescript/src/client.ts';
import type { RetryOptions } from '../../../clients/typescript/src/core/send.ts';
import { refuse } from './client-fixture.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const offer = { cost: 1, costIsVatInclusive: false };
const success = () => Response.json({ state: 'SUCCESS', payload: {}, details: {} });
const busy = (headers?: Readonly<Record<string, string>>) => () =>
  refuse(429, 'TOO_MANY_REQUESTS', headers);
const unavailable = () => refuse(503, 'SERVICE_UNAVAILABLE', { 'retry-after': '5' });
const page = (status: number) => () => new Response('<html>', { status });
const lost = () => Promise.reject(Object.assign(new Error('cut'), { code: 'ECONNRESET' }));

const key = (idempotencyKey: string) => ({ idempotencyKey });

/**
 * A client of which `answers` answer the calls; `sentAt` has their times after the first, `keys`
 * their idempotency keys.
 */
function clientOf(
  answers: readonly (() => Response | Promise<Response>)[],
  retry: RetryOptions = {},
) {
  const sentAt: number[] = [];
  const keys: (string | null)[] = [];
  const startedAt = Date.now();
  const left = [...answers];
  const client = createVendorClient({
    baseUrl: 'https://gateway.test',
    clientId: 'vc_1',
    clientSecret: 'vs_1',
    retry,
    fetch: (request) => {
      if (request.url.endsWith('/auth/token')) {
        const payload = { accessToken: 'token', tokenType: 'Bearer', expiresIn: 300 };
        return Promise.resolve(Response.json({ state: 'SUCCESS', payload, details: {} }));
      }
      sentAt.push(Date.now() - startedAt);
      keys.push(request.headers.get('idempotency-key'));
      return Promise.resolve((left.shift() ?? success)());
    },
  });
  return { client, sentAt, keys };
}

/** Passes the time until a call has ended. */
async function end<T>(call: Promise<T>): Promise<T | Error> {
  const ended = call.catch((error: unknown) => error as Error);
  for (;;) {
    // Requests and bodies are read in real time.
    const turn = new Promise<null>((resolve) => {
      setImmediate(resolve, null);
    });
    const first = await Promise.race([ended, turn]);
    if (first !== null) return first;
    await vi.advanceTimersByTimeAsync(100);
  }
}

test('options that no call could use are refused at once', () => {
  const options = { baseUrl: 'https://gateway.test', clientId: 'vc_1', clientSecret: 'vs_1' };
  expect(() => createVendorClient({ ...options, baseUrl: '' })).toThrow(/baseUrl/);
  expect(() => createVendorClient({ ...options, clientSecret: '' })).toThrow(/clientSecret/);
});

test('429 is retried after Retry-After with jitter, whatever the operation', async () => {
  const { client, sentAt } = clientOf([busy({ 'retry-after': '7' })]);
  expect(await end(client.offers.create(offer))).toEqual({});
  expect(sentAt).toHaveLength(2);
  expect(sentAt[1]).toBeGreaterThanOrEqual(7000);
  expect(sentAt[1]).toBeLessThan(8500);
});

test('without Retry-After the client backs off, and gives up after its attempts', async () => {
  const { client, sentAt } = clientOf(Array.from({ length: 9 }, () => busy()));
  const error = await end(client.profile.get());
  expect(error).toMatchObject({ state: 'TOO_MANY_REQUESTS', requestId: 'request-1' });
  expect(sentAt).toHaveLength(6);
  expect(sentAt[5]).toBeGreaterThanOrEqual(15_500);
  expect(sentAt[5]).toBeLessThan(31_500);
});

test('a wait beyond the time of the call is not begun', async () => {
  const { client, sentAt } = clientOf([busy({ 'retry-after': '61' })]);
  const error = await end(client.profile.get());
  expect(error).toMatchObject({ state: 'TOO_MANY_REQUESTS', retryAfterMs: 61_000 });
  expect(sentAt).toHaveLength(1);
});

test.each([
  ['502', () => refuse(502, 'BAD_GATEWAY')],
  ['503', unavailable],
  ['504', () => refuse(504, 'GATEWAY_TIMEOUT')],
  ['a lost connection', lost],
])('after %s a call is sent again if it may have been carried out before', async (_name, fail) => {
  const id = '01a1fde2-be11-7116-937e-3d3f6fa0caf3';
  const { client, sentAt } = clientOf([fail, success, fail, success, fail, success, fail, success]);
  expect(await end(client.offers.get(id))).toEqual({});
  expect(await end(client.offers.pushCost(id, offer))).toEqual({});
  expect(await end(client.offers.create({ ...offer, vendorExternalId: 'oud-50' }))).toEqual({});
  expect(await end(client.webhooks.delete(id))).toEqual({});
  expect(sentAt).toHaveLength(8);
});

test.each([
  ['503', unavailable, 'SERVICE_UNAVAILABLE'],
  ['a lost connection', lost, 'CONNECTION_FAILED'],
])('after %s a call that is not idempotent is not sent again', async (_name, fail, state) => {
  const { client, sentAt } = clientOf([fail, fail, fail]);
  expect(await end(client.offers.create(offer))).toMatchObject({ state });
  expect(await end(client.offers.create({ ...offer, vendorExternalId: ' ' }))).toMatchObject({
    state,
  });
  expect(await end(client.orders.ship('01a1fde2-be11-7116-937e-3d3f6fa0caf3'))).toMatchObject({
    state,
  });
  expect(sentAt).toHaveLength(3);
});

test.each([
  ['503', unavailable],
  ['504', () => refuse(504, 'GATEWAY_TIMEOUT')],
  ['a lost connection', lost],
])('after %s a create with a key is sent again with its key', async (_name, fail) => {
  const answers = Array.from({ length: 4 }, () => [fail, success]).flat();
  const { client, sentAt, keys } = clientOf(answers);
  const id = '01a1fde2-be11-7116-937e-3d3f6fa0caf3';
  const url = 'https://vendor.example.org/';
  expect(await end(client.offers.create(offer, key('1')))).toEqual({});
  expect(await end(client.returns.addEvidence(id, { url, kind: 'Photo' }, key('2')))).toEqual({});
  const subscription = { url, eventTypes: ['vendor.order.assigned' as const] };
  expect(await end(client.webhooks.create(subscription, key('3')))).toEqual({});
  expect(await end(client.credentials.create({ capabilities: 'Stock' }, key('4')))).toEqual({});
  expect(sentAt).toHaveLength(8);
  expect(keys).toEqual(['1', '1', '2', '2', '3', '3', '4', '4']);
});

test('an abort ends the wait for a retry with the reason of the signal', async () => {
  const stop = new AbortController();
  const { client, sentAt } = clientOf([
    () => {
      setImmediate(() => {
        stop.abort(new Error('stopped'));
      });
      return busy({ 'retry-after': '30' })();
    },
  ]);
  const ended = await end(client.profile.get({ signal: stop.signal }));
  expect(ended).toEqual(new Error('stopped'));
  expect(sentAt).toHaveLength(1);
});

test("what is not the gateway's answer is an error, a success of a proxy too", async () => {
  const { client } = clientOf([page(200), page(404)]);
  expect(await end(client.profile.get())).toMatchObject({ state: 'INVALID_RESPONSE', status: 200 });
  expect(await end(client.profile.get())).toMatchObject({ state: 'INVALID_RESPONSE', status: 404 });
});

test('a code that this version does not know keeps its text and details', async () => {
  const details = { reason: 'NEW' };
  const body = { state: 'BUSINESS_NEW', payload: null, details };
  const { client } = clientOf([() => Response.json(body, { status: 422 })]);
  expect(await end(client.profile.get())).toMatchObject({
    state: 'UNKNOWN',
    status: 422,
    details: { code: 'BUSINESS_NEW', details },
  });
});
