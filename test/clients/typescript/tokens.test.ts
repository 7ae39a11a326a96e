import { once } from 'node:events';
import { inspect } from 'node:util';
import { afterEach, expect, vi } from 'vitest';
import { VendorGatewayError } from '../../../clients/typescript/src/core/errors.ts';
import { createTokenSource } from '../../../clients/typescript/src/core/tokens.ts';
import { clientTest as test, logIn, refuse, refuseFirst } from './client-fixture.ts';

afterEach(() => {
  vi.useRealTimers();
});

const profile = 'GET /api/v1/vendor/profile';
const isProfile = (request: Request): boolean => request.url.endsWith('/vendor/profile');
const isLogIn = (request: Request): boolean => request.url.endsWith('/auth/token');

test('logs in once for all calls, also for concurrent ones', async ({ clients }) => {
  const { client, calls } = clients.connect();
  await Promise.all([client.profile.get(), client.profile.get(), client.profile.get()]);
  await client.profile.get();
  expect(calls).toEqual([logIn, profile, profile, profile, profile]);
});

test('renews a token 30 seconds before its end, and not earlier', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  let issued = 0;
  const tokens = createTokenSource(() => {
    issued += 1;
    return Promise.resolve({ accessToken: `token-${issued}`, expiresIn: 300 });
  });
  const { signal } = new AbortController();
  expect(await tokens.get(signal)).toBe('token-1');
  vi.setSystemTime(Date.now() + 269_999);
  expect(await tokens.get(signal)).toBe('token-1');
  vi.setSystemTime(Date.now() + 1);
  expect(await tokens.get(signal)).toBe('token-2');
});

test('sends a call whose token has expired once more, with a new token', async ({ clients }) => {
  const { client, calls } = clients.connect(
    refuseFirst(isProfile, () => refuse(401, 'UNAUTHORIZED_TOKEN_EXPIRED')),
  );
  await expect(client.profile.get()).resolves.toMatchObject({ id: clients.vendor.vendorId });
  expect(calls).toEqual([logIn, profile, logIn, profile]);
});

test('logs in no third time after a token was refused twice', async ({ clients }) => {
  const { client, calls } = clients.connect((request) =>
    isProfile(request) ? refuse(401, 'UNAUTHORIZED_INVALID_TOKEN') : undefined,
  );
  await expect(client.profile.get()).rejects.toMatchObject({ state: 'UNAUTHORIZED_INVALID_TOKEN' });
  expect(calls).toEqual([logIn, profile, logIn, profile]);
});

test('keeps the token after a fault of the gateway with status 401', async ({ clients }) => {
  const { client, calls } = clients.connect(
    refuseFirst(isProfile, () => refuse(401, 'UPSTREAM_AUTH_FAILED')),
  );
  await expect(client.profile.get()).rejects.toMatchObject({ state: 'UPSTREAM_AUTH_FAILED' });
  await client.profile.get();
  expect(calls).toEqual([logIn, profile, profile]);
});

test('continues a log-in for the other callers when one aborts', async ({ clients }) => {
  const held = new EventTarget();
  const { client, calls } = clients.connect((request) =>
    isLogIn(request) ? once(held, 'release').then(() => fetch(request)) : undefined,
  );
  const stop = new AbortController();
  const stopped = client.profile.get({ signal: stop.signal });
  const other = client.profile.get();
  stop.abort(new Error('stopped'));
  await expect(stopped).rejects.toThrow('stopped');
  held.dispatchEvent(new Event('release'));
  await expect(other).resolves.toMatchObject({ id: clients.vendor.vendorId });
  expect(calls).toEqual([logIn, profile]);
});

/** A client whose log-in gets no answer before its signal aborts, and the requests of it. */
function silentLogIn() {
  const requests: Request[] = [];
  const unanswered = (request: Request): Promise<Response> => {
    requests.push(request);
    return new Promise((_resolve, reject) => {
      request.signal.addEventListener('abort', () => reject(request.signal.reason as Error));
    });
  };
  return { requests, unanswered };
}

test('ends a log-in when the last call that waits for it is aborted', async ({ clients }) => {
  const { requests, unanswered } = silentLogIn();
  const { client } = clients.connect((request) =>
    requests.length === 0 ? unanswered(request) : undefined,
  );
  const [first, last] = [new AbortController(), new AbortController()];
  const calls = [first, last].map(({ signal }) => client.profile.get({ signal }));
  for (const call of calls) call.catch(() => {});
  await vi.waitUntil(() => requests.length === 1);
  first.abort(new Error('stopped'));
  await expect(calls[0]).rejects.toThrow('stopped');
  expect(requests[0]?.signal.aborted).toBe(false);
  last.abort(new Error('stopped'));
  await expect(calls[1]).rejects.toThrow('stopped');
  expect(requests[0]?.signal.aborted).toBe(true);
  // A later call logs in anew.
  await expect(client.profile.get()).resolves.toMatchObject({ id: clients.vendor.vendorId });
});

test('keeps a log-in that outlasts the time of its call', async ({ clients }) => {
  const { requests, unanswered } = silentLogIn();
  const { client } = clients.connect(unanswered, { retry: { timeoutMs: 300 } });
  const call = client.profile.get({ signal: AbortSignal.timeout(50) });
  await expect(call).rejects.toMatchObject({ name: 'TimeoutError' });
  expect(requests.map(({ signal }) => signal.aborted)).toEqual([false]);
});

test('shows no secret or token in an error', async ({ clients }) => {
  const clientSecret = 'vs_the-secret-of-the-test';
  const { client } = clients.connect(undefined, { clientSecret });
  const refused: unknown = await client.profile.get().catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(VendorGatewayError);
  expect(refused).toMatchObject({ state: 'UNAUTHORIZED_INVALID_CREDENTIALS', status: 401 });

  const { client: other } = clients.connect(
    (request) => {
      if (isLogIn(request)) return undefined;
      const { headers } = request;
      const leak = Object.assign(new Error(`with ${headers.get('authorization')}`), { headers });
      return Promise.reject(leak);
    },
    { retry: { attemptsMax: 1 } },
  );
  const lost: unknown = await other.profile.get().catch((error: unknown) => error);
  expect(lost).toMatchObject({ state: 'CONNECTION_FAILED', status: 0 });
  const shown = inspect([refused, lost, client, other], { depth: 9, showHidden: true });
  expect(shown).not.toContain(clientSecret);
  expect(shown).not.toMatch(/Bearer|eyJ/);
});
