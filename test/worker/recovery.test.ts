import { pino } from 'pino';
import { describe, expect, vi } from 'vitest';
import { connect } from '../../db/core/client.ts';
import { offerReviewId, returnInspectionId, webhookDeliveryId } from '../../workflows/ids.ts';
import { startRecovery } from '../../worker/recovery.ts';
import type { TestGateway } from '../support/gateway.ts';
import { createInspectionFixture } from '../support/returns/inspection.ts';
import { saveRecord } from '../support/saved-record.ts';
import { seedOffer } from '../support/seed.ts';
import { createDeliveryFixture, waiting } from '../support/webhooks/delivery.ts';
import { notForAWhile, status, type TestReceiver } from '../support/webhooks/receiver.ts';
import { restartTest } from '../support/workflow-test.ts';

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

  test('when a running worker notices that Temporal has lost its schedules', async ({
    gateway,
    receiver,
    startRecovering,
    annotate,
  }) => {
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
    // The delivery keeps its place in the schedule: no attempt before its time.
    expect(await deliveries.attempts()).toEqual(attempts);
    await deliveries.untilWaiting(delivery);
    const [timer] = await deliveries.timers(delivery);
    expect(timer?.summary).toContain('until attempt 2 of');
  });
});

test('a run that is ahead of tables that were restored adopts them within seconds', async ({
  gateway,
  receiver,
  startRecovering,
  annotate,
}) => {
  await gateway.startWorker();
  startRecovering();
  const { inspections, request } = await seedWaiting(gateway, receiver);
  await inspections.untilOutboxIsEmpty();
  await inspections.untilSeen(request, 'Pending');
  // Until the worker has seen the tables as they are.
  await vi.waitFor(async () => {
    const { info } = await schedule(gateway, 'reconciliation').describe();
    expect(info.numActionsTaken).toBeGreaterThan(0);
  }, waiting);
  const restore = await saveRecord(gateway.sql);
  await gateway.sql`update return_requests set status = 'Approved', version = 2`;
  await inspections.lateMessage(request);
  await inspections.untilSeen(request, 'Approved');
  await restore();

  const begun = performance.now();
  await inspections.untilSeen(request, 'Pending');
  const seconds = (performance.now() - begun) / 1000;
  await annotate(`recovered in ${seconds.toFixed(1)} s`);
  expect(seconds).toBeLessThan(20);
});
