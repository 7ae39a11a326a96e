import { describe, expect } from 'vitest';
import type { WebhookDelivery } from '../../../db/webhooks/webhook-deliveries.ts';
import { freshSchedule, type DeliverySignal } from '../../support/webhooks/delivery.ts';
import { deliveryTest } from '../../support/webhooks/delivery-test.ts';
import { notForAWhile, status, statuses } from '../../support/webhooks/receiver.ts';

/** Gives each test what `all` reads: what a delivery has come to. */
const test = deliveryTest({
  WEBHOOK_RUNS_PER_SECOND: '1000',
  WEBHOOK_RETRY_DELAYS_MS: '50,50',
}).extend('all', ({ fixture }) => async (delivery: WebhookDelivery) => ({
  delivery: await fixture.stored(delivery.id),
  attempts: await fixture.attempts(),
  requests: fixture.requestsOf(delivery).length,
}));

const ended: DeliverySignal = { signal: 'ended', attempts: 1, state: 'succeeded' };

describe.each<readonly [string, DeliverySignal]>([
  ['fresh-schedule', freshSchedule],
  ['retry', { signal: 'retry', attempts: 1, tries: 1, dueAt: new Date(0).toISOString() }],
  ['ended', ended],
  ['deactivated', { signal: 'deactivated' }],
])('the message %s, when it comes once more', (name, message) => {
  test('to a delivery that has ended changes nothing', async ({ receiver, fixture, all }) => {
    receiver.answerWith(statuses(500));
    const delivery = await fixture.ended(await fixture.emit());
    const before = await all(delivery);
    expect(before).toMatchObject({ delivery: { state: 'succeeded', attempts: 2 }, requests: 2 });

    await fixture.hand(delivery.id, message);
    expect(await fixture.run(delivery.id).result()).toBe('succeeded');
    expect(await all(delivery)).toEqual(before);
    await fixture.replay(delivery);
  });

  test('to one that waits changes neither instant nor run', async ({ receiver, fixture, all }) => {
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

test('a redelivery’s message that comes twice makes one attempt more', async ({ fixture }) => {
  const first = await fixture.ended(await fixture.emit());
  await fixture.redeliver(first);
  for (let times = 0; times < 2; times += 1) {
    await fixture.enqueue(first.id, { signal: 'redeliver', attempts: 1 });
    await fixture.untilOutboxIsEmpty();
    const delivery = await fixture.ended(first);
    expect(delivery).toMatchObject({ state: 'succeeded', attempts: 2 });
    expect(fixture.requestsOf(delivery)).toHaveLength(2);
  }
});

test('makes one run of a repeated end, which sends nothing', async ({ gateway, fixture }) => {
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

test('keeps the schedule of a redelivery that waits again', async ({ receiver, fixture, all }) => {
  const first = await fixture.ended(await fixture.emit());
  receiver.answerWith((response) => {
    receiver.answerWith(notForAWhile);
    status(500)(response);
  });
  await fixture.redeliver(first);
  await fixture.untilWaiting(first, 2);
  const before = await all(first);
  const openTimers = async (): Promise<readonly string[]> =>
    (await fixture.timers(first))
      .filter(({ hasFired, isCanceled }) => !hasFired && !isCanceled)
      .map(({ summary }) => summary);
  expect(await openTimers()).toEqual(['after 503, until attempt 3 of 3']);

  await fixture.enqueue(first.id, { signal: 'redeliver', attempts: 1 });
  await fixture.untilOutboxIsEmpty();
  await fixture.untilWaiting(first, 2);

  expect(await all(first)).toEqual(before);
  expect(await openTimers()).toEqual(['after 503, until attempt 3 of 3']);
  await fixture.switchOff();
  expect((await fixture.ended(first)).state).toBe('cancelled');
});
