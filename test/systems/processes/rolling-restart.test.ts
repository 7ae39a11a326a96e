import { expect, vi } from 'vitest';
import { freeFormOffer } from '../../support/api/actors.ts';
import { processTest } from '../../support/gateway/gateway-processes.ts';
import { startReadyProxy } from '../../support/gateway/ready-proxy.ts';
import { callersOf } from './callers.ts';

// secrets-key-rotation.test.ts replaces workers one after the other while events go on.

const test = processTest.extend('proxy', async ({}, { onCleanup }) => {
  const proxy = await startReadyProxy(50);
  onCleanup(() => proxy.close());
  return proxy;
});

const waiting = { timeout: 60_000, interval: 20 };

/** Creates offers and reads them, by several callers, each with its next call after the last. */
function startCallers(url: string, token: string, callers: number) {
  const seen = { statuses: new Map<string, number>(), calls: 0, isOver: false };
  const call = async (init: RequestInit, path: string): Promise<void> => {
    const outcome = await fetch(`${url}${path}`, init).then(
      async (response) => `${response.status} ${(await response.text()).slice(0, 20)}`,
      (error: unknown) => String(error),
    );
    const name = /^20[01] \{"state":"SUCCESS/.test(outcome) ? 'succeeded' : outcome;
    seen.statuses.set(name, (seen.statuses.get(name) ?? 0) + 1);
    seen.calls += 1;
  };
  const authorization = `Bearer ${token}`;
  const run = async (): Promise<void> => {
    while (!seen.isOver) {
      const body = JSON.stringify(freeFormOffer);
      const headers = { authorization, 'content-type': 'application/json' };
      await call({ method: 'POST', headers, body }, '/api/v1/scent/offers');
      await call({ headers: { authorization } }, '/api/v1/scent/offers?pageSize=5');
    }
  };
  const ended = Promise.all(Array.from({ length: callers }, run));
  return {
    seen,
    stop: async () => {
      seen.isOver = true;
      await ended;
    },
  };
}

test(
  'two API processes restart one after the other behind a proxy and no call fails',
  { timeout: 180_000 },
  async ({ gateway, processes, proxy }) => {
    const environment = {
      // Long enough for the proxy to notice on a loaded machine.
      DRAIN_DELAY_MS: '3000',
      RATE_LIMIT_PER_MINUTE: '0',
      VENDOR_CONCURRENCY_MAX: '100',
      VENDOR_LIST_CONCURRENCY_MAX: '100',
    };
    const running = await Promise.all([
      processes.startApi(environment),
      processes.startApi(environment),
    ]);
    for (const { url } of running) proxy.add(url);
    await vi.waitFor(() => expect(proxy.ready()).toHaveLength(2), waiting);

    const { newVendor } = await callersOf(gateway, proxy.url);
    const { token } = await newVendor('Vendor');
    const callers = startCallers(proxy.url, await token(), 6);
    for (const old of running) {
      const before = callers.seen.calls;
      await vi.waitFor(() => expect(callers.seen.calls).toBeGreaterThan(before + 50), waiting);
      await old.end('SIGTERM');
      expect(old.lines.at(-1)).toMatchObject({ msg: 'api has stopped' });
      proxy.remove(old.url);
      const next = await processes.startApi(environment);
      proxy.add(next.url);
      await vi.waitFor(() => expect(proxy.ready()).toHaveLength(2), waiting);
    }
    const before = callers.seen.calls;
    await vi.waitFor(() => expect(callers.seen.calls).toBeGreaterThan(before + 50), waiting);
    await callers.stop();
    expect([...callers.seen.statuses.keys()]).toEqual(['succeeded']);
  },
);
