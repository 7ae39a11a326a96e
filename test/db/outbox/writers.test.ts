import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import type { Sql } from '../../../db/core/client.ts';
import type { StoredMessage } from '../../../db/outbox/outbox.ts';
import { reconcile } from '../../../db/outbox/reconcile.ts';
import { insertOrders } from '../../../db/orders/insert-orders.ts';
import { createDeliveryBatch } from '../../support/webhooks/delivery-batch.ts';
import { deactivateSubscriptions } from '../../../db/webhooks/cancel-deliveries.ts';
import { recordAttempts } from '../../../db/webhooks/record-attempts.ts';
import { lockDelivery, redeliver } from '../../../db/webhooks/redelivery.ts';
import { newEvent } from '../../../db/webhooks/webhook-events.ts';
import { parseMessage } from '../../../worker/outbox-relay/parse-message.ts';
import { changeAgreement, seedManyOffers } from '../../support/agreement.ts';
import { databaseTest } from '../../support/database-test.ts';
import { ago } from '../../support/webhooks/old-deliveries.ts';
import { addSeededEvidence, moveReturnTo, seedReturn } from '../../support/returns/seed-returns.ts';
import { seedOffer, seedVariant } from '../../support/seed.ts';
import { createAgreementActivities } from '../../../activities/agreement-switch.ts';
import { orderOf } from '../orders/order-rows.ts';
import { addSubscription, addVendor } from '../support.ts';
import * as rows from '../webhooks/delivery-rows.ts';

const test = databaseTest.extend('subscriber', async ({ sql }) => {
  await sql`truncate webhook_deliveries, webhook_attempts, webhook_delivery_batches, outbox`;
  return rows.newSubscriber(sql);
});

const clear = (sql: Sql) => sql`delete from outbox`;

/** A delivery in a batch whose message is gone. */
async function addBatched(
  sql: Sql,
  subscriber: rows.Subscriber,
): Promise<{ readonly batchId: string; readonly deliveryId: string }> {
  const [deliveryId, batchId] = [await rows.addDelivery(sql, subscriber), uuidv7()];
  await createDeliveryBatch(sql, { batchId, max: 10 });
  return { batchId, deliveryId };
}

const text = (file: string) => readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8');

type Write = (sql: Sql, subscriber: rows.Subscriber) => Promise<unknown>;

/** Every way to write a message, and what it writes: the kind, and the signal if it has one. */
const writers: Readonly<Record<string, readonly [Write, string]>> = {
  'a new offer': [(sql, subscriber) => seedOffer(sql, subscriber.vendorId), 'offerReview'],
  'a changed offer': [
    async (sql, subscriber) => {
      const variantId = await seedVariant(sql);
      await seedManyOffers(sql, { ...subscriber, variantId }, { inFirstReview: 1 });
      const { vendorId } = subscriber;
      await changeAgreement(sql, vendorId, {
        pricingModel: 'PercentageOfSale',
        rateBasisPoints: 1000,
      });
      await clear(sql);
      await createAgreementActivities({ sql }).applyAgreementBatch({ vendorId, limit: 10 });
    },
    'offerReview',
  ],
  'a changed agreement': [
    (sql, subscriber) =>
      changeAgreement(sql, subscriber.vendorId, {
        pricingModel: 'CostPlusMargin',
        rateBasisPoints: 3000,
      }),
    'agreementSwitch',
  ],
  'a new return': [
    async (sql, subscriber) =>
      seedReturn(sql, { ...subscriber, variantId: await seedVariant(sql) }),
    'returnInspection changed',
  ],
  'a new return of the service itself': [
    async (sql, subscriber) =>
      seedReturn(sql, {
        ...subscriber,
        variantId: await seedVariant(sql),
        destination: 'SortingPoint',
      }),
    'returnInspection changed',
  ],
  'a changed return': [
    async (sql, subscriber) => {
      const made = await seedReturn(sql, { ...subscriber, variantId: await seedVariant(sql) });
      const received = await moveReturnTo(sql, made, 'Received');
      await clear(sql);
      await addSeededEvidence(sql, received);
    },
    'returnInspection evidence',
  ],
  'an event': [rows.addDelivery, 'webhookDelivery start'],
  'an order': [
    async (sql) => {
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
  'a delivery batch': [addBatched, 'webhookDeliveryBatch'],
  'a failed attempt of a batch': [
    async (sql, subscriber) => {
      const { batchId, deliveryId } = await addBatched(sql, subscriber);
      await clear(sql);
      const begun = await rows.mustBegin(sql, deliveryId, 0, batchId);
      await recordAttempts(sql, [rows.resultOf(begun)], rows.noLimit);
    },
    'webhookDelivery retry',
  ],
  'a deactivation': [
    async (sql, subscriber) => {
      await rows.addDelivery(sql, subscriber);
      await clear(sql);
      const deactivation = { id: subscriber.subscriptionId, reason: 'Test' };
      await sql.begin((transaction) => deactivateSubscriptions(transaction, [deactivation]));
    },
    'webhookDelivery deactivated',
  ],
  'a redelivery': [
    async (sql, subscriber) => {
      const deliveryId = await rows.addDelivery(sql, subscriber);
      await rows.attempt(sql, deliveryId, rows.deadLetter);
      await clear(sql);
      await sql.begin(async (transaction) => {
        const locked = await lockDelivery(transaction, { deliveryId });
        if (locked !== null) await redeliver(transaction, locked);
      });
    },
    'webhookDelivery redeliver',
  ],
  'the reconciliation of a delivery': [
    async (sql, subscriber) => {
      await rows.addDelivery(sql, subscriber);
      await clear(sql);
      await sql`update webhook_deliveries set created_at = ${ago(3_600_000)}`;
      await reconcile(sql, 1000);
    },
    'webhookDelivery retry',
  ],
  'the reconciliation of a batch': [
    async (sql, subscriber) => {
      await addBatched(sql, subscriber);
      await clear(sql);
      await sql`update webhook_delivery_batches set created_at = ${ago(3_600_000)}`;
      await reconcile(sql, 1000);
    },
    'webhookDeliveryBatch',
  ],
  'the reconciliation of a return': [
    async (sql, subscriber) => {
      const variantId = await seedVariant(sql);
      const made = await seedReturn(sql, { ...subscriber, variantId, times: { startMs: 1 } });
      await moveReturnTo(sql, made, 'Received');
      await clear(sql);
      await sql`update return_requests set received_at = ${ago(3_600_000)} where id = ${made.id}`;
      await reconcile(sql, 1000);
    },
    'returnInspection changed',
  ],
};

test.for(Object.entries(writers))(
  '%s writes a message that parses',
  async ([, [write, expected]], { sql, subscriber }) => {
    await write(sql, subscriber);
    const stored = await sql<StoredMessage[]>`select id, kind, subject_id, payload from outbox`;
    expect(stored).toHaveLength(1);
    for (const row of stored) {
      const { kind, subjectId, payload } = row;
      const { signal } = payload as { readonly signal?: string };
      expect([kind, signal].filter(Boolean).join(' ')).toBe(expected);
      expect(parseMessage(row)).toEqual({ message: { kind, subjectId, payload } });
    }
  },
);

test('the statements of the operating guide write messages that parse', async ({
  sql,
  subscriber,
}) => {
  const variantId = await seedVariant(sql);
  await seedReturn(sql, { ...subscriber, variantId });
  await rows.addDelivery(sql, subscriber);
  await changeAgreement(sql, subscriber.vendorId, {
    pricingModel: 'PercentageOfSale',
    rateBasisPoints: 1000,
  });
  await addBatched(sql, subscriber);
  await rows.addDelivery(sql, subscriber);
  await clear(sql);

  const statements = /^ *select write_messages\('[^;]*;$/gm;
  for (const [statement] of text('docs/operating.md').matchAll(statements))
    await sql.unsafe(statement);

  const stored = await sql<StoredMessage[]>`select id, kind, subject_id, payload from outbox`;
  expect(new Set(stored.map(({ kind }) => kind))).toEqual(
    new Set(['webhookDelivery', 'webhookDeliveryBatch', 'returnInspection', 'agreementSwitch']),
  );
  for (const row of stored) expect(parseMessage(row)).toHaveProperty('message');
});

test('write_messages is the only writer of the outbox', async ({ sql }) => {
  const insert = /insert\s+into\s+outbox\b/i;
  const functions = await sql<{ name: string; body: string }[]>`
    select proname as name, prosrc as body from pg_proc where pronamespace = 'public'::regnamespace`;
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
