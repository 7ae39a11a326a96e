import { expect, vi } from 'vitest';
import { startPollLoop } from '../../../relay/poll-loop.ts';
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

const untilHolds = (check: () => void) => vi.waitFor(check, { timeout: 60_000, interval: 20 });

test('fails no call while two API processes behind a proxy restart one after the other', async ({
  gateway,
  processes,
  proxy,
}) => {
  const environment = {
    // Long enough for the proxy to notice on a loaded machine.
    DRAIN_DELAY_MS: '3000',
    RATE_LIMIT_PER_MINUTE: '0',
    VENDOR_CONCURRENCY_MAX: '100',
    VENDOR_LIST_CONCURRENCY_MAX: '100',
  };
  const start = async () => {
    const api = await processes.startApi(environment);
    proxy.add(api.url);
    return api;
  };
  const untilReady = () => untilHolds(() => expect(proxy.ready()).toHaveLength(2));
  const running = await Promise.all([start(), start()]);
  await untilReady();

  const { newVendor } = await callersOf(gateway, proxy.url);
  const { token } = await newVendor('Vendor');
  const authorization = `Bearer ${await token()}`;
  const outcomes: string[] = [];
  const call = async (init: RequestInit, search = ''): Promise<void> => {
    const outcome = await fetch(`${proxy.url}/api/v1/scent/offers${search}`, init).then(
      async (response) => `${response.status} ${(await response.text()).slice(0, 20)}`,
      (error: unknown) => String(error),
    );
    outcomes.push(/^20[01] \{"state":"SUCCESS/.test(outcome) ? 'succeeded' : outcome);
  };
  const body = JSON.stringify(freeFormOffer);
  const headers = { authorization, 'content-type': 'application/json' };
  // Each caller makes its next call after the last.
  const callers = Array.from({ length: 6 }, () =>
    startPollLoop(async () => {
      await call({ method: 'POST', headers, body });
      await call({ headers: { authorization } }, '?pageSize=5');
      return { ms: 0 };
    }),
  );
  const untilCalled = () => {
    const before = outcomes.length;
    return untilHolds(() => expect(outcomes.length).toBeGreaterThan(before + 50));
  };
  for (const old of running) {
    await untilCalled();
    await old.end('SIGTERM');
    expect(old.lines.at(-1)).toMatchObject({ msg: 'api has stopped' });
    proxy.remove(old.url);
    await start();
    await untilReady();
  }
  await untilCalled();
  await Promise.all(callers.map((caller) => caller.stop()));
  expect(new Set(outcomes)).toEqual(new Set(['succeeded']));
});
