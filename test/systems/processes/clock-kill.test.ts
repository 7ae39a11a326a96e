import { expect, vi } from 'vitest';
import { moveReturnTo, seedReturn } from '../../support/returns/seed-returns.ts';
import { processTest } from '../../support/gateway/gateway-processes.ts';
import {
  advance,
  eventsOf,
  hourMs,
  newClockVendor,
  times,
  untilReady,
} from '../../workflows/clock-advance/clock-fixture.ts';

const test = processTest.extend('settings', { scope: 'file' }, ({ receiver }) => ({
  WEBHOOK_ALLOWED_ORIGINS: receiver.origin,
  WEBHOOK_RETRY_DELAYS_MS: Array.from({ length: 10 }, () => '500').join(','),
}));

const returns = 6;
const steps = [
  'vendor.return.inspection-started',
  'vendor.return.inspection-closing',
  'vendor.return.decided',
];

test(
  'D132: kill -9 of the worker during an advance loses, repeats and reorders nothing',
  { timeout: 180_000 },
  async ({ gateway, processes, receiver }) => {
    const { sql } = gateway;
    let worker = await processes.startWorker();
    const { vendorId, variantId } = await newClockVendor(gateway, receiver);
    const ids: string[] = [];
    for (let index = 0; index < returns; index += 1) {
      const request = await seedReturn(sql, { vendorId, variantId, times });
      ids.push((await moveReturnTo(sql, request, 'Received')).id);
    }
    await advance(gateway, vendorId, 97 * hourMs);
    for (const killedAt of [2, 8, 13]) {
      await vi.waitFor(
        async () => {
          const events = await eventsOf(sql, vendorId);
          expect(
            events.filter(({ eventType }) => steps.includes(eventType)).length,
          ).toBeGreaterThan(killedAt);
        },
        { timeout: 60_000, interval: 10 },
      );
      await worker.end('SIGKILL');
      worker = await processes.startWorker();
    }
    expect((await untilReady(gateway, vendorId)).stopReason).toBeNull();
    const events = await eventsOf(sql, vendorId);
    for (const id of ids) {
      const own = events.filter(
        ({ eventType, body }) => steps.includes(eventType) && body.includes(id),
      );
      expect(own.map(({ eventType }) => eventType)).toEqual(steps);
      const [first, , last] = own.map(({ occurredAt }) => occurredAt.getTime());
      const hours = ((last ?? 0) - (first ?? 0)) / hourMs;
      expect(hours).toBeGreaterThanOrEqual(72);
      // A lost worker costs seconds, in which the clock goes on.
      expect(hours).toBeLessThan(72.05);
    }
    const received = new Set(
      receiver.requests.map(({ body }) => (JSON.parse(body) as { eventId: string }).eventId),
    );
    for (const { body } of events)
      expect(received).toContain((JSON.parse(body) as { eventId: string }).eventId);
  },
);
