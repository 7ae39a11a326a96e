import { expect, vi } from 'vitest';
import { lockClock } from '../../../db/clock/clock-advances.ts';
import { clockAdvanceId } from '../../../workflows/ids.ts';
import { holdLock } from '../../support/database/locks.ts';
import { handOver, readDetails } from '../../support/gateway/runs.ts';
import { restartTest } from '../../support/gateway/workflow-test.ts';
import { recordHistory } from '../../support/history.ts';
import { deliveriesOf, emitTo, waiting } from '../../support/webhooks/delivery.ts';
import { status } from '../../support/webhooks/receiver.ts';
import {
  advance,
  advanceIn,
  eventsOf,
  hourMs,
  inspectionEvents,
  newClockVendor,
  seedReceived,
  untilReached,
  untilReady,
} from './clock-fixture.ts';

const test = restartTest
  .extend('settings', { scope: 'file' }, () => ({
    GATEWAY_ENVIRONMENT: 'Sandbox',
    WEBHOOK_RETRY_DELAYS_MS: Array.from({ length: 300 }, () => 60_000).join(','),
  }))
  .extend('vendor', ({ gateway, receiver }) => newClockVendor(gateway, receiver));

/** CLOCK_RETRY_STOPS=0 makes all 200 stops. */
const stopsBefore = Number(process.env['CLOCK_RETRY_STOPS'] ?? 195);

test('continues a long history as a new run (D132)', async ({ gateway, vendor }) => {
  const { sql, client } = gateway;
  const { vendorId } = vendor;
  await seedReceived(sql, vendor);
  await advance(sql, vendorId, 97 * hourMs);
  await handOver(gateway, { kind: 'clockAdvance', subjectId: vendorId, payload: {} });
  const run = client.workflow.getHandle(clockAdvanceId(vendorId));
  const { runId } = await run.describe();
  // The server suggests a new history from 4 MB on.
  for (let count = 0; count < 9; count += 1) await run.signal('changed', 'x'.repeat(500_000));
  // A run that was asked again while its only step was made goes on.
  await sql.begin(async (transaction) => {
    await lockClock(transaction, vendorId);
    await gateway.startWorker();
    await vi.waitFor(async () => {
      const [step] = (await run.describe()).raw.pendingActivities ?? [];
      expect(step?.lastStartedTime).toBeTruthy();
    }, 30_000);
    await run.signal('changed');
  });
  await untilReached(sql, vendorId);

  const steps = (await eventsOf(sql, vendorId)).slice(3).map(({ eventType }) => eventType);
  expect(steps).toEqual(inspectionEvents);
  await run.result();
  const first = client.workflow.getHandle(clockAdvanceId(vendorId), runId);
  expect((await first.describe()).status.name).toBe('CONTINUED_AS_NEW');
  await recordHistory(client, clockAdvanceId(vendorId), 'clock-advance-continued', runId);
  const details = await readDetails(client, clockAdvanceId(vendorId));
  expect(details.split('\n').filter((line) => line.trim() !== '')).toEqual([
    '**Ready**',
    expect.stringMatching(/silence decided RR-\d+; 3 of 3\.$/),
    expect.stringMatching(/was announced; 2 of 3\.$/),
    expect.stringMatching(/the inspection of .*; 1 of 3\.$/),
  ]);
});

test('ends a waiting advance with its worker, and continues it in the next one (D132)', async ({
  gateway,
  vendor,
}) => {
  const { sql, client } = gateway;
  const { vendorId } = vendor;
  await seedReceived(sql, vendor);
  await advance(sql, vendorId, 97 * hourMs);
  // No relay takes a message that another transaction has locked, and the clock waits for it.
  const release = await holdLock(
    sql,
    sql`select from outbox where kind = 'returnInspection' for update`,
  );
  const worker = await gateway.startWorker();
  await vi.waitFor(async () => {
    const run = await client.workflow.getHandle(clockAdvanceId(vendorId)).describe();
    expect(run.raw.pendingActivities?.[0]?.lastStartedTime).toBeTruthy();
  }, waiting);
  const begun = performance.now();
  await worker.stop();
  const stoppedMs = performance.now() - begun;
  await release();
  await gateway.startWorker();
  await untilReached(sql, vendorId);
  expect(stoppedMs).toBeLessThan(5000);
});

test(
  'ends an advance early after 200 stops at retries, and continues by a later one (D132)',
  { timeout: 360_000 },
  async ({ gateway, receiver, vendor, annotate }) => {
    const { sql, client } = gateway;
    const { vendorId, subscriptionId } = vendor;
    await gateway.startWorker();
    receiver.answerWith(status(503));
    await emitTo(sql, vendorId);
    await sql.begin(async (transaction) => {
      await advanceIn(transaction, vendorId, 10 * hourMs);
      await transaction`
        update clock_advances set stops = ${stopsBefore}, retry_stops = ${stopsBefore}
        where vendor_id = ${vendorId}`;
    });
    const begun = performance.now();
    const { stopReason, now, target } = await untilReady(sql, vendorId, 300_000);
    await annotate(`${((performance.now() - begun) / 1000).toFixed(1)} s`);
    expect(stopReason).toBe('FailingReceivers');
    expect(now.getTime()).toBeLessThan(target.getTime());
    const [counts] = await sql`
      select stops, retry_stops from clock_advances where vendor_id = ${vendorId}`;
    expect(counts).toEqual({ stops: 200, retryStops: 200 });
    const stopped = { state: 'waiting', attempts: 201 - stopsBefore };
    expect(await deliveriesOf(sql, vendorId)).toMatchObject([stopped]);
    await client.workflow.getHandle(clockAdvanceId(vendorId)).result();
    const at = now.toISOString().slice(0, 13).replace('T', ' ');
    expect(await readDetails(client, clockAdvanceId(vendorId))).toMatch(
      new RegExp(
        `^\\*\\*Ready\\*\\*\\s+At ${at}:\\d\\d .*early: .* ${subscriptionId} keeps failing`,
      ),
    );
    await recordHistory(client, clockAdvanceId(vendorId), 'clock-advance-failing-receivers');

    receiver.answerWith(status(200));
    await advance(sql, vendorId, hourMs);
    await untilReached(sql, vendorId);
    const delivered = { state: 'succeeded', attempts: 202 - stopsBefore };
    await vi.waitFor(async () => {
      expect(await deliveriesOf(sql, vendorId)).toMatchObject([delivered]);
    }, waiting);
  },
);
