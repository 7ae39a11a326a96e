import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { createAgreementActivities } from '../../../activities/agreement-switch.ts';
import type { Sql } from '../../../db/core/client.ts';
import type { StoredMessage } from '../../../db/outbox/outbox.ts';
import { requestRuns } from '../../../db/checks/request-runs.ts';
import { findWaitingRows, leastId } from '../../../db/checks/waiting-rows.ts';
import { insertOrders } from '../../../db/orders/insert-orders.ts';
import { claimFirstAttempts } from '../../../db/webhooks/delivery-batches.ts';
import { deactivateSubscriptions } from '../../../db/webhooks/cancel-deliveries.ts';
import { newEvent } from '../../../db/webhooks/webhook-events.ts';
import type { OutboxMessage } from '../../../domain/messages.ts';
import { parseMessage } from '../../../relay/parse-message.ts';
import { percentageOfSale } from '../../support/api/actors.ts';
import { changeAgreement, seedManyOffers } from '../../support/seeds/agreement.ts';
import { addSeededEvidence, moveReturnTo, seedReturn } from '../../support/returns/seed-returns.ts';
import { seedOffer, seedVariant } from '../../support/seeds/seed.ts';
import { createDeliveryBatch } from '../../support/webhooks/delivery-batch.ts';
import { orderOf } from '../orders/order-rows.ts';
import { addSubscription, addVendor } from '../support.ts';
import * as rows from '../webhooks/delivery-rows.ts';

const test = rows.subscriberTest;
test.beforeEach(({ sql }) => sql`truncate webhook_deliveries, webhook_attempts, webhook_answers`);

/** A vendor's subscription, and what clears the outbox before the write itself. */
type Given = rows.Subscriber & { readonly sql: Sql; readonly clear: () => Promise<unknown> };
/** The kind and signal of the message, and what writes it. */
type Writers = Readonly<Record<string, readonly [string, (given: Given) => Promise<unknown>]>>;

/** A begun attempt of a delivery in a batch whose message is gone. */
async function begunInBatch(given: Given) {
  const [deliveryId, batchId] = [await rows.addDelivery(given.sql, given), uuidv7()];
  await createDeliveryBatch(given.sql, { batchId, max: 10 });
  await given.clear();
  return rows.mustBegin(given.sql, deliveryId, 0, batchId);
}

const seededReturn = async (given: Given, destination?: 'SortingPoint') =>
  seedReturn(given.sql, {
    ...given,
    variantId: await seedVariant(given.sql),
    ...(destination === undefined ? {} : { destination }),
  });

/** Requests the run of the one row that waits. */
async function requestRun({ sql, clear }: Given, kind: OutboxMessage['kind']): Promise<void> {
  await clear();
  await requestRuns(sql, kind, await findWaitingRows(sql, kind, { after: leastId, limit: 1 }));
}

/** Every way to ask for a first attempt. */
const firstAttempts: Writers = {
  'an event': ['webhookDelivery start', (given) => rows.addDelivery(given.sql, given)],
  'an order': [
    'webhookDelivery start',
    async ({ sql }) => {
      const vendorId = await addVendor(sql);
      const eventType = 'vendor.order.assigned';
      await addSubscription(sql, vendorId, [eventType]);
      const event = newEvent({ eventType, vendorId, occurredAt: new Date(), data: {} });
      const order = orderOf(await seedVariant(sql), [vendorId]);
      await insertOrders(sql, [{ order, events: [event], audit: null }]);
    },
  ],
  'a redelivery': [
    'webhookDelivery redeliver',
    async (given) => rows.putBack(given.sql, await rows.deadLettered(given.sql, given)),
  ],
};

/** Every other way to write a message. */
const writers: Writers = {
  'a new offer': ['offerReview', ({ sql, vendorId }) => seedOffer(sql, vendorId)],
  'a changed offer': [
    'offerReview',
    async ({ sql, vendorId, clear }) => {
      const variantId = await seedVariant(sql);
      await seedManyOffers(sql, { vendorId, variantId }, { inFirstReview: 1 });
      await changeAgreement(sql, vendorId, percentageOfSale);
      await clear();
      await createAgreementActivities({ sql }).applyAgreementBatch({ vendorId, limit: 10 });
    },
  ],
  'a changed agreement': [
    'agreementSwitch',
    ({ sql, vendorId }) =>
      changeAgreement(sql, vendorId, { pricingModel: 'CostPlusMargin', rateBasisPoints: 3000 }),
  ],
  'a new return': ['returnInspection changed', (given) => seededReturn(given)],
  'a new return of the service itself': [
    'returnInspection changed',
    (given) => seededReturn(given, 'SortingPoint'),
  ],
  'a changed return': [
    'returnInspection evidence',
    async (given) => {
      const received = await moveReturnTo(given.sql, await seededReturn(given), 'Received');
      await given.clear();
      await addSeededEvidence(given.sql, received);
    },
  ],
  'a delivery batch': [
    'webhookDeliveryBatch',
    async (given) => {
      await rows.addDelivery(given.sql, given);
      await createDeliveryBatch(given.sql, { batchId: uuidv7(), max: 10 });
    },
  ],
  'a failed attempt of a batch': [
    'webhookDelivery retry',
    async (given) => rows.record(given.sql, [await begunInBatch(given)]),
  ],
  'an ended attempt of a batch, whose delivery has a run of its own': [
    'webhookDelivery ended',
    async (given) => {
      const begun = await begunInBatch(given);
      await rows.record(given.sql, [begun], { ...rows.success, hasOwnRun: true });
    },
  ],
  'a deactivation': [
    'webhookDelivery deactivated',
    async (given) => {
      await rows.addDelivery(given.sql, given);
      await given.clear();
      const deactivation = { id: given.subscriptionId, reason: 'Test' };
      await given.sql.begin((transaction) => deactivateSubscriptions(transaction, [deactivation]));
    },
  ],
  'the request for the run of a review': [
    'offerReview',
    async (given) => {
      await seedOffer(given.sql, given.vendorId);
      await requestRun(given, 'offerReview');
    },
  ],
  'the request for the run of a delivery': [
    'webhookDelivery retry',
    async (given) => {
      await rows.addDelivery(given.sql, given);
      await requestRun(given, 'webhookDelivery');
    },
  ],
  'the request for the run of a batch': [
    'webhookDeliveryBatch',
    async (given) => {
      await rows.addDelivery(given.sql, given);
      await createDeliveryBatch(given.sql, { batchId: uuidv7(), max: 10 });
      await requestRun(given, 'webhookDeliveryBatch');
    },
  ],
  'the request for the run of a return': [
    'returnInspection changed',
    async (given) => {
      await seededReturn(given);
      await requestRun(given, 'returnInspection');
    },
  ],
  'the request for the run of an agreement switch': [
    'agreementSwitch',
    async (given) => {
      await given.sql`update vendors set agreement_epoch = 1 where id = ${given.vendorId}`;
      await requestRun(given, 'agreementSwitch');
    },
  ],
};

async function written(sql: Sql, subscriber: rows.Subscriber, write: Writers[string][1]) {
  await write({ ...subscriber, sql, clear: () => sql`delete from outbox` });
  const stored = await sql<StoredMessage[]>`select id, kind, subject_id, payload from outbox`;
  const texts = stored.map(({ kind, payload }) => {
    const { signal } = payload as { readonly signal?: string };
    return [kind, signal].filter(Boolean).join(' ');
  });
  return { stored, texts };
}

test.for(Object.entries(writers))(
  '%s writes a message that parses',
  async ([, [expected, write]], { sql, subscriber }) => {
    const { stored, texts } = await written(sql, subscriber, write);
    expect(texts).toEqual([expected]);
    for (const row of stored) {
      const { id: _id, ...message } = row;
      expect(parseMessage(row)).toEqual({ message });
    }
  },
);

test.for(Object.entries(firstAttempts))(
  '%s writes a message that a relay claims',
  async ([, [expected, write]], { sql, subscriber }) => {
    const { stored, texts } = await written(sql, subscriber, write);
    expect(texts).toEqual([expected]);
    const claim = { batchId: uuidv7(), claimedMax: 10, begunMax: 0, leaseMs: 0 };
    const { deliveries } = await claimFirstAttempts(sql, claim);
    expect(deliveries.map(({ deliveryId }) => deliveryId)).toEqual([stored[0]?.subjectId]);
  },
);

test('write_messages is the only writer of the outbox', async ({ sql }) => {
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
  expect(
    product.filter((file) =>
      insert.test(readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8')),
    ),
  ).toEqual([]);
});
