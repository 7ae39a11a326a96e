import { expect, vi } from 'vitest';
import { loadConfig } from '../../process/config.ts';
import { ensureSchedules } from '../../temporal/schedules.ts';
import { waiting } from '../support/webhooks/delivery.ts';
import { deliveryRestartTest } from '../support/webhooks/delivery-test.ts';
import { ago, dayMs, seedOldDelivery, wrongCounts } from '../support/webhooks/old-deliveries.ts';
import { notForAWhile, status } from '../support/webhooks/receiver.ts';

const names = ['webhook-retention', 'reconciliation'] as const;

/** Gives each test the `schedules` of its gateway, which `keep` creates. */
const test = deliveryRestartTest({})
  .extend('schedules', ({ gateway }, { onCleanup }) => {
    const { client, config } = gateway;
    const { TEMPORAL_TASK_QUEUE: taskQueue } = config;
    const handle = (name: string) => client.schedule.getHandle(`${taskQueue}/${name}`);
    onCleanup(async () => {
      for (const name of names)
        await handle(name)
          .delete()
          .catch(() => undefined);
    });
    return {
      taskQueue,
      handle,
      keep: () => ensureSchedules(client, { taskQueue, environment: 'Production' }),
      /** What this version sets, of each schedule. */
      read: async () => {
        const described = await Promise.all(names.map((name) => handle(name).describe()));
        return described.map(({ spec, action, policies, state }) => {
          return { spec, action, policies, state };
        });
      },
      /** Lets a schedule start its workflow now; returns its result. */
      trigger: async (name: string): Promise<unknown> => {
        const known = (await handle(name).describe()).info.numActionsTaken;
        await handle(name).trigger();
        const workflowId = await vi.waitFor(async () => {
          const { info } = await handle(name).describe();
          expect(info.numActionsTaken).toBeGreaterThan(known);
          const latest = info.recentActions.at(-1)?.action;
          if (latest?.type !== 'startWorkflow') throw new Error('not started yet');
          return latest.workflow.workflowId;
        }, waiting);
        return client.workflow.getHandle(workflowId).result();
      },
    };
  })
  /** A delivery that has failed once. By the record, its next attempt was due so long ago. */
  .extend('overdue', ({ gateway, receiver, fixture }) => async (overdueMs: number) => {
    receiver.answerWith(notForAWhile);
    await gateway.startWorker();
    const delivery = await fixture.emit();
    await fixture.untilWaiting(delivery);
    receiver.answerWith(status(200));
    await gateway.sql`update webhook_attempts set next_attempt_at = ${ago(overdueMs)}`;
    return delivery;
  });

test('creates each schedule once, by any number of workers', async ({ schedules }) => {
  const { keep, read } = schedules;
  await Promise.all([keep(), keep(), keep()]);
  const made = await read();
  const common = {
    policies: { overlap: 'SKIP', catchupWindow: 60_000 },
    state: { paused: false },
  };
  const starts = (workflowType: string, every: number) => ({
    ...common,
    action: { type: 'startWorkflow', workflowType, args: [] },
    spec: { intervals: [{ every }] },
  });
  expect(made).toMatchObject([
    starts('webhookRetention', 3_600_000),
    starts('reconciliation', 600_000),
  ]);
  await keep();
  expect(await read()).toEqual(made);
});

test('replaces changed settings and keeps a pause', async ({ schedules }) => {
  const { keep, handle, read } = schedules;
  await keep();
  const made = await read();
  await handle('webhook-retention').pause('while the auditors look');
  await handle('webhook-retention').update(({ action, ...schedule }) => ({
    ...schedule,
    spec: { intervals: [{ every: '1 minute' }] },
    action: { ...action, args: [{ keptMs: -dayMs }] },
  }));
  await keep();
  const state = { paused: true, note: 'while the auditors look' };
  const [retention, reconciliation] = made;
  expect(await read()).toMatchObject([{ ...retention, state }, { ...reconciliation }]);
});

test('deletes by the configured retention, with right counts', async ({
  gateway,
  fixture,
  schedules,
}) => {
  const { sql, client } = gateway;
  const wanted = { vendorId: fixture.vendorId, subscriptionId: fixture.subscription.id };
  const seed = (days: number) => {
    const at = ago(days * dayMs);
    const ended = { at, state: 'succeeded', attempts: [{ at, succeeded: true }] } as const;
    return seedOldDelivery(sql, { ...wanted, ...ended });
  };
  await seed(31);
  const kept = await seed(29);
  await gateway.startWorker();
  await schedules.keep();
  const none = { deliveries: 0, attempts: 0, events: 0, deliveryBatches: 0, subscriptions: 0 };
  const deleted = { ...none, deliveries: 1, events: 1 };
  expect(await schedules.trigger('webhook-retention')).toEqual(deleted);
  // Its starter cannot ask for more.
  const before = new Date(Date.now() + dayMs).toISOString();
  for (const keptMs of [-dayMs, 0, 1, Number.NaN]) {
    const args = [{ keptMs, before }];
    const byHand = { taskQueue: schedules.taskQueue, workflowId: `by-hand-${kept}`, args };
    expect(await client.workflow.execute('webhookRetention', byHand)).toEqual(none);
  }
  expect(await sql`select id from webhook_deliveries`).toEqual([{ id: kept }]);
  expect(await wrongCounts(sql)).toEqual([]);
});

test.for(['-1', '0', '1', String(dayMs - 1)])(
  'refuses a retention of %s ms at the start in Production, below 1 ms everywhere',
  (WEBHOOK_RETENTION_MS) => {
    const load = (NODE_ENV: string) => () => loadConfig({ NODE_ENV, WEBHOOK_RETENTION_MS });
    expect(load('production')).toThrow('WEBHOOK_RETENTION_MS: must be');
    if (Number(WEBHOOK_RETENTION_MS) < 1) expect(load('test')).toThrow('must be');
  },
);

test('ignores the arguments of a reconciliation', async ({
  gateway,
  fixture,
  schedules,
  overdue,
}) => {
  // Not long enough to count as overdue.
  const delivery = await overdue(10_000);
  const { runId } = await fixture.run(delivery.id).describe();
  const timers = await fixture.timers(delivery);

  const { taskQueue } = schedules;
  const byHand = { taskQueue, workflowId: `by-hand-${runId}`, args: [{ graceMs: -dayMs }] };
  expect(await gateway.client.workflow.execute('reconciliation', byHand)).toEqual({});

  expect((await fixture.run(delivery.id).describe()).runId).toBe(runId);
  expect(await fixture.timers(delivery)).toEqual(timers);
  expect(fixture.requestsOf(delivery)).toHaveLength(1);
  await fixture.switchOff();
  expect((await fixture.ended(delivery)).state).toBe('cancelled');
});

test('makes a run follow its record by the reconciliation', async ({
  fixture,
  schedules,
  overdue,
}) => {
  const delivery = await overdue(11 * 60_000);
  await schedules.keep();
  const differing = { 'delivery-run-differs': 1 };
  expect(await schedules.trigger('reconciliation')).toEqual(differing);
  expect((await fixture.ended(delivery)).state).toBe('succeeded');
  expect(await fixture.attemptTexts()).toEqual(['1 http_status 503', '2 succeeded']);
});
