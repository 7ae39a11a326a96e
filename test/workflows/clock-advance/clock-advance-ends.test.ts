import { expect, vi } from 'vitest';
import { lockClock, startAdvance } from '../../../db/clock/clock-advances.ts';
import { advanceOffset } from '../../../domain/clock/advance.ts';
import { createMessageHandler } from '../../../temporal/message-handler.ts';
import { clockAdvanceId } from '../../../workflows/ids.ts';
import { expectValue } from '../../domain/offers/offer-builders.ts';
import { moveReturnTo, seedReturn } from '../../support/returns/seed-returns.ts';
import { recordHistory } from '../../support/history.ts';
import { restartTest } from '../../support/gateway/workflow-test.ts';
import { deliveriesOf, emitTo, waiting } from '../../support/webhooks/delivery.ts';
import { status } from '../../support/webhooks/receiver.ts';
import { advance, eventsOf, hourMs, newClockVendor, times, untilReady } from './clock-fixture.ts';

const delaysMs = Array.from({ length: 300 }, () => 60_000);

const test = restartTest.extend('settings', { scope: 'file' }, ({ receiver }) => ({
  GATEWAY_ENVIRONMENT: 'Sandbox',
  WEBHOOK_ALLOWED_ORIGINS: receiver.origin,
  WEBHOOK_RETRY_DELAYS_MS: delaysMs.join(','),
}));

/** CLOCK_RETRY_STOPS=0 makes all 200 stops. */
const stopsBefore = Number(process.env['CLOCK_RETRY_STOPS'] ?? 195);

test('D132: continues a long history as new', async ({ gateway, receiver }) => {
  const { sql, client, config } = gateway;
  const vendor = await newClockVendor(sql, config.SECRETS_KEY, receiver.url);
  const { vendorId } = vendor;
  await moveReturnTo(sql, await seedReturn(sql, { ...vendor, times }), 'Received');
  await advance(sql, vendorId, 97 * hourMs);
  const handle = createMessageHandler(client, {
    taskQueue: config.TEMPORAL_TASK_QUEUE,
    retryDelaysMs: [],
    timeoutMs: 1000,
  });
  await handle({ kind: 'clockAdvance', subjectId: vendorId, payload: {} });
  const run = client.workflow.getHandle(clockAdvanceId(vendorId));
  const { runId } = await run.describe();
  // The server suggests a new history from 4 MB on.
  for (let count = 0; count < 9; count += 1) await run.signal('changed', 'x'.repeat(500_000));
  await gateway.startWorker();
  expect((await untilReady(sql, vendorId)).stopReason).toBeNull();

  const steps = (await eventsOf(sql, vendorId)).slice(3).map(({ eventType }) => eventType);
  expect(steps).toEqual([
    'vendor.return.inspection-started',
    'vendor.return.inspection-closing',
    'vendor.return.decided',
  ]);
  await run.result();
  const first = client.workflow.getHandle(clockAdvanceId(vendorId), runId);
  expect((await first.describe()).status.name).toBe('CONTINUED_AS_NEW');
  await recordHistory(client, clockAdvanceId(vendorId), 'clock-advance-continued', runId);
  const { currentDetails = '' } = await run.query<{ currentDetails?: string }>(
    '__temporal_workflow_metadata',
  );
  const lines = currentDetails.split('\n').filter((line) => line.trim() !== '');
  expect(lines).toEqual([
    '**Ready**',
    expect.stringContaining('silence decided'),
    expect.stringContaining('was announced'),
    expect.stringContaining('the inspection of'),
  ]);
});

test(
  'D132: after 200 retry stops the advance ends early, and a later one continues it',
  { timeout: 360_000 },
  async ({ gateway, receiver, annotate }) => {
    const { sql, client, config } = gateway;
    await gateway.startWorker();
    const { vendorId } = await newClockVendor(sql, config.SECRETS_KEY, receiver.url);
    receiver.answerWith(status(503));
    await emitTo(sql, vendorId);
    await sql.begin(async (transaction) => {
      const clock = await lockClock(transaction, vendorId);
      await startAdvance(transaction, vendorId, expectValue(advanceOffset(clock, 10 * hourMs)));
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
    const [stopped] = await deliveriesOf(sql, vendorId);
    expect(stopped).toMatchObject({ state: 'waiting', attempts: 201 - stopsBefore });
    const run = client.workflow.getHandle(clockAdvanceId(vendorId));
    await run.result();
    const { currentDetails = '' } = await run.query<{ currentDetails?: string }>(
      '__temporal_workflow_metadata',
    );
    expect(currentDetails).toMatch(/^\*\*Ready\*\*\s+Stopped early: receivers keep failing\./);
    await recordHistory(client, clockAdvanceId(vendorId), 'clock-advance-failing-receivers');

    receiver.answerWith(status(200));
    await advance(sql, vendorId, hourMs);
    expect((await untilReady(sql, vendorId)).stopReason).toBeNull();
    await vi.waitFor(async () => {
      const [delivered] = await deliveriesOf(sql, vendorId);
      expect(delivered).toMatchObject({ state: 'succeeded', attempts: 202 - stopsBefore });
    }, waiting);
  },
);
