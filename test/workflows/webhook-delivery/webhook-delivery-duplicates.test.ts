import { describe, expect } from 'vitest';
import type { WebhookDelivery } from '../../../db/webhooks/webhook-deliveries.ts';
import {
  freshSchedule,
  type DeliveryFixture,
  type DeliverySignal,
} from '../../support/webhooks/delivery.ts';
import { notForAWhile, status, statuses } from '../../support/webhooks/receiver.ts';
import { deliveryTest } from '../../support/webhooks/delivery-test.ts';

const test = deliveryTest({
  WEBHOOK_RUNS_PER_SECOND: '1000',
  WEBHOOK_RETRY_DELAYS_MS: '50,50',
});

/** Every message that a delivery's run may get, as it would come once more. */
const messages: Readonly<Record<string, DeliverySignal>> = {
  'fresh-schedule': freshSchedule,
  retry: { signal: 'retry', attempts: 1, tries: 1, dueAt: new Date(0).toISOString() },
  ended: { signal: 'ended', attempts: 1, state: 'succeeded' },
  deactivated: { signal: 'deactivated' },
};

/** What a delivery has come to. */
const all = async (fixture: DeliveryFixture, delivery: WebhookDelivery) => ({
  delivery: await fixture.stored(delivery.id),
  attempts: await fixture.attempts(),
  requests: fixture.requestsOf(delivery).length,
});

describe.each(Object.entries(messages))(
  'the message %s, when it comes once more',
  (name, message) => {
    test('to a delivery that has ended changes nothing', async ({ receiver, fixture }) => {
      receiver.answerWith(statuses(500));
      const delivery = await fixture.ended(await fixture.emit());
      const before = await all(fixture, delivery);
      expect(before).toMatchObject({ delivery: { state: 'succeeded', attempts: 2 }, requests: 2 });

      await fixture.hand(delivery.id, message);
      expect(await fixture.run(delivery.id).result()).toBe('succeeded');
      expect(await all(fixture, delivery)).toEqual(before);
      await fixture.replay(delivery);
    });

    test('to one that waits changes neither instant nor run', async ({ receiver, fixture }) => {
      receiver.answerWith(notForAWhile);
      const delivery = await fixture.emit();
      await fixture.untilWaiting(delivery);
      const before = await all(fixture, delivery);
      const { runId } = await fixture.run(delivery.id).describe();

      await fixture.hand(delivery.id, message);
      await fixture.hand(delivery.id, message);
      // The last word is a message that the run answers: whatever the others did is done by then.
      await fixture.run(delivery.id).query('__temporal_workflow_metadata');
      await fixture.untilWaiting(delivery);
      expect(await all(fixture, delivery)).toEqual(before);
      expect((await fixture.run(delivery.id).describe()).runId).toBe(runId);
      const open = (await fixture.timers(delivery)).filter(({ isCanceled }) => !isCanceled);
      const [{ nextAttemptAt } = { nextAttemptAt: new Date(0) }] = before.attempts;
      expect(open).toHaveLength(1);
      // The run reads the record in less than a second, while it waits for minutes.
      for (const { nowMs, durationMs } of open)
        expect(Math.abs(nowMs + durationMs - nextAttemptAt.getTime())).toBeLessThan(1000);
      await fixture.switchOff();
      expect((await fixture.ended(delivery)).state).toBe('cancelled');
      await fixture.replay(delivery);
      await fixture.record(delivery, `duplicate-${name}`);
    });
  },
);

test('a redelivery’s message that comes twice makes one attempt more', async ({ fixture }) => {
  const first = await fixture.ended(await fixture.emit());
  await fixture.redeliver(first);
  await fixture.enqueue(first.id, { signal: 'redeliver', attempts: 1 });
  expect(await fixture.ended(first)).toMatchObject({ state: 'succeeded', attempts: 2 });
  await fixture.enqueue(first.id, { signal: 'redeliver', attempts: 1 });
  await fixture.untilOutboxIsEmpty();
  const delivery = await fixture.ended(first);
  expect(delivery).toMatchObject({ state: 'succeeded', attempts: 2 });
  expect(fixture.requestsOf(delivery)).toHaveLength(2);
});

test('makes one run of a repeated end, which sends nothing', async ({ gateway, fixture }) => {
  const { id } = await fixture.emitUnsent();
  await gateway.sql`
    update webhook_deliveries set state = 'succeeded', attempts = 1 where id = ${id}`;
  const message = { signal: 'ended', attempts: 1, state: 'succeeded' } as const;
  await fixture.hand(id, message);
  const { runId } = await fixture.run(id).describe();
  await fixture.hand(id, message);
  expect(await fixture.run(id).result()).toBe('succeeded');
  await fixture.hand(id, message);
  expect((await fixture.run(id).describe()).runId).toBe(runId);
  expect(fixture.requestsOf(await fixture.stored(id))).toEqual([]);
});

test('keeps the schedule of a redelivery that waits again', async ({ receiver, fixture }) => {
  const first = await fixture.ended(await fixture.emit());
  let isFirst = true;
  receiver.answerWith((response) => {
    const answer = isFirst ? status(500) : notForAWhile;
    isFirst = false;
    answer(response);
  });
  await fixture.redeliver(first);
  await fixture.untilWaiting(first, 2);
  const before = await all(fixture, first);
  const openTimer = async (): Promise<readonly string[]> =>
    (await fixture.timers(first))
      .filter(({ hasFired, isCanceled }) => !hasFired && !isCanceled)
      .map(({ summary }) => summary);
  expect(await openTimer()).toEqual(['after 503, until attempt 3 of 3']);

  await fixture.enqueue(first.id, { signal: 'redeliver', attempts: 1 });
  await fixture.untilOutboxIsEmpty();
  await fixture.untilWaiting(first, 2);

  expect(await all(fixture, first)).toEqual(before);
  expect(await openTimer()).toEqual(['after 503, until attempt 3 of 3']);
  await fixture.switchOff();
  expect((await fixture.ended(first)).state).toBe('cancelled');
});
