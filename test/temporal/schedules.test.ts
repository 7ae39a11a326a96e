import { describe, expect, vi } from 'vitest';
import { ensureSchedules } from '../../temporal/schedules.ts';
import type { WebhookDelivery } from '../../db/webhooks/webhook-deliveries.ts';
import { waiting, type DeliveryFixture } from '../support/webhooks/delivery.ts';
import { type TestGateway } from '../support/gateway/gateway.ts';
import { ago, dayMs, seedOldDelivery, wrongCounts } from '../support/webhooks/old-deliveries.ts';
import { notForAWhile, status, type TestReceiver } from '../support/webhooks/receiver.ts';
import { deliveryRestartTest } from '../support/webhooks/delivery-test.ts';

const test = deliveryRestartTest({});

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

  test('take over settings while paused', async ({ gateway }) => {
    await keep(gateway);
    await handle(gateway, 'webhook-retention').pause('while the auditors look');
    await meddleWith(gateway, 'webhook-retention');
    await keep(gateway);
    expect(await handle(gateway, 'webhook-retention').describe()).toMatchObject({
      spec: { intervals: [{ every: 3_600_000 }] },
      action: { args: [] },
      state: { paused: true, note: 'while the auditors look' },
    });
    expect(await handle(gateway, 'reconciliation').describe()).toMatchObject({
      state: { paused: false },
    });
  });
});

test('the retention deletes what is past it, with true counts', async ({ gateway, fixture }) => {
  const wanted = { vendorId: fixture.vendorId, subscriptionId: fixture.subscription.id };
  const seed = (days: number) => {
    const at = ago(days * dayMs);
    const ended = { at, state: 'succeeded', attempts: [{ at, succeeded: true }] } as const;
    return seedOldDelivery(gateway.sql, { ...wanted, ...ended });
  };
  await seed(31);
  const kept = await seed(29);
  await gateway.startWorker();
  await keep(gateway);
  const deleted = { deliveries: 1, attempts: 0, events: 1, deliveryBatches: 0, subscriptions: 0 };
  expect(await trigger(gateway, 'webhook-retention')).toEqual(deleted);
  expect(await gateway.sql`select id from webhook_deliveries`).toEqual([{ id: kept }]);
  expect(await wrongCounts(gateway.sql)).toEqual([]);
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

  test('ignores what its starter asks for', async ({ receiver, gateway, fixture }) => {
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

  test('makes a run follow the record', async ({ receiver, gateway, fixture }) => {
    const delivery = await failedOnce({ gateway, receiver, fixture });
    await setNextAttempt(gateway, overdue);
    await keep(gateway);

    expect(await trigger(gateway, 'reconciliation')).toEqual({ 'delivery-run-differs': 1 });

    expect((await fixture.ended(delivery)).state).toBe('succeeded');
    expect(await fixture.attemptTexts()).toEqual(['1 http_status 503', '2 succeeded']);
  });
});
