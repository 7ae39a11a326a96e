import { Webhook } from 'standardwebhooks';
import { describe, expect, vi } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { createDeliveryBatch } from '../../support/webhooks/delivery-batch.ts';
import { recordAttempts } from '../../../db/webhooks/attempts/record-attempts.ts';
import type { WebhookDelivery } from '../../../db/webhooks/webhook-deliveries.ts';
import { lockDelivery, redeliver } from '../../../db/webhooks/redelivery.ts';
import { switchOffSubscription } from '../../../db/webhooks/subscriptions/subscription-changes.ts';
import {
  createDeliveryFixture,
  freshSchedule,
  waiting,
  type DeliveryFixture,
} from '../../support/webhooks/delivery.ts';
import { createTestGateway, type TestGateway } from '../../support/gateway/gateway.ts';
import { mustBegin, noLimit, resultOf } from '../../db/webhooks/delivery-rows.ts';
import { startHookedWorker } from '../../support/webhooks/hooked-worker.ts';
import {
  notForAWhile,
  status,
  statuses,
  type TestReceiver,
} from '../../support/webhooks/receiver.ts';
import { deliveryTest } from '../../support/webhooks/delivery-test.ts';

const overrides = {
  WEBHOOK_RETRY_DELAYS_MS: '50,50,50',
  WEBHOOK_TIMEOUT_MS: '20000',
  WEBHOOK_RUNS_PER_SECOND: '1000',
};

const test = deliveryTest(overrides);

const runOf = async (fixture: DeliveryFixture, id: string): Promise<string> =>
  (await fixture.run(id).describe()).runId;

describe('a dead letter that is redelivered', () => {
  test('has a fresh schedule, further numbers and its key', async ({ receiver, fixture }) => {
    receiver.answerWith(status(500));
    const dead = await fixture.ended(await fixture.emit());
    const firstRun = await runOf(fixture, dead.id);
    receiver.answerWith(statuses(500, 500, 500));
    await fixture.redeliver(dead);
    expect(await fixture.stored(dead.id)).toMatchObject({ state: 'waiting', deadLetteredAt: null });
    await fixture.untilOutboxIsEmpty();

    const delivery = await fixture.ended(dead);

    expect(delivery).toMatchObject({ state: 'succeeded', attempts: 8, eventId: dead.eventId });
    expect(await runOf(fixture, dead.id)).not.toBe(firstRun);
    expect((await fixture.attempts()).map(({ attemptNumber }) => attemptNumber)).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8,
    ]);
    const requests = fixture.requestsOf(delivery);
    expect(requests).toHaveLength(8);
    expect(new Set(requests.map(({ body }) => body)).size).toBe(1);
    for (const { body, headers } of requests) {
      const texts = Object.entries(headers).map(([name, value]) => [name, String(value)] as const);
      new Webhook(fixture.subscription.secret).verify(body, Object.fromEntries(texts));
    }
    expect((await fixture.timers(delivery)).map(({ summary }) => summary)).toEqual([
      'after 500, until attempt 2 of 4',
      'after 500, until attempt 3 of 4',
      'after 500, until attempt 4 of 4',
    ]);
    await fixture.record(delivery, 'redelivered-after-dead-letter');
  });
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

/** A run whose attempt ends its delivery, and what happens before the run gets that answer. */
async function whileEnding(
  receiver: TestReceiver,
  meanwhile: (gateway: TestGateway, fixture: DeliveryFixture, id: string) => Promise<void>,
  afterwards: (
    gateway: TestGateway,
    fixture: DeliveryFixture,
    emitted: WebhookDelivery,
  ) => Promise<void>,
): Promise<void> {
  const own = await createTestGateway({ ...overrides, WEBHOOK_ALLOWED_ORIGINS: receiver.origin });
  try {
    const fixture = await createDeliveryFixture(own, receiver);
    receiver.answerWith(statuses(410));
    const emitted = await fixture.emitUnsent();
    let isFirst = true;
    const worker = await startHookedWorker(own, (activities) => ({
      attemptDelivery: async (request) => {
        const attempted = await activities.attemptDelivery(request);
        if (!isFirst) return attempted;
        isFirst = false;
        // The record has the end of the delivery before the run gets the message.
        expect(await fixture.stored(emitted.id)).toMatchObject({ state: 'deadLettered' });
        await fixture.switchOn();
        await fixture.redeliver(emitted);
        await meanwhile(own, fixture, emitted.id);
        return attempted;
      },
    }));
    await fixture.hand(emitted.id, freshSchedule);
    await afterwards(own, fixture, emitted);
    await worker.stop();
  } finally {
    await own.stop();
  }
}

test('continues a redelivery that fails while its run ends', async ({ receiver }) => {
  const dueAt = new Date(0).toISOString();
  await whileEnding(
    receiver,
    async ({ sql }, fixture, id) => {
      const batchId = uuidv7();
      expect(await createDeliveryBatch(sql, { batchId, max: 1 })).toBe(1);
      await recordAttempts(sql, [resultOf(await mustBegin(sql, id, 1, batchId))], noLimit);
      await fixture.hand(id, { signal: 'retry', attempts: 2, tries: 1, dueAt });
    },
    async ({ sql }, fixture, emitted) => {
      const { runId } = await fixture.run(emitted.id).describe();
      await sql`
        delete from outbox where subject_id = ${emitted.id} and payload ->> 'signal' = 'retry'`;
      const delivery = await vi.waitFor(async () => {
        const stored = await fixture.stored(emitted.id);
        expect(stored).toMatchObject({ state: 'succeeded', attempts: 3 });
        return stored;
      }, waiting);
      expect(await fixture.run(emitted.id).result()).toBe('succeeded');
      expect((await fixture.run(emitted.id).describe()).runId).toBe(runId);
      expect(fixture.requestsOf(delivery)).toHaveLength(2);
      await fixture.record(delivery, 'redelivered-while-ending');
    },
  );
});

test('a redelivery that comes while the run is about to end is sent once', async ({ receiver }) => {
  await whileEnding(
    receiver,
    () => Promise.resolve(),
    async (own, fixture, emitted) => {
      expect(await fixture.run(emitted.id).result()).toBe('deadLettered');
      await own.startWorker();
      const delivery = await fixture.ended(emitted);
      expect(delivery).toMatchObject({ state: 'succeeded', attempts: 2 });
      expect(fixture.requestsOf(delivery)).toHaveLength(2);
    },
  );
});

test('continues a cancelled one redelivered when active', async ({ receiver, fixture }) => {
  receiver.answerWith(notForAWhile);
  const waitingOne = await fixture.emit();
  await fixture.untilWaiting(waitingOne);
  receiver.answerWith(status(200));
  await fixture.switchOff();
  await fixture.switchOn();
  // Its run may not have heard of the end yet: both messages reach it, in either order.
  await fixture.redeliver(waitingOne);
  await fixture.untilOutboxIsEmpty();
  const delivery = await fixture.ended(waitingOne);
  expect(delivery).toMatchObject({ state: 'succeeded', attempts: 3 });
  expect(fixture.requestsOf(delivery)).toHaveLength(2);
});

test('continues a redelivery that fails in a batch', async ({ receiver, gateway, fixture }) => {
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
  const batchId = uuidv7();
  await gateway.sql.begin(async (transaction) => {
    const locked = await lockDelivery(transaction, { deliveryId: delivery.id });
    if (locked === null) throw new Error('no such delivery');
    await redeliver(transaction, locked);
    expect(await createDeliveryBatch(transaction, { batchId, max: 10 })).toBe(1);
  });
  await vi.waitFor(async () => expect(await fixture.attempts()).toHaveLength(3), waiting);
  await fixture.untilOutboxIsEmpty();
  await fixture.hand(delivery.id, { signal: 'deactivated' });

  await vi.waitFor(
    async () =>
      expect(await fixture.attemptTexts()).toEqual([
        '1 http_status 503',
        '2 subscription_inactive',
        '3 http_status 500',
        '4 succeeded',
      ]),
    waiting,
  );
  expect((await fixture.ended(delivery)).state).toBe('succeeded');
});
