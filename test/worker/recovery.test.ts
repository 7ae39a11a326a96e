import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { Client, Connection } from '@temporalio/client';
import { pino } from 'pino';
import { expect, vi } from 'vitest';
import { connect } from '../../db/core/client.ts';
import { requestReconciliation } from '../../temporal/schedules.ts';
import { offerReviewId, returnInspectionId, webhookDeliveryId } from '../../workflows/ids.ts';
import { startRecovery } from '../../worker/recovery.ts';
import { recordChanged } from '../../workflows/record-changed.ts';
import { saveRecord } from '../support/database/saved-record.ts';
import { decideOffer, handOver } from '../support/gateway/runs.ts';
import { createInspectionFixture, decision } from '../support/returns/inspection.ts';
import { seedOffer } from '../support/seeds/seed.ts';
import { waiting } from '../support/webhooks/delivery.ts';
import { deliveryRestartTest } from '../support/webhooks/delivery-test.ts';
import { notForAWhile, status } from '../support/webhooks/receiver.ts';

/** What a worker does by itself when Temporal or Postgres has lost or regained state. */

const recoveredSecondsMax = 20;
/** A second reconciliation comes 15 s after a worker's first one, whose poll takes up to 5 s. */
const repeatedSecondsMax = 40;
const recovering = { timeout: 60_000 };

const test = deliveryRestartTest({})
  .extend('inspections', ({ gateway }) => createInspectionFixture(gateway))
  .extend('runs', ({ gateway, receiver, fixture, inspections }, { onCleanup }) => {
    const { client, config, sql } = gateway;
    const { TEMPORAL_TASK_QUEUE: taskQueue } = config;
    const stops: (() => Promise<unknown>)[] = [];
    const schedule = (name: string) => client.schedule.getHandle(`${taskQueue}/${name}`);
    const deleteSchedules = async () => {
      for (const name of ['webhook-retention', 'reconciliation']) await schedule(name).delete();
    };
    onCleanup(async () => {
      for (const stop of stops) await stop();
      await deleteSchedules();
    });
    /** Waits until each has an open run. */
    const untilOpen = (workflowIds: readonly string[]): Promise<void> =>
      vi.waitFor(async () => {
        const handles = workflowIds.map((id) => client.workflow.getHandle(id));
        const found = await Promise.all(handles.map((handle) => handle.describe()));
        expect(found.map((run) => run.status.name)).toEqual(workflowIds.map(() => 'RUNNING'));
      }, recovering);
    return {
      schedule,
      deleteSchedules,
      untilOpen,
      /** Starts what a worker process does to recover. */
      startRecovering: (): void => {
        const own = connect(config.DATABASE_URL, { max: 1, name: 'recovery' });
        const log = pino({ level: 'silent' });
        const settings = { taskQueue, environment: 'Production' as const };
        const options = { client: gateway.relayClient, sql: own, settings, log };
        stops.push(startRecovery(options).stop, () => own.end({ timeout: 5 }));
      },
      /** An offer, a return and a delivery that wait, each with its open run. */
      seedWaiting: async () => {
        receiver.answerWith(notForAWhile);
        const delivery = await fixture.emit();
        const offer = await seedOffer(sql, fixture.vendorId);
        const request = await inspections.request();
        await fixture.untilWaiting(delivery);
        receiver.answerWith(status(200));
        const ids = [offerReviewId(offer.id), returnInspectionId(request.id)];
        const workflowIds = [...ids, webhookDeliveryId(delivery.id)];
        await untilOpen(workflowIds);
        return { delivery, request, workflowIds };
      },
      /** Ends the runs as if Temporal had lost them, and waits until its list shows it. */
      lose: async (workflowIds: readonly string[]): Promise<void> => {
        for (const id of workflowIds) await client.workflow.getHandle(id).terminate('lost');
        const ids = workflowIds.map((id) => `'${id}'`).join();
        const open = `WorkflowId in (${ids}) and ExecutionStatus = 'Running'`;
        await vi.waitFor(
          async () => expect((await client.workflow.count(open)).count).toBe(0),
          waiting,
        );
      },
    };
  });

/** Expects that the gateway recovers within seconds. */
async function expectRecovery(
  recovered: () => Promise<unknown>,
  secondsMax = recoveredSecondsMax,
): Promise<void> {
  const begun = performance.now();
  await recovered();
  expect((performance.now() - begun) / 1000).toBeLessThan(secondsMax);
}

test('restores lost runs when a worker starts', async ({ gateway, runs }) => {
  const worker = await gateway.startWorker();
  const { workflowIds } = await runs.seedWaiting();
  await worker.stop();
  await runs.lose(workflowIds);

  await gateway.startWorker();
  runs.startRecovering();
  await expectRecovery(() => runs.untilOpen(workflowIds));
});

test('stops at once while a call waits for Temporal', async ({ gateway: { config } }) => {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => sockets.add(socket)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const connection = Connection.lazy({ address: `127.0.0.1:${port}` });
  const own = connect(config.DATABASE_URL, { max: 1, name: 'recovery' });
  try {
    const recovery = startRecovery({
      client: new Client({ connection }),
      sql: own,
      settings: { taskQueue: config.TEMPORAL_TASK_QUEUE, environment: 'Production' },
      log: pino({ level: 'silent' }),
    });
    await vi.waitFor(() => expect(sockets.size).toBeGreaterThan(0), waiting);
    const begun = performance.now();
    await recovery.stop();
    expect(performance.now() - begun).toBeLessThan(2000);
  } finally {
    await Promise.all([own.end({ timeout: 5 }), connection.close()]);
    for (const socket of sockets) socket.destroy();
    server.close();
  }
});

test('restores lost runs when schedules are lost', async ({ gateway, fixture, runs }) => {
  await gateway.startWorker();
  runs.startRecovering();
  const { workflowIds, delivery } = await runs.seedWaiting();
  const attempts = await fixture.attempts();
  await vi.waitFor(() => runs.schedule('webhook-retention').describe(), waiting);
  await runs.lose(workflowIds);
  await runs.deleteSchedules();

  await expectRecovery(() => runs.untilOpen(workflowIds));
  await vi.waitFor(() => runs.schedule('webhook-retention').describe(), waiting);
  // The delivery keeps its position in the schedule: no attempt before its time.
  expect(await fixture.attempts()).toEqual(attempts);
  await fixture.untilWaiting(delivery);
  expect((await fixture.waits(delivery))[0]).toContain('until attempt 2 of');
});

test('restores runs that are lost after the first reconciliation', async ({ gateway, runs }) => {
  await gateway.startWorker();
  const { workflowIds } = await runs.seedWaiting();
  runs.startRecovering();
  await vi.waitFor(async () => {
    const { info } = await runs.schedule('reconciliation').describe();
    expect(info.numActionsTaken).toBeGreaterThanOrEqual(1);
    expect(info.runningActions).toEqual([]);
  }, waiting);
  await runs.lose(workflowIds);

  await expectRecovery(() => runs.untilOpen(workflowIds), repeatedSecondsMax);
});

test('follows a restored record', async ({ gateway, fixture, inspections, runs }) => {
  const { sql, client, config } = gateway;
  await gateway.startWorker();
  runs.startRecovering();
  const { delivery, request } = await runs.seedWaiting();
  const silent = await inspections.underInspection(10_000);
  // Until the worker has seen the tables as they are.
  await vi.waitFor(async () => {
    const { info } = await runs.schedule('reconciliation').describe();
    expect(info.numActionsTaken).toBeGreaterThanOrEqual(1);
  }, waiting);
  await inspections.untilOutboxIsEmpty();
  await sql`update webhook_attempts set next_attempt_at = clock_timestamp()`;
  const restore = await saveRecord(sql);
  const later = await seedOffer(sql, fixture.vendorId);
  await runs.untilOpen([offerReviewId(later.id)]);
  expect(await inspections.order(silent, decision('Rejected'))).toMatchObject({ ok: true });
  await sql`update return_requests set status = 'Approved', version = 2 where id = ${request.id}`;
  await inspections.lateMessage(request);
  await inspections.untilSeen(request, 'Approved');
  await restore();

  await expectRecovery(() => inspections.untilSeen(request, 'Pending'));
  expect(await client.workflow.getHandle(offerReviewId(later.id)).result()).toBeNull();
  const decided = await inspections.untilStored(silent, 'InspectionAccepted');
  expect(decided).toMatchObject({ outcome: 'AcceptedDefect', decidedBy: null });
  // Overdue in the record, which the reconciliation sees a minute later.
  await sql`update webhook_attempts set next_attempt_at = now() - interval '2 minutes'`;
  await requestReconciliation(client, { taskQueue: config.TEMPORAL_TASK_QUEUE });
  expect((await fixture.ended(delivery)).state).toBe('succeeded');
});

// Postgres is set back while Temporal keeps its runs, which then know more than the record.

test('shows the offer of a restored record, on which a reviewer decides', async ({
  gateway,
  fixture,
  inspections,
}) => {
  const { sql, client } = gateway;
  await gateway.startWorker();
  const { vendorId } = fixture;
  const offer = await seedOffer(sql, vendorId);
  const message = { kind: 'offerReview', subjectId: offer.id, payload: { vendorId } } as const;
  const run = client.workflow.getHandle(offerReviewId(offer.id));
  const untilShown = (state: string): Promise<void> =>
    vi.waitFor(async () => {
      const { searchAttributes } = await run.describe();
      expect(searchAttributes['ReviewState']).toEqual([state]);
    }, waiting);
  await untilShown('PendingMatch');
  const restore = await saveRecord(sql);
  await sql`update offers set status = 'PendingReview', version = 5`;
  await handOver(gateway, message);
  await untilShown('PendingReview');
  await restore();

  await handOver(gateway, message);
  await untilShown('PendingMatch');

  const command = { action: 'reject', reason: 'No', expectedVersion: 1 } as const;
  expect(await decideOffer(gateway, inspections.operator, offer, command)).toMatchObject({
    value: { status: 'Rejected', version: 2 },
  });
  expect(await run.result()).toMatchObject({ decision: 'Rejected' });
});

test('continues a delivery at the attempt and the time of a restored record', async ({
  gateway,
  receiver,
  fixture,
}) => {
  receiver.answerWith(notForAWhile);
  await gateway.startWorker();
  const delivery = await fixture.emit();
  await fixture.untilWaiting(delivery);
  await gateway.sql`update webhook_attempts set next_attempt_at = clock_timestamp()`;
  const restore = await saveRecord(gateway.sql);
  // The run continues: its second attempt fails, and the third is due much later.
  const dueAt = new Date().toISOString();
  await fixture.hand(delivery.id, { signal: 'retry', attempts: 2, tries: 1, dueAt });
  await fixture.untilWaiting(delivery, 2);
  receiver.answerWith(status(200));
  await restore();

  await fixture.run(delivery.id).signal(recordChanged);

  expect((await fixture.ended(delivery)).state).toBe('succeeded');
  expect(await fixture.attemptTexts()).toEqual(['1 http_status 503', '2 succeeded']);
  expect(fixture.requestsOf(delivery)).toHaveLength(3);
});
