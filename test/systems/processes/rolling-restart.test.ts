import { expect, vi } from 'vitest';
import type { Dependencies } from '../../../api/dependencies.ts';
import { createTokens } from '../../../api/auth/tokens.ts';
import { startPollLoop } from '../../../relay/poll-loop.ts';
import { fixedRing } from '../../../security/key-ring.ts';
import { freeFormOffer, newVendor, type TestVendor } from '../../support/api/actors.ts';
import { processTest } from '../../support/gateway/gateway-processes.ts';
import type { TestGateway } from '../../support/gateway/gateway.ts';
import { startReadyProxy } from '../../support/gateway/ready-proxy.ts';
import { createDeliveryFixture, deliveriesOf } from '../../support/webhooks/delivery.ts';

/** Processes of the same kind are replaced one after the other while calls and events go on. */

const test = processTest
  .extend('settings', { scope: 'file' }, ({ receiver }) => ({
    WEBHOOK_ALLOWED_ORIGINS: receiver.origin,
    // A fifth of the requests fail: nothing becomes a dead letter.
    WEBHOOK_RETRY_DELAYS_MS: Array.from({ length: 10 }, () => '500').join(','),
  }))
  .extend('proxy', async ({}, { onCleanup }) => {
    const proxy = await startReadyProxy(50);
    onCleanup(() => proxy.close());
    return proxy;
  });

const waiting = { timeout: 60_000, interval: 20 };
/** Each test starts four processes, one after the other. */
const timeout = 180_000;

/** The gateway of the test with what makes its tokens. */
function vendorOf({ sql, config }: TestGateway): Promise<TestVendor> {
  const ring = fixedRing({ signingKey: config.JWT_SIGNING_KEY });
  const environment = 'Production';
  const tokens = createTokens({ issuer: config.JWT_ISSUER, environment, ring: () => ring });
  // The vendor's token needs no other dependency.
  return newVendor({ sql, dependencies: { tokens, environment } as Dependencies });
}

/** Creates offers and reads them, by several callers, each with its next call after the last. */
function startCallers(url: string, { token }: TestVendor, callers: number) {
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

/** The deliveries that have an attempt left. */
async function waitingOf({ sql }: TestGateway, { vendorId }: { readonly vendorId: string }) {
  const [row] = await sql<[{ waiting: number }]>`
    select count(*)::int as waiting from webhook_deliveries
    where vendor_id = ${vendorId} and state = 'waiting'`;
  return row.waiting;
}

test(
  'two API processes restart one after the other behind a proxy and no call fails',
  { timeout },
  async ({ gateway, processes, proxy }) => {
    const vendor = await vendorOf(gateway);
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

    const callers = startCallers(proxy.url, vendor, 6);
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

test(
  'two workers restart one after the other while events go on, and each event arrives',
  { timeout },
  async ({ gateway, processes, receiver, onTestFinished }) => {
    const fixture = await createDeliveryFixture(gateway, receiver);
    receiver.answerWith((response, count) => {
      setTimeout(() => response.writeHead(count % 5 === 0 ? 503 : 200).end(), 30);
    });
    const running = await Promise.all([processes.startWorker(), processes.startWorker()]);
    let emitted = 0;
    const emitting = startPollLoop(async () => {
      await fixture.emitMany(5);
      emitted += 5;
      // A load that the workers keep up with.
      await vi.waitFor(
        async () => expect(await waitingOf(gateway, fixture)).toBeLessThan(20),
        waiting,
      );
      return { ms: 0 };
    });
    onTestFinished(emitting.stop);
    for (const old of running) {
      const before = emitted;
      await vi.waitFor(() => expect(emitted).toBeGreaterThan(before + 50), waiting);
      await old.end('SIGTERM');
      expect(old.lines.at(-1)).toMatchObject({ msg: 'worker has stopped' });
      await processes.startWorker();
    }
    await emitting.stop();
    await vi.waitFor(async () => {
      const [row] = await gateway.sql<[{ total: number; succeeded: number }]>`
      select count(*)::int as total, count(*) filter (where state = 'succeeded')::int as succeeded
      from webhook_deliveries where vendor_id = ${fixture.vendorId}`;
      expect(row).toEqual({ total: emitted, succeeded: emitted });
    }, waiting);
    const deliveries = await deliveriesOf(gateway.sql, fixture.vendorId);
    for (const delivery of deliveries)
      expect(fixture.requestsOf(delivery).length).toBeGreaterThan(0);
  },
);
