import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { connect, type Pool } from '../../../db/core/client.ts';
import type { StoredMessage } from '../../../db/outbox/outbox.ts';
import { requestRuns } from '../../../db/checks/request-runs.ts';
import { findWaitingRows, leastId } from '../../../db/checks/waiting-rows.ts';
import { insertOrders } from '../../../db/orders/insert-orders.ts';
import { claimFirstAttempts } from '../../../db/webhooks/delivery-batches.ts';
import { createDeliveryBatch } from '../../support/webhooks/delivery-batch.ts';
import { deactivateSubscriptions } from '../../../db/webhooks/cancel-deliveries.ts';
import { recordAttempts } from '../../../db/webhooks/attempts/record-attempts.ts';
import { lockDelivery, redeliver } from '../../../db/webhooks/redelivery.ts';
import { newEvent } from '../../../db/webhooks/webhook-events.ts';
import type { OutboxMessage } from '../../../domain/messages.ts';
import { parseMessage } from '../../../relay/parse-message.ts';
import { changeAgreement, seedManyOffers } from '../../support/seeds/agreement.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database/database.ts';
import { addSeededEvidence, moveReturnTo, seedReturn } from '../../support/returns/seed-returns.ts';
import { seedOffer, seedVariant } from '../../support/seeds/seed.ts';
import { createAgreementActivities } from '../../../activities/agreement-switch.ts';
import { orderOf } from '../orders/order-rows.ts';
import { addSubscription, addVendor } from '../support.ts';
import * as rows from '../webhooks/delivery-rows.ts';

let database: TestDatabase;
let sql: Pool;
let subscriber: rows.Subscriber;

beforeAll(async () => {
  database = await createTestDatabase();
  sql = connect(database.url, { max: 5, name: 'test' });
});
afterAll(async () => {
  await sql.end({ timeout: 5 });
  await database.drop();
});
beforeEach(async () => {
  await sql`truncate webhook_deliveries, webhook_attempts, webhook_answers,
    webhook_delivery_batches, outbox`;
  subscriber = await rows.newSubscriber(sql);
});

const clear = () => sql`delete from outbox`;

/** A delivery in a batch whose message is gone. */
async function addBatched(): Promise<{ readonly batchId: string; readonly deliveryId: string }> {
  const [deliveryId, batchId] = [await rows.addDelivery(sql, subscriber), uuidv7()];
  await createDeliveryBatch(sql, { batchId, max: 10 });
  return { batchId, deliveryId };
}

const text = (file: string) => readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8');

/** Every way to ask for a first attempt. */
const firstAttempts: Readonly<Record<string, readonly [() => Promise<unknown>, string]>> = {
  'an event': [() => rows.addDelivery(sql, subscriber), 'webhookDelivery start'],
  'an order': [
    async () => {
      const vendorId = await addVendor(sql);
      await addSubscription(sql, vendorId, ['vendor.order.assigned']);
      const occurredAt = new Date();
      const eventType = 'vendor.order.assigned';
      const event = newEvent({ eventType, vendorId, occurredAt, data: {} });
      const order = orderOf(await seedVariant(sql), [vendorId]);
      await insertOrders(sql, [{ order, events: [event], audit: null }]);
    },
    'webhookDelivery start',
  ],
  'a redelivery': [
    async () => {
      const deliveryId = await rows.addDelivery(sql, subscriber);
      await rows.attempt(sql, deliveryId, rows.deadLetter);
      await clear();
      await sql.begin(async (transaction) => {
        const locked = await lockDelivery(transaction, { deliveryId });
        if (locked !== null) await redeliver(transaction, locked);
      });
    },
    'webhookDelivery redeliver',
  ],
};

/** Every other way to write a message, and its kind and signal. */
const writers: Readonly<Record<string, readonly [() => Promise<unknown>, string]>> = {
  'a new offer': [() => seedOffer(sql, subscriber.vendorId), 'offerReview'],
  'a changed offer': [
    async () => {
      const variantId = await seedVariant(sql);
      await seedManyOffers(sql, { ...subscriber, variantId }, { inFirstReview: 1 });
      const { vendorId } = subscriber;
      await changeAgreement(sql, vendorId, {
        pricingModel: 'PercentageOfSale',
        rateBasisPoints: 1000,
      });
      await clear();
      await createAgreementActivities({ sql }).applyAgreementBatch({ vendorId, limit: 10 });
    },
    'offerReview',
  ],
  'a changed agreement': [
    () =>
      changeAgreement(sql, subscriber.vendorId, {
        pricingModel: 'CostPlusMargin',
        rateBasisPoints: 3000,
      }),
    'agreementSwitch',
  ],
  'a new return': [
    async () => seedReturn(sql, { ...subscriber, variantId: await seedVariant(sql) }),
    'returnInspection changed',
  ],
  'a new return of the service itself': [
    async () =>
      seedReturn(sql, {
        ...subscriber,
        variantId: await seedVariant(sql),
        destination: 'SortingPoint',
      }),
    'returnInspection changed',
  ],
  'a changed return': [
    async () => {
      const made = await seedReturn(sql, { ...subscriber, variantId: await seedVariant(sql) });
      const received = await moveReturnTo(sql, made, 'Received');
      await clear();
      await addSeededEvidence(sql, received);
    },
    'returnInspection evidence',
  ],
  'a delivery batch': [() => addBatched(), 'webhookDeliveryBatch'],
  'a failed attempt of a batch': [
    async () => {
      const { batchId, deliveryId } = await addBatched();
      await clear();
      const begun = await rows.mustBegin(sql, deliveryId, 0, batchId);
      await recordAttempts(sql, [rows.resultOf(begun)], rows.noLimit);
    },
    'webhookDelivery retry',
  ],
  'an ended attempt of a batch, whose delivery has a run of its own': [
    async () => {
      const { batchId, deliveryId } = await addBatched();
      await clear();
      const begun = await rows.mustBegin(sql, deliveryId, 0, batchId);
      const result = rows.resultOf(begun, { ...rows.success, hasOwnRun: true });
      await recordAttempts(sql, [result], rows.noLimit);
    },
    'webhookDelivery ended',
  ],
  'a deactivation': [
    async () => {
      await rows.addDelivery(sql, subscriber);
      await clear();
      const deactivation = { id: subscriber.subscriptionId, reason: 'Test' };
      await sql.begin((transaction) => deactivateSubscriptions(transaction, [deactivation]));
    },
    'webhookDelivery deactivated',
  ],
  'the request for the run of a review': [
    async () => {
      await seedOffer(sql, subscriber.vendorId);
      await clear();
      await requestRun('offerReview');
    },
    'offerReview',
  ],
  'the request for the run of a delivery': [
    async () => {
      await rows.addDelivery(sql, subscriber);
      await clear();
      await requestRun('webhookDelivery');
    },
    'webhookDelivery retry',
  ],
  'the request for the run of a batch': [
    async () => {
      await addBatched();
      await clear();
      await requestRun('webhookDeliveryBatch');
    },
    'webhookDeliveryBatch',
  ],
  'the request for the run of a return': [
    async () => {
      const variantId = await seedVariant(sql);
      await seedReturn(sql, { ...subscriber, variantId });
      await clear();
      await requestRun('returnInspection');
    },
    'returnInspection changed',
  ],
  'the request for the run of an agreement switch': [
    async () => {
      await sql`update vendors set agreement_epoch = 1 where id = ${subscriber.vendorId}`;
      await clear();
      await requestRun('agreementSwitch');
    },
    'agreementSwitch',
  ],
};

/** For one row that waits. */
async function requestRun(kind: OutboxMessage['kind']): Promise<void> {
  await requestRuns(sql, kind, await findWaitingRows(sql, kind, { after: leastId, limit: 1 }));
}

test.each(Object.entries(writers))('%s writes a message that parses', async (_name, given) => {
  const [write, expected] = given;
  await write();
  const stored = await sql<StoredMessage[]>`select id, kind, subject_id, payload from outbox`;
  expect(stored).toHaveLength(1);
  for (const row of stored) {
    const { kind, subjectId, payload } = row;
    const { signal } = payload as { readonly signal?: string };
    expect([kind, signal].filter(Boolean).join(' ')).toBe(expected);
    expect(parseMessage(row)).toEqual({ message: { kind, subjectId, payload } });
  }
});

test.each(Object.entries(firstAttempts))(
  '%s writes a message that a relay claims',
  async (_name, [write, expected]) => {
    await write();
    const stored = await sql<StoredMessage[]>`select kind, subject_id, payload from outbox`;
    expect(
      stored.map(({ kind, payload }) => `${kind} ${(payload as { signal: string }).signal}`),
    ).toEqual([expected]);
    const claim = { batchId: uuidv7(), claimedMax: 10, begunMax: 0, leaseMs: 0 };
    const { deliveries } = await claimFirstAttempts(sql, claim);
    expect(deliveries.map(({ deliveryId }) => deliveryId)).toEqual([stored[0]?.subjectId]);
  },
);

test('write_messages is the only writer of the outbox', async () => {
  const insert = /insert\s+into\s+outbox\b/i;
  const functions = await sql<{ name: string; body: string }[]>`
    select proname as name, prosrc as body from pg_proc
    where pronamespace = 'public'::regnamespace`;
  expect(functions.filter(({ body }) => insert.test(body)).map(({ name }) => name)).toEqual([
    'write_messages',
  ]);
  const product = ['db', 'api', 'activities', 'worker'].flatMap((folder) =>
    readdirSync(new URL(`../../../${folder}/`, import.meta.url), { recursive: true })
      .map((file) => `${folder}/${String(file)}`)
      .filter((file) => file.endsWith('.ts')),
  );
  expect(product.filter((file) => insert.test(text(file)))).toEqual([]);
});
