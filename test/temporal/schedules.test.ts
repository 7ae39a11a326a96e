import { describe, expect, vi } from 'vitest';
import { ensureSchedules } from '../../temporal/schedules.ts';
import type { WebhookDelivery } from '../../db/webhooks/webhook-deliveries.ts';
import {
  createDeliveryFixture,
  waiting,
  type DeliveryFixture,
} from '../support/webhooks/delivery.ts';
import { type TestGateway } from '../support/gateway/gateway.ts';
import { createInspectionFixture } from '../support/returns/inspection.ts';
import {
  ago,
  dayMs,
  idOf,
  seedOldDelivery,
  seedOldBatch,
  wrongCounts,
} from '../support/webhooks/old-deliveries.ts';
import { notForAWhile, status, type TestReceiver } from '../support/webhooks/receiver.ts';
import { moveReturnTo } from '../support/returns/seed-returns.ts';
import { restartTest } from '../support/gateway/workflow-test.ts';

const test = restartTest
  .extend('settings', { scope: 'file' }, ({ receiver }) => ({
    WEBHOOK_ALLOWED_ORIGINS: receiver.origin,
  }))
  .extend('fixture', ({ gateway, receiver }) => createDeliveryFixture(gateway, receiver));

test.afterEach(async ({ gateway }) => {
  for (const { scheduleId } of await schedules(gateway))
    await gateway.client.schedule.getHandle(scheduleId).delete();
});

const idOfSchedule = (gateway: TestGateway, name: string): string =>
  `${gateway.config.TEMPORAL_TASK_QUEUE}/${name}`;
const handle = (gateway: TestGateway, name: string) =>
  gateway.client.schedule.getHandle(idOfSchedule(gateway, name));
const keep = (gateway: TestGateway): Promise<void> =>
  ensureSchedules(gateway.client, { taskQueue: gateway.config.TEMPORAL_TASK_QUEUE });

/**
 * Gives a schedule what only an earlier version or another program would: an input and an interval.
 */
const meddleWith = (gateway: TestGateway, name: string): Promise<void> =>
  handle(gateway, name).update(({ action, ...schedule }) => ({
    ...schedule,
    spec: { intervals: [{ every: '1 minute' }] },
    action: { ...action, args: [{ keptMs: -dayMs }] },
  }));

/** Those of this gateway. */
async function schedules(gateway: TestGateway) {
  const found: Awaited<ReturnType<ReturnType<typeof handle>['describe']>>[] = [];
  for (const name of ['webhook-retention', 'reconciliation']) {
    const description = await handle(gateway, name)
      .describe()
      .catch(() => null);
    if (description !== null) found.push(description);
  }
  return found;
}

/** Lets a schedule start its workflow now; answers what that came to. */
async function trigger(gateway: TestGateway, name: string): Promise<unknown> {
  const known = (await handle(gateway, name).describe()).info.numActionsTaken;
  await handle(gateway, name).trigger();
  const workflowId = await vi.waitFor(async () => {
    const { info } = await handle(gateway, name).describe();
    expect(info.numActionsTaken).toBeGreaterThan(known);
    const latest = info.recentActions.at(-1)?.action;
    if (latest?.type !== 'startWorkflow') throw new Error('not started yet');
    return latest.workflow.workflowId;
  }, waiting);
  return gateway.client.workflow.getHandle(workflowId).result();
}

describe('the gateway’s schedules', () => {
  test('are made once, however often and by however many they are kept', async ({ gateway }) => {
    await Promise.all([keep(gateway), keep(gateway), keep(gateway)]);
    const made = await schedules(gateway);
    expect(made).toMatchObject([
      {
        scheduleId: idOfSchedule(gateway, 'webhook-retention'),
        action: { type: 'startWorkflow', workflowType: 'webhookRetention', args: [] },
        spec: { intervals: [{ every: 3_600_000 }] },
        policies: { overlap: 'SKIP', catchupWindow: 60_000 },
        state: { paused: false },
      },
      {
        scheduleId: idOfSchedule(gateway, 'reconciliation'),
        action: { type: 'startWorkflow', workflowType: 'reconciliation', args: [] },
        spec: { intervals: [{ every: 600_000 }] },
        policies: { overlap: 'SKIP', catchupWindow: 60_000 },
        state: { paused: false },
      },
    ]);
    await keep(gateway);
    const again = await schedules(gateway);
    expect(
      again.map(({ spec, action, policies, state }) => ({ spec, action, policies, state })),
    ).toEqual(made.map(({ spec, action, policies, state }) => ({ spec, action, policies, state })));
  });

  test('take over changed settings', async ({ gateway }) => {
    await keep(gateway);
    await meddleWith(gateway, 'webhook-retention');
    await keep(gateway);
    expect(await handle(gateway, 'webhook-retention').describe()).toMatchObject({
      spec: { intervals: [{ every: 3_600_000 }] },
      action: { args: [] },
    });
  });

  test('stay paused when an operator paused them, and still take over changed settings', async ({
    gateway,
  }) => {
    await keep(gateway);
    await handle(gateway, 'webhook-retention').pause('while the auditors look');
    await meddleWith(gateway, 'webhook-retention');
    await keep(gateway);
    expect(await handle(gateway, 'webhook-retention').describe()).toMatchObject({
      action: { args: [] },
      state: { paused: true, note: 'while the auditors look' },
    });
    expect(await handle(gateway, 'reconciliation').describe()).toMatchObject({
      state: { paused: false },
    });
  });
});

test('the retention takes away what is past it, and nothing else', async ({
  receiver,
  gateway,
  fixture,
}) => {
  const { vendorId } = fixture;
  const wanted = { vendorId, subscriptionId: fixture.subscription.id };
  const old = ago(31 * dayMs);
  const young = ago(29 * dayMs);
  const attempts = [{ at: old }];
  await seedOldDelivery(gateway.sql, { ...wanted, at: old, state: 'deadLettered', attempts });
  const kept = [
    await seedOldDelivery(gateway.sql, { ...wanted, at: old, state: 'waiting' }),
    await seedOldDelivery(gateway.sql, {
      ...wanted,
      at: old,
      state: 'succeeded',
      attempts: [{ at: old }, { at: young, succeeded: true }],
    }),
    await seedOldDelivery(gateway.sql, {
      ...wanted,
      at: young,
      state: 'succeeded',
      attempts: [{ at: young }],
    }),
  ];
  const deleted = await createDeliveryFixture(gateway, receiver);
  await deleted.remove();
  await gateway.sql`
    update webhook_subscriptions set deleted_at = ${old} where id = ${deleted.subscription.id}`;
  await gateway.startWorker();
  await keep(gateway);

  expect(await trigger(gateway, 'webhook-retention')).toEqual({
    deliveries: 1,
    attempts: 1,
    events: 1,
    deliveryBatches: 0,
    subscriptions: 1,
  });

  const left = await gateway.sql<{ id: string }[]>`select id from webhook_deliveries`;
  expect(left.map(({ id }) => id).toSorted()).toEqual(kept.toSorted());
  expect(await gateway.sql`select id from webhook_subscriptions`).toEqual([
    { id: fixture.subscription.id },
  ]);
  expect(new Set((await fixture.attempts()).map(({ attemptNumber }) => attemptNumber))).toEqual(
    new Set([1, 2]),
  );
  expect(await fixture.attempts()).toHaveLength(2);
  expect(await wrongCounts(gateway.sql)).toEqual([]);
  expect(await trigger(gateway, 'webhook-retention')).toMatchObject({
    deliveries: 0,
    subscriptions: 0,
  });
});

type Fixtures = {
  readonly gateway: TestGateway;
  readonly receiver: TestReceiver;
  readonly fixture: DeliveryFixture;
};

/** A delivery that has failed once, whose run waits for its time. */
async function failedOnce({ gateway, receiver, fixture }: Fixtures): Promise<WebhookDelivery> {
  receiver.answerWith(notForAWhile);
  await gateway.startWorker();
  const delivery = await fixture.emit();
  await fixture.untilWaiting(delivery);
  receiver.answerWith(status(200));
  return delivery;
}
const setNextAttempt = ({ sql }: TestGateway, at: Date) =>
  sql`update webhook_attempts set next_attempt_at = ${at}`;

describe('the reconciliation', () => {
  const overdue = ago(11 * 60_000);

  test('starts runs for a delivery, a batch and a return without one, and all continue', async ({
    gateway,
    fixture,
  }) => {
    const wanted = {
      vendorId: fixture.vendorId,
      subscriptionId: fixture.subscription.id,
      at: overdue,
    };
    const alone = await seedOldDelivery(gateway.sql, {
      ...wanted,
      state: 'waiting',
      attempts: [{ at: overdue }, { at: overdue, succeeded: null }],
    });
    const batchId = idOf(overdue);
    const together = await seedOldDelivery(gateway.sql, { ...wanted, state: 'waiting', batchId });
    await seedOldBatch(gateway.sql, { id: batchId, deliveryIds: [together], at: overdue });
    const inspections = await createInspectionFixture(gateway);
    const made = await inspections.request({ times: { startMs: 1000 } });
    await moveReturnTo(gateway.sql, made, 'Received');
    await gateway.sql`update return_requests set received_at = ${overdue} where id = ${made.id}`;
    await gateway.sql`delete from outbox`;
    await gateway.startWorker();
    await keep(gateway);

    expect(await trigger(gateway, 'reconciliation')).toEqual({
      'delivery-without-run': 1,
      'batch-without-run': 1,
      'return-without-run': 1,
    });

    await fixture.untilOutboxIsEmpty();
    expect(await fixture.ended(await fixture.stored(alone))).toMatchObject({
      state: 'succeeded',
      attempts: 3,
    });
    await vi.waitFor(
      async () =>
        expect(await fixture.stored(together)).toMatchObject({ state: 'succeeded', attempts: 1 }),
      waiting,
    );
    await inspections.untilStored(made, 'UnderInspection');
    expect(await trigger(gateway, 'reconciliation')).toEqual({});
  });

  test('changes nothing of a delivery that has its run, whatever its starter asks for', async ({
    receiver,
    gateway,
    fixture,
  }) => {
    const delivery = await failedOnce({ gateway, receiver, fixture });
    // Not long enough to count as overdue.
    await setNextAttempt(gateway, ago(10_000));
    const { runId } = await fixture.run(delivery.id).describe();
    const timers = await fixture.timers(delivery);
    const { TEMPORAL_TASK_QUEUE: taskQueue } = gateway.config;

    const byHand = { taskQueue, workflowId: `by-hand-${runId}`, args: [{ graceMs: -dayMs }] };
    expect(await gateway.client.workflow.execute('reconciliation', byHand)).toEqual({});

    expect((await fixture.run(delivery.id).describe()).runId).toBe(runId);
    expect(await fixture.timers(delivery)).toEqual(timers);
    expect(fixture.requestsOf(delivery)).toHaveLength(1);
    await fixture.switchOff();
    expect((await fixture.ended(delivery)).state).toBe('cancelled');
  });

  test('makes a run that waits for a later time than the record follow the record', async ({
    receiver,
    gateway,
    fixture,
  }) => {
    const delivery = await failedOnce({ gateway, receiver, fixture });
    await setNextAttempt(gateway, overdue);
    await keep(gateway);

    expect(await trigger(gateway, 'reconciliation')).toEqual({ 'delivery-run-differs': 1 });

    expect((await fixture.ended(delivery)).state).toBe('succeeded');
    expect(await fixture.attemptTexts()).toEqual(['1 http_status 503', '2 succeeded']);
  });
});
