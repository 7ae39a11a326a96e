import { expect, inject, vi } from 'vitest';
import { processTest } from '../../support/gateway/gateway-processes.ts';
import { seedOffer, seedVendor } from '../../support/seeds/seed.ts';
import { startCutProxy } from '../../support/cut-proxy.ts';

const test = processTest.extend('temporal', async ({}, { onCleanup }) => {
  const proxy = await startCutProxy(Number(inject('temporalAddress').split(':')[1]));
  onCleanup(() => proxy.close());
  return proxy;
});

test.for([
  ['an API', 'startApi'],
  ['a worker', 'startWorker'],
] as const)(
  'hands over the messages that %s keeps claimed because it is frozen',
  { timeout: 240_000 },
  async ([_name, start], { gateway: { sql }, processes, temporal }) => {
    const frozen = await processes[start]({ TEMPORAL_ADDRESS: `127.0.0.1:${temporal.port}` });
    const vendorId = await seedVendor(sql);
    const messages = () => sql`select from outbox`;
    const untilHandedOver = (): Promise<void> =>
      vi.waitFor(async () => expect(await messages()).toHaveLength(0), {
        timeout: 90_000,
        interval: 50,
      });
    const expectClaimed = async (): Promise<void> => {
      expect(await messages()).toHaveLength(1);
      expect(await sql`select from outbox for update skip locked`).toHaveLength(0);
    };
    await seedOffer(sql, vendorId);
    await untilHandedOver();
    // The process waits for Temporal while it holds the claim.
    temporal.holdAll();
    await seedOffer(sql, vendorId);
    await vi.waitFor(
      async () => {
        process.kill(frozen.pid, 'SIGCONT');
        await expectClaimed();
        process.kill(frozen.pid, 'SIGSTOP');
        await expectClaimed();
      },
      { timeout: 60_000, interval: 20 },
    );
    await processes.startWorker();
    await untilHandedOver();
  },
);
