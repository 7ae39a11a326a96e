import { expect, vi } from 'vitest';
import { recordAttempts } from '../../../db/webhooks/attempts/record-attempts.ts';
import { lockDelivery, redeliver } from '../../../db/webhooks/redelivery.ts';
import { switchOffSubscription } from '../../../db/webhooks/subscriptions/subscription-changes.ts';
import { mustClaim, noLimit, resultOf, success } from '../../db/webhooks/delivery-rows.ts';
import { freshSchedule, waiting } from '../../support/webhooks/delivery.ts';
import {
  deliveryRestartTest,
  deliveryTest,
  ownRuns,
} from '../../support/webhooks/delivery-test.ts';
import { notForAWhile, status, statuses } from '../../support/webhooks/receiver.ts';

const test = deliveryTest(ownRuns);

test('gives a dead letter a new schedule, later numbers and the same key', async ({
  receiver,
  fixture,
}) => {
  receiver.answerWith(status(500));
  const dead = await fixture.ended(await fixture.emit());
  const firstRun = await fixture.runId(dead);
  receiver.answerWith(statuses(500, 500, 500));
  await fixture.redeliver(dead);
  expect(await fixture.stored(dead.id)).toMatchObject({ state: 'waiting', deadLetteredAt: null });
  await fixture.untilOutboxIsEmpty();

  const delivery = await fixture.ended(dead);

  expect(delivery).toMatchObject({ state: 'succeeded', attempts: 8, eventId: dead.eventId });
  expect(await fixture.runId(dead)).not.toBe(firstRun);
  const numbers = (await fixture.attempts()).map(({ attemptNumber }) => attemptNumber);
  expect(numbers).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  const requests = fixture.requestsOf(delivery);
  expect(requests).toHaveLength(8);
  expect(new Set(requests.map(({ body }) => body)).size).toBe(1);
  expect(await fixture.waits(delivery)).toEqual([
    'after 500, until attempt 2 of 4',
    'after 500, until attempt 3 of 4',
    'after 500, until attempt 4 of 4',
  ]);
  await fixture.record(delivery, 'redelivered-after-dead-letter');
});

test('sends a delivered event again under the same key', async ({ fixture }) => {
  const first = await fixture.ended(await fixture.emit());
  await fixture.redeliver(first);
  await fixture.untilOutboxIsEmpty();
  const delivery = await fixture.ended(first);
  expect(delivery).toMatchObject({ state: 'succeeded', attempts: 2 });
  expect(fixture.requestsOf(delivery)).toHaveLength(2);
  await fixture.record(delivery, 'redelivered-after-success');
});

/**
 * Gives each test a run whose attempt ends its delivery, and lets it redeliver before the run gets
 * the result.
 */
const endingTest = deliveryRestartTest(ownRuns).extend(
  'redeliverWhileEnding',
  ({ receiver, fixture, startHookedWorker }) =>
    async (meanwhile: (deliveryId: string) => Promise<unknown>) => {
      receiver.answerWith(statuses(410));
      const emitted = await fixture.emitUnsent();
      let isFirst = true;
      await startHookedWorker((activities) => ({
        attemptDelivery: async (request) => {
          const attempted = await activities.attemptDelivery(request);
          if (!isFirst) return attempted;
          isFirst = false;
          // The record has the end of the delivery before the run gets the message.
          expect(await fixture.stored(emitted.id)).toMatchObject({ state: 'deadLettered' });
          await fixture.switchOn();
          await fixture.redeliver(emitted);
          await meanwhile(emitted.id);
          return attempted;
        },
      }));
      await fixture.hand(emitted.id, freshSchedule);
      return emitted;
    },
);

endingTest(
  'continues a redelivery that fails while its run ends',
  async ({ gateway, fixture, redeliverWhileEnding }) => {
    const { sql } = gateway;
    const emitted = await redeliverWhileEnding(async (id) => {
      await recordAttempts(sql, [resultOf(await mustClaim(sql))], noLimit);
      const dueAt = new Date(0).toISOString();
      await fixture.hand(id, { signal: 'retry', attempts: 2, tries: 1, dueAt });
    });
    const { id } = emitted;
    const runId = await fixture.runId(emitted);
    await sql`delete from outbox where subject_id = ${id} and payload ->> 'signal' = 'retry'`;
    await vi.waitFor(async () => {
      expect(await fixture.stored(id)).toMatchObject({ state: 'succeeded', attempts: 3 });
    }, waiting);
    expect(await fixture.run(id).result()).toBe('succeeded');
    expect(await fixture.runId(emitted)).toBe(runId);
    expect(fixture.requestsOf(emitted)).toHaveLength(2);
    await fixture.record(emitted, 'redelivered-while-ending');
  },
);

endingTest(
  'sends a redelivery once that arrives while the run is about to end',
  async ({ gateway, fixture, redeliverWhileEnding }) => {
    const emitted = await redeliverWhileEnding(() => Promise.resolve());
    expect(await fixture.run(emitted.id).result()).toBe('deadLettered');
    await gateway.startWorker();
    const delivery = await fixture.ended(emitted);
    expect(delivery).toMatchObject({ state: 'succeeded', attempts: 2 });
    expect(fixture.requestsOf(delivery)).toHaveLength(2);
  },
);

deliveryRestartTest(ownRuns)(
  'continues a redelivery that fails before its run has shown the success',
  async ({ gateway, fixture }) => {
    const { sql } = gateway;
    const delivery = await fixture.emit();
    const { id } = delivery;
    await recordAttempts(sql, [resultOf(await mustClaim(sql), success)], noLimit);
    await fixture.redeliver(delivery);
    await recordAttempts(sql, [resultOf(await mustClaim(sql))], noLimit);
    await sql`delete from outbox where subject_id = ${id}`;
    await fixture.hand(id, { signal: 'ended', attempts: 1, state: 'succeeded' });
    const dueAt = new Date(0).toISOString();
    await fixture.hand(id, { signal: 'retry', attempts: 2, tries: 1, dueAt });
    await gateway.startWorker();
    expect(await fixture.ended(delivery)).toMatchObject({ state: 'succeeded', attempts: 3 });
    expect(fixture.requestsOf(delivery)).toHaveLength(1);
    await fixture.record(delivery, 'redelivered-before-shown');
  },
);

test('continues a redelivery that fails at its first attempt', async ({
  receiver,
  gateway,
  fixture,
}) => {
  receiver.answerWith(notForAWhile);
  const delivery = await fixture.emit();
  await fixture.untilWaiting(delivery);
  // The message of the end has low priority, and the relay hands over a few of these a second.
  await gateway.sql.begin(async (transaction) => {
    await switchOffSubscription(transaction, fixture.vendorId, fixture.subscription.id);
    await transaction`delete from outbox where subject_id = ${delivery.id}`;
  });
  await fixture.switchOn();
  receiver.answerWith(statuses(500));
  await gateway.sql.begin(async (transaction) => {
    const locked = await lockDelivery(transaction, { deliveryId: delivery.id });
    await redeliver(transaction, locked ?? expect.unreachable());
  });
  await vi.waitFor(async () => {
    expect((await fixture.attempts()).length).toBeGreaterThanOrEqual(3);
  }, waiting);
  await fixture.untilOutboxIsEmpty();
  await fixture.hand(delivery.id, { signal: 'deactivated' });

  const failures = ['1 http_status 503', '2 subscription_inactive', '3 http_status 500'];
  await vi.waitFor(async () => {
    expect(await fixture.attemptTexts()).toEqual([...failures, '4 succeeded']);
  }, waiting);
  expect((await fixture.ended(delivery)).state).toBe('succeeded');
});
