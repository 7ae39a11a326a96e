import { describe, expect } from 'vitest';
import type { DeliverySignal } from '../../../domain/messages.ts';
import type { WebhookDelivery } from '../../../db/webhooks/webhook-deliveries.ts';
import { createDeliveryStage, type DeliveryStage } from '../../support/webhooks/delivery.ts';
import { notForAWhile, status, statuses } from '../../support/webhooks/receiver.ts';
import { workflowTest } from '../../support/workflow-test.ts';

const test = workflowTest
  .extend('settings', { scope: 'file' }, ({ receiver }) => ({
    WEBHOOK_ALLOWED_ORIGINS: receiver.origin,
    WEBHOOK_RETRY_DELAYS_MS: '50,50',
  }))
  .extend('stage', ({ gateway, receiver }) => createDeliveryStage(gateway, receiver));

test.afterEach(({ receiver }) => {
  receiver.answerWith(status(200));
});

/** Every message that a delivery may get, as it would come once more: of its first attempt, its retry, its redelivery, its end. */
const messages: Readonly<Record<string, DeliverySignal>> = {
  first: { signal: 'start' },
  retry: { signal: 'retry', attempts: 1, tries: 1, dueAt: new Date(0).toISOString() },
  redeliver: { signal: 'redeliver', attempts: 0 },
  deactivated: { signal: 'deactivated' },
};

/** What a delivery has come to. */
const all = async (stage: DeliveryStage, delivery: WebhookDelivery) => ({
  delivery: await stage.stored(delivery.id),
  attempts: await stage.attempts(),
  requests: stage.requestsOf(delivery).length,
});

describe.each(Object.entries(messages))(
  'the message %s, when it comes once more',
  (name, message) => {
    test('to a delivery that has ended changes nothing', async ({ receiver, stage }) => {
      receiver.answerWith(statuses(500));
      const delivery = await stage.ended(await stage.emit());
      const before = await all(stage, delivery);
      expect(before).toMatchObject({ delivery: { state: 'succeeded', attempts: 2 }, requests: 2 });

      await stage.hand(delivery.id, message);
      expect(await stage.run(delivery.id).result()).toBe('succeeded');
      expect(await all(stage, delivery)).toEqual(before);
      await stage.replay(delivery);
    });

    test('to a delivery that waits changes neither its instant nor its run', async ({
      receiver,
      stage,
    }) => {
      receiver.answerWith(notForAWhile);
      const delivery = await stage.emit();
      await stage.untilWaiting(delivery);
      const before = await all(stage, delivery);
      const { runId } = await stage.run(delivery.id).describe();

      await stage.hand(delivery.id, message);
      await stage.hand(delivery.id, message);
      // The last word is a message that the run answers: whatever the others did is done by then.
      await stage.run(delivery.id).query('__temporal_workflow_metadata');
      await stage.untilWaiting(delivery);
      expect(await all(stage, delivery)).toEqual(before);
      expect((await stage.run(delivery.id).describe()).runId).toBe(runId);
      const open = (await stage.timers(delivery)).filter(({ isCanceled }) => !isCanceled);
      const [{ nextAttemptAt } = { nextAttemptAt: new Date(0) }] = before.attempts;
      expect(open).toHaveLength(1);
      // The run's clock goes on while it looks at the record, by less than a second of the minutes that it waits.
      for (const { nowMs, durationMs } of open)
        expect(Math.abs(nowMs + durationMs - nextAttemptAt.getTime())).toBeLessThan(1000);
      await stage.switchOff();
      expect((await stage.ended(delivery)).state).toBe('cancelled');
      await stage.replay(delivery);
      await stage.record(delivery, `duplicate-${name}`);
    });
  },
);

test('a redelivery’s message that comes twice makes one attempt more', async ({ stage }) => {
  const first = await stage.ended(await stage.emit());
  await stage.redeliver(first);
  await stage.untilOutboxIsEmpty();
  await stage.hand(first.id, { signal: 'redeliver', attempts: 1 });
  await stage.hand(first.id, { signal: 'redeliver', attempts: 1 });
  const delivery = await stage.ended(first);
  expect(delivery).toMatchObject({ state: 'succeeded', attempts: 2 });
  expect(stage.requestsOf(delivery)).toHaveLength(2);
});

test('a redelivery that waits again is not put on a fresh schedule by its own message', async ({
  receiver,
  stage,
}) => {
  const first = await stage.ended(await stage.emit());
  let isFirst = true;
  receiver.answerWith((response) => {
    const answer = isFirst ? status(500) : notForAWhile;
    isFirst = false;
    answer(response);
  });
  await stage.redeliver(first);
  await stage.untilOutboxIsEmpty();
  await stage.untilWaiting(first, 2);
  const before = await all(stage, first);
  const openTimer = async (): Promise<readonly string[]> =>
    (await stage.timers(first))
      .filter(({ hasFired, isCanceled }) => !hasFired && !isCanceled)
      .map(({ summary }) => summary);
  expect(await openTimer()).toEqual(['until attempt 3 of 3']);

  await stage.hand(first.id, { signal: 'redeliver', attempts: 1 });
  await stage.run(first.id).query('__temporal_workflow_metadata');
  await stage.untilWaiting(first, 2);

  expect(await all(stage, first)).toEqual(before);
  expect(await openTimer()).toEqual(['until attempt 3 of 3']);
  await stage.switchOff();
  expect((await stage.ended(first)).state).toBe('cancelled');
});
