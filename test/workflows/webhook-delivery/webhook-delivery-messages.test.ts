import { describe, expect, vi } from 'vitest';
import type { WebhookDelivery } from '../../../db/webhooks/webhook-deliveries.ts';
import { freshSchedule, waiting, type DeliverySignal } from '../../support/webhooks/delivery.ts';
import { deliveryTest, ownRuns } from '../../support/webhooks/delivery-test.ts';
import { holding, notForAWhile, status, statuses } from '../../support/webhooks/receiver.ts';

/** Gives each test what `all` reads: what a delivery has come to. */
const test = deliveryTest(ownRuns).extend(
  'all',
  ({ fixture }) =>
    async (delivery: WebhookDelivery) => ({
      delivery: await fixture.stored(delivery.id),
      attempts: await fixture.attempts(),
      requests: fixture.requestsOf(delivery).length,
    }),
);

const ended: DeliverySignal = { signal: 'ended', attempts: 1, state: 'succeeded' };

describe.each<readonly [string, DeliverySignal]>([
  ['fresh-schedule', freshSchedule],
  ['retry', { signal: 'retry', attempts: 1, tries: 1, dueAt: new Date(0).toISOString() }],
  ['ended', ended],
  ['deactivated', { signal: 'deactivated' }],
])('a repeated message %s', (name, message) => {
  test('changes nothing of a delivery that has ended', async ({ receiver, fixture, all }) => {
    receiver.answerWith(statuses(500));
    const delivery = await fixture.ended(await fixture.emit());
    const before = await all(delivery);
    expect(before).toMatchObject({ delivery: { state: 'succeeded', attempts: 2 }, requests: 2 });

    await fixture.hand(delivery.id, message);
    expect(await fixture.run(delivery.id).result()).toBe('succeeded');
    expect(await all(delivery)).toEqual(before);
    await fixture.replay(delivery);
  });

  test('changes neither instant nor run of one that waits', async ({ receiver, fixture, all }) => {
    receiver.answerWith(notForAWhile);
    const delivery = await fixture.emit();
    await fixture.untilWaiting(delivery);
    const before = await all(delivery);
    const runId = await fixture.runId(delivery);

    await fixture.hand(delivery.id, message);
    await fixture.hand(delivery.id, message);
    // The run answers the query after the messages.
    await fixture.run(delivery.id).query('__temporal_workflow_metadata');
    await fixture.untilWaiting(delivery);
    expect(await all(delivery)).toEqual(before);
    expect(await fixture.runId(delivery)).toBe(runId);
    const open = (await fixture.timers(delivery)).filter(({ isCanceled }) => !isCanceled);
    expect(open).toHaveLength(1);
    // The run reads the record in less than a second, while it waits for minutes.
    const dueMs = before.attempts[0]?.nextAttemptAt.getTime() ?? 0;
    for (const { nowMs, durationMs } of open)
      expect(Math.abs(nowMs + durationMs - dueMs)).toBeLessThan(1000);
    await fixture.switchOff();
    expect((await fixture.ended(delivery)).state).toBe('cancelled');
    await fixture.replay(delivery);
    await fixture.record(delivery, `duplicate-${name}`);
  });
});

test('starts one run for a repeated end, which sends nothing', async ({ gateway, fixture }) => {
  const delivery = await fixture.emitUnsent();
  const { id } = delivery;
  await gateway.sql`
    update webhook_deliveries set state = 'succeeded', attempts = 1 where id = ${id}`;
  await fixture.hand(id, ended);
  const runId = await fixture.runId({ id });
  await fixture.hand(id, ended);
  expect(await fixture.run(id).result()).toBe('succeeded');
  await fixture.hand(id, ended);
  expect(await fixture.runId({ id })).toBe(runId);
  expect(fixture.requestsOf(delivery)).toEqual([]);
});

test.for([
  ['deactivated', ['switchOff']],
  ['reactivated', ['switchOff', 'switchOn']],
  ['deleted', ['remove']],
] as const)(
  'ends a waiting delivery at once when its subscription is %s',
  async ([name, changes], { receiver, fixture }) => {
    receiver.answerWith(notForAWhile);
    const delivery = await fixture.emit();
    await fixture.untilWaiting(delivery);
    receiver.answerWith(status(200));
    for (const change of changes) await fixture[change]();

    // The record ended it at once; the run follows without a request, and its timer is no more.
    expect(await fixture.stored(delivery.id)).toMatchObject({ state: 'cancelled', attempts: 2 });
    const texts = ['1 http_status 503', '2 subscription_inactive'];
    expect(await fixture.attemptTexts()).toEqual(texts);
    const unsent = { succeeded: false, sentAt: null, httpStatus: null };
    expect((await fixture.attempts()).at(-1)).toMatchObject(unsent);
    expect((await fixture.ended(delivery)).state).toBe('cancelled');
    expect(await fixture.timers(delivery)).toMatchObject([{ hasFired: false, isCanceled: true }]);
    expect(fixture.requestsOf(delivery)).toHaveLength(1);
    expect(await fixture.attemptTexts()).toEqual(texts);
    await fixture.record(delivery, `${name}-while-waiting`);
  },
);

// `test/db/webhooks/delivery-table.test.ts` has the same of a request of the relay.
test.for([
  ['failed', 500, 'cancelled', ['1 http_status 500', '2 subscription_inactive']],
  ['succeeded', 200, 'succeeded', ['1 succeeded']],
] as const)(
  'lets a request under way at a deactivation end: it %s by %i, its delivery is %s',
  async ([name, code, state, texts], { receiver, fixture }) => {
    const { held, respond, giveAll } = holding();
    receiver.answerWith(respond);
    const emitted = await fixture.emitUnsent();
    await fixture.hand(emitted.id, freshSchedule);
    await vi.waitFor(() => expect(held).toHaveLength(1), waiting);
    expect(await fixture.switchOff()).toBe('done');
    expect(await fixture.attemptTexts()).toEqual(['1 under way']);
    giveAll(code);

    const delivery = await fixture.ended(emitted);
    expect(delivery).toMatchObject({ state, attempts: texts.length });
    expect(fixture.requestsOf(delivery)).toHaveLength(1);
    expect(await fixture.attemptTexts()).toEqual(texts);
    expect((await fixture.timers(delivery)).filter(({ hasFired }) => !hasFired)).toEqual([]);
    await fixture.record(delivery, `deactivated-then-${name}`);
  },
);
