import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import { createClockActivities } from '../../activities/clock-advance.ts';
import { createInspectionActivities } from '../../activities/return-inspection.ts';
import { refreshRun } from '../../db/checks/request-runs.ts';
import { holdClock, lockClock, readClock } from '../../db/clock/clock-advances.ts';
import { connect, type Sql } from '../../db/core/client.ts';
import { databaseTest as test } from '../support/database/database-test.ts';
import { held, untilAnyLockWait } from '../support/database/locks.ts';
import { moveReturnTo, seedReturn } from '../support/returns/seed-returns.ts';
import { seedVariant, seedVendor } from '../support/seeds/seed.ts';
import { inStep } from '../deliveries/delivery-pipeline-fixture.ts';
import { advance, endByReset, hourMs, times } from '../workflows/clock-advance/clock-fixture.ts';

/** A vendor whose return's inspection is due on the way of its advance. */
async function newAdvance(sql: Sql) {
  const [vendorId, variantId] = [await seedVendor(sql), await seedVariant(sql)];
  const request = await seedReturn(sql, { vendorId, variantId, times });
  await moveReturnTo(sql, request, 'Received');
  await advance(sql, vendorId, 25 * hourMs);
  // No relay runs here.
  await sql`delete from outbox`;
  const { applyDueTransition } = createInspectionActivities({ sql });
  const act = async () => void (await applyDueTransition({ returnId: request.id }));
  return { vendorId, returnId: request.id, act };
}
const started = {
  line: null,
  lines: [expect.stringContaining('started') as string],
};

// With two, as many advances at a time as the pool has connections would stop the worker.
test('uses one connection at a time for each stop', async ({ database: { url }, sql }) => {
  const { vendorId, act } = await newAdvance(sql);
  const narrow = connect(url, { max: 1, name: 'one connection' });
  try {
    const { advanceClock } = createClockActivities({ sql: narrow, runs: { refresh: act } });
    expect(await inStep(() => advanceClock({ vendorId }))).toEqual({ ...started, isEnded: true });
  } finally {
    await narrow.end({ timeout: 1 });
  }
});

test('signals a run again after longer and longer waits until it acts', async ({ sql }) => {
  const { vendorId, act } = await newAdvance(sql);
  const signals: number[] = [];
  const refresh = async (_: string, returnIds: readonly string[]): Promise<void> => {
    if (returnIds.length === 0) return;
    signals.push(performance.now());
    if (signals.length === 3) await act();
  };
  const { advanceClock } = createClockActivities({ sql, runs: { refresh } });
  expect(await inStep(() => advanceClock({ vendorId }))).toEqual({ ...started, isEnded: false });
  const [first = 0, second = 0, third = 0] = signals;
  expect(second - first).toBeGreaterThan(1500);
  expect(third - second).toBeGreaterThan(3500);
});

test('moves on only after what is due before, and ends after the runs know', async ({ sql }) => {
  const { vendorId, returnId, act } = await newAdvance(sql);
  await refreshRun(sql, 'returnInspection', { id: randomUUID(), subjectId: returnId });
  const state = { hasMessage: true };
  const seen: (readonly [boolean, boolean])[] = [];
  const refresh = async (_: string, returnIds: readonly string[]): Promise<void> => {
    if (returnIds.length === 0) return;
    await delay(200);
    const { isAdvancing } = await readClock(sql, vendorId);
    seen.push([state.hasMessage, isAdvancing]);
    if (seen.length === 1) await act();
  };
  const { advanceClock } = createClockActivities({ sql, runs: { refresh } });
  const advanced = inStep(() => advanceClock({ vendorId }));
  await delay(1000);
  await sql`delete from outbox`;
  state.hasMessage = false;
  expect(await advanced).toEqual({ ...started, isEnded: true });
  expect(seen).toEqual([
    [false, true],
    [false, true],
  ]);
});

test('ends no later advance that the vendor begins after a reset meanwhile', async ({ sql }) => {
  const vendorId = await seedVendor(sql);
  await advance(sql, vendorId, hourMs);
  await sql`delete from outbox`;
  const again = {
    begin: async (): Promise<void> => {
      again.begin = () => Promise.resolve();
      await endByReset(sql, vendorId);
      await advance(sql, vendorId, hourMs);
      await holdClock(sql, vendorId);
    },
  };
  const { advanceClock } = createClockActivities({ sql, runs: { refresh: () => again.begin() } });
  await inStep(() => advanceClock({ vendorId }));
  const { isAdvancing, now, target } = await readClock(sql, vendorId);
  expect([isAdvancing, now < target]).toEqual([true, true]);
  const [{ stands }] = await sql<[{ stands: boolean }]>`
    select clock_stands_at is not null as stands from vendors where id = ${vendorId}`;
  expect(stands).toBe(true);
});

test('lets the clock run when a reset ends the advance as its run begins', async ({ sql }) => {
  const vendorId = await seedVendor(sql);
  await advance(sql, vendorId, hourMs);
  const reset = await held(sql, async (transaction) => {
    await lockClock(transaction, vendorId);
    await endByReset(transaction, vendorId);
  });
  const holding = holdClock(sql, vendorId);
  await untilAnyLockWait(sql);
  await reset();
  await holding;
  const [vendor] = await sql`select clock_stands_at from vendors where id = ${vendorId}`;
  expect(vendor).toEqual({ clockStandsAt: null });
});
