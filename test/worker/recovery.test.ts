import { pino } from 'pino';
import { describe, expect, vi } from 'vitest';
import { connect } from '../../db/core/client.ts';
import { offerReviewId, returnInspectionId, webhookDeliveryId } from '../../workflows/ids.ts';
import { requestReconciliation } from '../../temporal/schedules.ts';
import { startRecovery } from '../../worker/recovery.ts';
import type { TestGateway } from '../support/gateway/gateway.ts';
import { createInspectionFixture } from '../support/returns/inspection.ts';
import { saveRecord } from '../support/database/saved-record.ts';
import { seedOffer } from '../support/seeds/seed.ts';
import { createDeliveryFixture, waiting } from '../support/webhooks/delivery.ts';
import { notForAWhile, status, type TestReceiver } from '../support/webhooks/receiver.ts';
import { restartTest } from '../support/gateway/workflow-test.ts';

/** What a worker does by itself when Temporal or Postgres has lost or regained state. */

const test = restartTest
  .extend('settings', { scope: 'file' }, ({ receiver }) => ({
    WEBHOOK_ALLOWED_ORIGINS: receiver.origin,
  }))
  /** Starts what a worker process does to recover. */
  .extend('startRecovering', ({ gateway }, { onCleanup }) => {
    const stops: (() => Promise<unknown>)[] = [];
    onCleanup(async () => {
      for (const stop of stops) await stop();
      for (const name of ['webhook-retention', 'reconciliation'])
        await schedule(gateway, name).delete();
    });
    return (): void => {
      const sql = connect(gateway.config.DATABASE_URL, { max: 1, name: 'recovery' });
      const { stop } = startRecovery({
        client: gateway.relayClient,
        sql,
        settings: { taskQueue: gateway.config.TEMPORAL_TASK_QUEUE },
        log: pino({ level: 'silent' }),
      });
      stops.push(stop, () => sql.end({ timeout: 5 }));
    };
  });

const schedule = ({ client, config }: TestGateway, name: string) =>
  client.schedule.getHandle(`${config.TEMPORAL_TASK_QUEUE}/${name}`);

/** An offer, a return and a delivery that wait, each with its open run; answers the runs' ids. */
async function seedWaiting(gateway: TestGateway, receiver: TestReceiver) {
  const deliveries = await createDeliveryFixture(gateway, receiver);
  const inspections = await createInspectionFixture(gateway);
  receiver.answerWith(notForAWhile);
  const delivery = await deliveries.emit();
  const offer = await seedOffer(gateway.sql, deliveries.vendorId);
  const request = await inspections.request();
  await deliveries.untilWaiting(delivery);
  receiver.answerWith(status(200));
  const workflowIds = [
    offerReviewId(offer.id),
    returnInspectionId(request.id),
    webhookDeliveryId(delivery.id),
  ];
  await untilOpen(gateway, workflowIds);
  return { delivery, deliveries, inspections, request, workflowIds };
}

/** Until each has an open run; answers after how many seconds. */
async function untilOpen({ client }: TestGateway, workflowIds: readonly string[]): Promise<number> {
  const begun = performance.now();
  await vi.waitFor(async () => {
    const found = await Promise.all(
      workflowIds.map((id) => client.workflow.getHandle(id).describe()),
    );
    expect(found.map((run) => run.status.name)).toEqual(workflowIds.map(() => 'RUNNING'));
  }, waiting);
  return (performance.now() - begun) / 1000;
}

const endRuns = async ({ client }: TestGateway, ids: readonly string[]): Promise<void> => {
  for (const id of ids) await client.workflow.getHandle(id).terminate('lost');
};

describe('lost runs are back within seconds', () => {
  test('when a worker starts', async ({ gateway, receiver, startRecovering, annotate }) => {
    const worker = await gateway.startWorker();
    const { workflowIds } = await seedWaiting(gateway, receiver);
    await worker.stop();
    await endRuns(gateway, workflowIds);

    await gateway.startWorker();
    startRecovering();

    const seconds = await untilOpen(gateway, workflowIds);
    await annotate(`recovered in ${seconds.toFixed(1)} s`);
    expect(seconds).toBeLessThan(20);
  });

  test('when schedules are lost', async ({ gateway, receiver, startRecovering, annotate }) => {
    await gateway.startWorker();
    startRecovering();
    const { workflowIds, delivery, deliveries } = await seedWaiting(gateway, receiver);
    const attempts = await deliveries.attempts();
    await vi.waitFor(() => schedule(gateway, 'webhook-retention').describe(), waiting);
    await endRuns(gateway, workflowIds);
    for (const name of ['webhook-retention', 'reconciliation'])
      await schedule(gateway, name).delete();

    const seconds = await untilOpen(gateway, workflowIds);
    await annotate(`recovered in ${seconds.toFixed(1)} s`);
    expect(seconds).toBeLessThan(20);
    await schedule(gateway, 'webhook-retention').describe();
    // The delivery keeps its position in the schedule: no attempt before its time.
    expect(await deliveries.attempts()).toEqual(attempts);
    await deliveries.untilWaiting(delivery);
    const [timer] = await deliveries.timers(delivery);
    expect(timer?.summary).toContain('until attempt 2 of');
  });
});

test('follows a restored record', async ({ gateway, receiver, startRecovering, annotate }) => {
  const { sql, client } = gateway;
  await gateway.startWorker();
  startRecovering();
  const { deliveries, delivery, inspections, request } = await seedWaiting(gateway, receiver);
  const silent = await inspections.underInspection(10_000);
  const untilRuns = async (least: number): Promise<void> =>
    vi.waitFor(async () => {
      const { info } = await schedule(gateway, 'reconciliation').describe();
      expect(info.numActionsTaken).toBeGreaterThanOrEqual(least);
    }, waiting);
  // Until the worker has seen the tables as they are.
  await untilRuns(1);
  await inspections.untilOutboxIsEmpty();
  await sql`update webhook_attempts set next_attempt_at = clock_timestamp()`;
  const restore = await saveRecord(sql);
  const later = await seedOffer(sql, deliveries.vendorId);
  const phantom = client.workflow.getHandle(offerReviewId(later.id));
  await untilOpen(gateway, [offerReviewId(later.id)]);
  const decide = { action: 'decide', outcome: 'Rejected', reason: null } as const;
  expect(await inspections.order(silent, decide)).toMatchObject({ ok: true });
  await sql`update return_requests set status = 'Approved', version = 2 where id = ${request.id}`;
  await inspections.lateMessage(request);
  await inspections.untilSeen(request, 'Approved');
  const begun = performance.now();
  await restore();

  await inspections.untilSeen(request, 'Pending');
  const seconds = (performance.now() - begun) / 1000;
  await annotate(`recovered in ${seconds.toFixed(1)} s`);
  expect(seconds).toBeLessThan(20);
  expect(await phantom.result()).toBeNull();
  const decided = await inspections.untilStored(silent, 'InspectionAccepted');
  expect(decided).toMatchObject({ outcome: 'AcceptedDefect', decidedBy: null });
  // Overdue in the record, which the reconciliation sees a minute later.
  await sql`update webhook_attempts set next_attempt_at = now() - interval '2 minutes'`;
  await requestReconciliation(client, { taskQueue: gateway.config.TEMPORAL_TASK_QUEUE });
  expect((await deliveries.ended(delivery)).state).toBe('succeeded');
});
