import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createVendorClient } from '../../../clients/typescript/src/client.ts';
import { refuse } from './client-fixture.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

type Respond = () => Response | Promise<Response>;

const options = { baseUrl: 'https://gateway.test', clientId: 'vc_1', clientSecret: 'vs_1' };
const id = '01a1fde2-be11-7116-937e-3d3f6fa0caf3';
const url = 'https://vendor.example.org/';
const offer = { cost: 1, costIsVatInclusive: false };
const job = { kind: 'createOffers' as const, items: [offer] };
const key = (idempotencyKey: string) => ({ idempotencyKey });
const succeed = (payload = {}) => Response.json({ state: 'SUCCESS', payload, details: {} });
const busy = (headers?: Readonly<Record<string, string>>) => () =>
  refuse(429, 'TOO_MANY_REQUESTS', headers);
const page = (status: number) => () => new Response('<html>', { status });

/** After each of these, the gateway may have carried the call out. */
const failures: readonly (readonly [state: string, status: number, Respond])[] = [
  ['BAD_GATEWAY', 502, () => refuse(502, 'BAD_GATEWAY')],
  ['SERVICE_UNAVAILABLE', 503, () => refuse(503, 'SERVICE_UNAVAILABLE', { 'retry-after': '5' })],
  ['GATEWAY_TIMEOUT', 504, () => refuse(504, 'GATEWAY_TIMEOUT')],
  [
    'CONNECTION_FAILED',
    0,
    () => Promise.reject(Object.assign(new Error('cut'), { code: 'ECONNRESET' })),
  ],
];

/**
 * A client whose calls `responders` answer; `sentAt` has their times after the first, `keys` their
 * idempotency keys.
 */
function clientOf(...responders: readonly Respond[]) {
  const sentAt: number[] = [];
  const keys: (string | null)[] = [];
  const startedAt = Date.now();
  const left = [...responders];
  const client = createVendorClient({
    ...options,
    fetch: (request) => {
      if (request.url.endsWith('/auth/token'))
        return Promise.resolve(succeed({ accessToken: 'token', expiresIn: 300 }));
      sentAt.push(Date.now() - startedAt);
      keys.push(request.headers.get('idempotency-key'));
      return Promise.resolve((left.shift() ?? succeed)());
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

test.for(['baseUrl', 'clientSecret'])('refuses an empty %s at once', (name) => {
  expect(() => createVendorClient({ ...options, [name]: '' })).toThrow(name);
});

test('retries any operation refused with 429, after Retry-After with jitter', async () => {
  const { client, sentAt } = clientOf(busy({ 'retry-after': '7' }));
  expect(await end(client.offers.create(offer))).toEqual({});
  expect(sentAt).toHaveLength(2);
  expect(sentAt[1]).toBeGreaterThanOrEqual(7000);
  expect(sentAt[1]).toBeLessThan(8500);
});

test('backs off without Retry-After, and gives up after six attempts', async () => {
  const { client, sentAt } = clientOf(...Array.from({ length: 9 }, () => busy()));
  const error = await end(client.profile.get());
  expect(error).toMatchObject({ state: 'TOO_MANY_REQUESTS', requestId: 'request-1' });
  expect(sentAt).toHaveLength(6);
  expect(sentAt[5]).toBeGreaterThanOrEqual(15_500);
  expect(sentAt[5]).toBeLessThan(31_500);
});

test('begins no wait beyond the time of the call, and names the rate limit', async () => {
  const details = { message: 'The limit is 10 calls in 60 seconds.', maximum: 10 };
  const response = { state: 'TOO_MANY_REQUESTS', payload: null, details };
  const headers = { 'retry-after': '61' };
  const { client, sentAt } = clientOf(() => Response.json(response, { status: 429, headers }));
  expect(await end(client.profile.get())).toMatchObject({
    state: 'TOO_MANY_REQUESTS',
    retryAfterMs: 61_000,
    message: expect.stringMatching(/\(429\): The limit is 10 calls in 60 seconds\.$/),
  });
  expect(sentAt).toHaveLength(1);
});

test.for(failures)(
  'sends a repeatable call again after %s (%i), with its key',
  async ([_state, _status, fail]) => {
    const { client, keys } = clientOf(
      ...Array.from({ length: 9 }, () => [fail, () => succeed()]).flat(),
    );
    const subscription = { url, eventTypes: ['vendor.order.assigned' as const] };
    for (const call of [
      () => client.offers.get(id),
      () => client.offers.pushCost(id, offer),
      () => client.offers.create({ ...offer, vendorExternalId: 'oud-50' }),
      () => client.webhooks.delete(id),
      () => client.offers.create(offer, key('1')),
      () => client.returns.addEvidence(id, { url, kind: 'Photo' }, key('2')),
      () => client.webhooks.create(subscription, key('3')),
      () => client.credentials.create({ capabilities: 'Stock' }, key('4')),
      () => client.jobs.create(job, key('5')),
    ])
      expect(await end<unknown>(call())).toEqual({});
    expect(keys.join('')).toBe('1122334455');
    expect(keys.slice(0, 8)).toEqual(Array(8).fill(null));
  },
);

test.for(failures)(
  'sends a call that is not idempotent only once after %s (%i)',
  async ([state, status, fail]) => {
    const { client, sentAt } = clientOf(fail, fail, fail, fail);
    for (const call of [
      () => client.offers.create(offer),
      () => client.offers.create({ ...offer, vendorExternalId: ' ' }),
      () => client.jobs.create(job),
      () => client.orders.ship(id),
    ])
      expect(await end<unknown>(call())).toMatchObject({ state, status });
    expect(sentAt).toHaveLength(4);
  },
);

test('ends the wait for a retry at an abort with the reason of the signal', async () => {
  const stop = new AbortController();
  const { client, sentAt } = clientOf(() => {
    setImmediate(() => {
      stop.abort(new Error('stopped'));
    });
    return busy({ 'retry-after': '30' })();
  });
  const ended = await end(client.profile.get({ signal: stop.signal }));
  expect(ended).toEqual(new Error('stopped'));
  expect(sentAt).toHaveLength(1);
});

test.for([200, 404])(
  'throws for a page with status %i that is not the gateway’s',
  async (status) => {
    const { client } = clientOf(page(status));
    expect(await end(client.profile.get())).toMatchObject({ state: 'INVALID_RESPONSE', status });
  },
);

test('keeps text and details of a code that this version does not know', async () => {
  const details = { reason: 'NEW' };
  const body = { state: 'BUSINESS_NEW', payload: null, details };
  const { client } = clientOf(() => Response.json(body, { status: 422 }));
  expect(await end(client.profile.get())).toMatchObject({
    state: 'UNKNOWN',
    status: 422,
    details: { code: 'BUSINESS_NEW', details },
  });
});

// An exported file may be empty.
test.for([{ csv: '' }, { csv: new Uint8Array() }])('sends the empty file %j', async ({ csv }) => {
  const { client, sentAt } = clientOf(() => refuse(400, 'VALIDATION_ERRORS'));
  const error = await end(client.jobs.create({ kind: 'createOffers', csv }, key('1')));
  expect(error).toMatchObject({ state: 'VALIDATION_ERRORS' });
  expect(sentAt).toHaveLength(1);
});
