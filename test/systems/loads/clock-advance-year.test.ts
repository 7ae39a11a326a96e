import { expect } from 'vitest';
import { workflowTest as test } from '../../support/gateway/workflow-test.ts';
import {
  advance,
  eventsOf,
  hourMs,
  newClockVendor,
  seedReceived,
  times,
  untilReady,
} from '../../workflows/clock-advance/clock-fixture.ts';

/** CLOCK_RETURNS=200 measures a year of 200 returns. */
const returns = Number(process.env['CLOCK_RETURNS'] ?? 12);
const dayMs = 24 * hourMs;

test(
  'makes each return due at its own time and in order in a year of advances (D132)',
  { timeout: 1_800_000 },
  async ({ gateway, receiver, annotate }) => {
    const { sql } = gateway;
    const { vendorId, variantId } = await newClockVendor(gateway, receiver);
    for (let index = 0; index < returns; index += 1) {
      const startMs = dayMs + Math.round((index * 355 * dayMs) / returns);
      await seedReceived(sql, { vendorId, variantId, times: { ...times, startMs } });
    }
    const begunMs = performance.now();
    for (const days of [...Array.from({ length: 12 }, () => 30), 5]) {
      await advance(sql, vendorId, days * dayMs);
      expect((await untilReady(sql, vendorId, 900_000)).stopReason).toBeNull();
    }
    const seconds = (performance.now() - begunMs) / 1000;
    await annotate(`${returns} returns in ${seconds.toFixed(1)} s`);
    const events = (await eventsOf(sql, vendorId)).slice(3 * returns);
    expect(events).toHaveLength(3 * returns);
    const instants = events.map(({ occurredAt }) => occurredAt.getTime());
    expect(instants).toEqual(instants.toSorted((one, other) => one - other));
    const rows = await sql<{ lateMs: number }[]>`
      select extract(epoch from inspection_started_at - received_at)::float8 * 1000
        - inspection_start_ms as late_ms
      from return_requests where vendor_id = ${vendorId}`;
    expect(Math.max(...rows.map(({ lateMs }) => lateMs))).toBeLessThan(60_000);
    expect(Math.min(...rows.map(({ lateMs }) => lateMs))).toBeGreaterThanOrEqual(0);
  },
);
