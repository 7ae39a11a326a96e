import type { Client } from '@temporalio/client';
import { expect, vi } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { listAttempts, type DeliveryAttempt } from '../../../db/webhooks/attempts/attempt-list.ts';
import type { Queryable, Sql } from '../../../db/core/client.ts';
import { emitEvents, newEvent } from '../../../db/webhooks/webhook-events.ts';
import { lockDelivery, redeliver } from '../../../db/webhooks/redelivery.ts';
import { lockVendor } from '../../../db/accounts/vendors.ts';
import {
  activateSubscription,
  deleteSubscription,
  switchOffSubscription,
} from '../../../db/webhooks/subscriptions/subscription-changes.ts';
import {
  findDelivery,
  listDeliveries,
  type WebhookDelivery,
} from '../../../db/webhooks/webhook-deliveries.ts';
import type { DeliveryRunMessage } from '../../../domain/messages.ts';
import { webhookDeliveryId } from '../../../workflows/ids.ts';
import { addDeliveries, addDelivery, leaveQueue } from '../../db/webhooks/delivery-rows.ts';
import type { TestGateway } from '../gateway/gateway.ts';
import { handOver } from '../gateway/runs.ts';
import { readableHistory, recordHistory, replayRun } from '../history.ts';
import type { ReceivedRequest, TestReceiver } from './receiver.ts';
import { anyDelivery } from './any-delivery.ts';
import { seedSubscription, seedVendor } from '../seeds/seed.ts';
import { readTimers } from '../vitest/timers.ts';

type Without<T, TKey extends PropertyKey> = T extends unknown ? Omit<T, TKey> : never;
export type DeliverySignal = Without<DeliveryRunMessage['payload'], 'vendorId' | 'eventType'>;

export const waiting = { timeout: 30_000, interval: 20 };
const until = <T>(condition: () => Promise<T>): Promise<T> => vi.waitFor(condition, waiting);

/** The message that makes a run start a schedule itself, as the reconciliation writes it. */
export const freshSchedule: DeliverySignal = {
  signal: 'retry',
  attempts: 0,
  tries: 0,
  dueAt: new Date(0).toISOString(),
};
const eventType = 'vendor.offer.review-decision';

/** An event of the vendor's, written as a decision writes it; returns its id. */
export async function emitTo(
  sql: Queryable,
  vendorId: string,
  data: object = { offerId: uuidv7() },
): Promise<string> {
  const event = newEvent({ eventType, vendorId, occurredAt: new Date(), data });
  await emitEvents(sql, event);
  return event.id;
}

/** The vendor's deliveries, oldest first. */
export async function deliveriesOf(
  sql: Sql,
  vendorId: string,
): Promise<readonly WebhookDelivery[]> {
  const filter = { ...anyDelivery, vendorId };
  return (await listDeliveries(sql, filter, { page: 1, pageSize: 500 })).items.toReversed();
}

/** One vendor with one subscription, what happens to it, and what becomes of its deliveries. */
export async function createDeliveryFixture(gateway: TestGateway, receiver: TestReceiver) {
  const { sql, client, config } = gateway;
  const vendorId = await seedVendor(sql);
  const subscription = await seedSubscription(sql, vendorId, receiver.url, config.SECRETS_KEY);
  const run = (id: string) => client.workflow.getHandle(webhookDeliveryId(id));
  const stored = async (id: string): Promise<WebhookDelivery> => {
    const delivery = await findDelivery(sql, id);
    if (delivery === null) throw new Error('no such delivery');
    return delivery;
  };
  const settled = ({ id }: WebhookDelivery): Promise<WebhookDelivery> =>
    until(async () => {
      const delivery = await stored(id);
      expect(delivery.state).not.toBe('waiting');
      return delivery;
    });
  /** All of the subscription's attempts, oldest first. */
  const attempts = async (): Promise<readonly DeliveryAttempt[]> =>
    (await listAttempts(sql, subscription.id, { page: 1, pageSize: 500 })).items.toReversed();

  return {
    vendorId,
    subscription,
    run,
    stored,
    attempts,
    /** An event and its delivery; returns the delivery. A worker makes its first attempt. */
    emit: async (data?: object): Promise<WebhookDelivery> =>
      stored(await addDelivery(sql, { vendorId }, data)),
    /** Events in one transaction, so that the relay finds all of them at once. */
    emitMany: (count: number, data?: object) =>
      sql.begin((transaction) => addDeliveries(transaction, { vendorId }, count, data)),
    /** The same outside the queue: the test hands it over to its run itself. */
    emitUnsent: async (): Promise<WebhookDelivery> => {
      const unsent = await sql.begin(async (transaction) => {
        const id = await addDelivery(transaction, { vendorId });
        await leaveQueue(transaction, id);
        return id;
      });
      return stored(unsent);
    },
    /** Hands Temporal a message past the relay, once more or with a schedule of its own. */
    hand: (subjectId: string, signal: DeliverySignal, retryDelaysMs?: readonly number[]) => {
      const payload = { vendorId, eventType, ...signal } as const;
      return handOver(gateway, { kind: 'webhookDelivery', subjectId, payload }, retryDelaysMs);
    },
    requestsOf: ({ eventId }: WebhookDelivery): readonly ReceivedRequest[] =>
      receiver.requests.filter(({ headers }) => headers['webhook-id'] === eventId),
    /** How the attempts went, as words. */
    attemptTexts: async (): Promise<readonly string[]> =>
      (await attempts()).map(({ attemptNumber, succeeded, errorSummary, httpStatus }) => {
        const how = succeeded === null ? 'under way' : (errorSummary?.split(':')[0] ?? 'succeeded');
        const status = succeeded === false && httpStatus !== null ? ` ${httpStatus}` : '';
        return `${attemptNumber} ${how}${status}`;
      }),
    /** Until it no longer waits. */
    settled,
    untilSucceeded: (count: number): Promise<void> =>
      until(async () => {
        const states = (await deliveriesOf(sql, vendorId)).map(({ state }) => state);
        expect(states).toEqual(Array(count).fill('succeeded'));
      }),
    /** Until its own run has ended too, with the same state. */
    ended: async (delivery: WebhookDelivery): Promise<WebhookDelivery> => {
      const { id } = delivery;
      await settled(delivery);
      // The relay starts the run a moment after the commit.
      await until(async () => {
        expect(await sql`select from outbox where subject_id = ${id}`).toHaveLength(0);
        await run(id).describe();
      });
      const state: unknown = await run(id).result();
      const ended = await stored(id);
      expect(ended.state).toBe(state);
      return ended;
    },
    /**
     * Until a given number of attempts have failed and the run waits for the next one's instant.
     */
    untilWaiting: ({ id }: WebhookDelivery, failed = 1): Promise<void> =>
      until(async () => {
        const failures = (await attempts()).filter(({ succeeded }) => succeeded === false);
        const timers = await readTimers(client, webhookDeliveryId(id));
        const open = timers.filter(({ hasFired, isCanceled }) => !hasFired && !isCanceled);
        expect([failures.length, open.length]).toEqual([failed, 1]);
      }),
    /** Until the relay has taken all messages, and has made all first attempts. */
    untilOutboxIsEmpty: () =>
      until(async () => {
        expect(await sql`select from outbox`).toHaveLength(0);
        expect(await sql`select from delivery_queue`).toHaveLength(0);
      }),
    switchOff: () =>
      sql.begin((transaction) => switchOffSubscription(transaction, vendorId, subscription.id)),
    switchOn: () =>
      sql.begin((transaction) => activateSubscription(transaction, vendorId, subscription.id)),
    remove: () =>
      sql.begin(async (transaction) => {
        await lockVendor(transaction, vendorId);
        await deleteSubscription(transaction, vendorId, subscription.id);
      }),
    redeliver: ({ id }: WebhookDelivery): Promise<void> =>
      sql.begin(async (transaction) => {
        const locked = await lockDelivery(transaction, { deliveryId: id });
        if (locked === null) throw new Error('no such delivery');
        await redeliver(transaction, locked);
      }),
    timers: ({ id }: WebhookDelivery) => readTimers(client, webhookDeliveryId(id)),
    /** What the Temporal UI shows of its timers. */
    waits: async ({ id }: WebhookDelivery): Promise<readonly string[]> =>
      (await readTimers(client, webhookDeliveryId(id))).map(({ summary }) => summary),
    runId: async ({ id }: Pick<WebhookDelivery, 'id'>): Promise<string> =>
      (await run(id).describe()).runId,
    replay: ({ id }: WebhookDelivery): Promise<void> => replayRun(client, webhookDeliveryId(id)),
    record: ({ id }: WebhookDelivery, name: string): Promise<void> =>
      recordHistory(client, webhookDeliveryId(id), `webhook-delivery-${name}`),
  };
}
/** Expects that a history names an id, and none of these texts. */
export async function expectNoSecret(
  client: Client,
  workflowId: string,
  known: string,
  texts: readonly string[],
): Promise<void> {
  const history = await readableHistory(client, workflowId);
  expect(history).toContain(known);
  for (const text of texts) expect(history).not.toContain(text);
}

export type DeliveryFixture = Awaited<ReturnType<typeof createDeliveryFixture>>;
