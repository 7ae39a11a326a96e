import { expect, test, vi } from 'vitest';
import { moveReturnTo, seedReturn } from '../../support/returns/seed-returns.ts';
import {
  advance,
  eventsOf,
  hourMs,
  newClockVendor,
  times,
  untilReady,
} from '../../workflows/clock-advance/clock-fixture.ts';
import { kill } from './fault.ts';
import { startFaultGateway } from './gateway/fault-gateway.ts';

const returns = 8;
const steps = [
  'vendor.return.inspection-started',
  'vendor.return.inspection-closing',
  'vendor.return.decided',
];
const waiting = { timeout: 120_000, interval: 20 };

test(
  'D132: kill -9 of each process during an advance loses, repeats and reorders nothing',
  { timeout: 600_000 },
  async ({ onTestFinished }) => {
    const gateway = await startFaultGateway();
    onTestFinished(() => gateway.stop());
    const { sql, secretsKey, receiver } = gateway;
    const vendor = await newClockVendor(sql, secretsKey, receiver.flakyUrl);
    const { vendorId, variantId } = vendor;
    receiver.trust(vendor.secret);
    const ids: string[] = [];
    for (let index = 0; index < returns; index += 1) {
      const request = await seedReturn(sql, { vendorId, variantId, times });
      ids.push((await moveReturnTo(sql, request, 'Received')).id);
    }
    const stepEvents = async () =>
      (await eventsOf(sql, vendorId)).filter(({ eventType }) => steps.includes(eventType));
    await advance(sql, vendorId, 97 * hourMs);
    for (const [index, name] of (['worker', 'api', 'temporal', 'postgres'] as const).entries()) {
      const before = 2 + 5 * index;
      await vi.waitFor(
        async () => expect((await stepEvents()).length).toBeGreaterThan(before),
        waiting,
      );
      await kill(name)(gateway);
    }
    const clock = await vi.waitFor(() => untilReady(sql, vendorId, 300_000), waiting);
    expect(clock.stopReason).toBeNull();
    const events = await stepEvents();
    expect(events).toHaveLength(returns * steps.length);
    for (const id of ids) {
      const own = events.filter(({ body }) => body.includes(id));
      expect(own.map(({ eventType }) => eventType)).toEqual(steps);
      const [first = 0, , last = 0] = own.map(({ occurredAt }) => occurredAt.getTime());
      expect((last - first) / hourMs).toBeGreaterThanOrEqual(72);
      // A killed process costs some seconds, in which the clock goes on.
      expect((last - first) / hourMs).toBeLessThan(72.1);
    }
    for (const { body } of await eventsOf(sql, vendorId)) {
      const { eventId } = JSON.parse(body) as { eventId: string };
      expect(receiver.accepted(eventId), eventId).toBeGreaterThanOrEqual(1);
    }
    expect(receiver.unverified()).toBe(0);
    expect((await gateway.doctor()).code).toBe(0);
  },
);
