import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { createAgreementActivities } from '../../../activities/agreement-switch.ts';
import type { Sql } from '../../../db/core/client.ts';
import type { StoredMessage } from '../../../db/outbox/outbox.ts';
import { requestRuns } from '../../../db/checks/request-runs.ts';
import { findWaitingRows, leastId } from '../../../db/checks/waiting-rows.ts';
import { insertOrders } from '../../../db/orders/insert-orders.ts';
import { adoptDeliveries } from '../../../db/webhooks/delivery-batches.ts';
import { deactivateSubscriptions } from '../../../db/webhooks/cancel-deliveries.ts';
import { newEvent } from '../../../db/webhooks/webhook-events.ts';
import type { RunMessage } from '../../../domain/messages.ts';
import { parseMessage } from '../../../relay/parse-message.ts';
import { percentageOfSale } from '../../support/api/actors.ts';
import { changeAgreement, seedManyOffers } from '../../support/seeds/agreement.ts';
import { addSeededEvidence, moveReturnTo, seedReturn } from '../../support/returns/seed-returns.ts';
import { seedOffer, seedVariant } from '../../support/seeds/seed.ts';
import { orderOf } from '../orders/order-rows.ts';
import * as rows from '../webhooks/delivery-rows.ts';

const test = rows.subscriberTest;
test.beforeEach(({ sql }) => sql`truncate webhook_deliveries, webhook_attempts, webhook_answers`);

/** A vendor's subscription, and what clears the outbox before the write itself. */
type Given = rows.Subscriber & { readonly sql: Sql; readonly clear: () => Promise<unknown> };
/** The kind and signal of the message, and what writes it. */
type Writers = Readonly<Record<string, readonly [string, (given: Given) => Promise<unknown>]>>;

/** A claimed delivery. */
async function claimed(given: Given) {
  await rows.addDelivery(given.sql, given);
  return rows.mustClaim(given.sql);
}

const seededReturn = async (given: Given, destination?: 'SortingPoint') =>
  seedReturn(given.sql, {
    ...given,
    variantId: await seedVariant(given.sql),
    ...(destination === undefined ? {} : { destination }),
  });

const raiseEpoch = ({ sql, vendorId }: Given) =>
  sql`update vendors set agreement_epoch = 1 where id = ${vendorId}`;

/** Requests the run of the one row that waits once it is seeded. */
async function requestRun(
  { sql, clear }: Given,
  kind: RunMessage['kind'],
  seeded: PromiseLike<unknown>,
): Promise<void> {
  await seeded;
  await clear();
  await requestRuns(sql, kind, await findWaitingRows(sql, kind, { after: leastId, limit: 1 }));
}

/** A delivery as an earlier version has it: its message waits in the outbox instead. */
async function addOutsideQueue(given: Given): Promise<string> {
  const id = await rows.addDelivery(given.sql, given);
  await given.sql`delete from delivery_queue where delivery_id = ${id}`;
  return id;
}

/** Every way to ask for a first attempt; the last two are of an earlier version. */
const firstAttempts: Readonly<Record<string, (given: Given) => Promise<unknown>>> = {
  'an event': (given) => rows.addDelivery(given.sql, given),
  'a sample': (given) => rows.addSample(given.sql, given),
  'an order': async ({ sql, vendorId }) => {
    const { eventType } = rows;
    const event = newEvent({ eventType, vendorId, occurredAt: new Date(), data: {} });
    const order = orderOf(await seedVariant(sql), [vendorId]);
    await insertOrders(sql, [{ order, events: [event], audit: null }]);
  },
  'a redelivery': async (given) =>
    rows.putBack(given.sql, await rows.deadLettered(given.sql, given)),
  'a message of an earlier process': async (given) => {
    const id = await addOutsideQueue(given);
    await given.sql`
      select write_messages('webhookDelivery', array[${id}::uuid], array['{"signal":"start"}'::jsonb])`;
  },
  'a message in the outbox from before the migration': async (given) => {
    const id = await addOutsideQueue(given);
    await given.sql`
      insert into outbox (kind, subject_id, payload)
      values ('webhookDelivery', ${id}, '{"signal":"start"}')`;
    await adoptDeliveries(given.sql);
  },
};

/** Every way to write a message. */
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
  'a failed first attempt': [
    'webhookDelivery retry',
    async (given) => rows.record(given.sql, [await claimed(given)]),
  ],
  'an ended first attempt, whose delivery has a run of its own': [
    'webhookDelivery ended',
    async (given) => {
      const attempt = await claimed(given);
      await rows.record(given.sql, [attempt], { ...rows.success, hasOwnRun: true });
    },
  ],
  'a deactivation': [
    'webhookDelivery deactivated',
    async (given) => {
      await rows.leaveQueue(given.sql, await rows.addDelivery(given.sql, given));
      const deactivation = { id: given.subscriptionId, reason: 'Test' };
      await given.sql.begin((transaction) => deactivateSubscriptions(transaction, [deactivation]));
    },
  ],
  'the request for the run of a review': [
    'offerReview',
    (given) => requestRun(given, 'offerReview', seedOffer(given.sql, given.vendorId)),
  ],
  'the request for the run of a delivery': [
    'webhookDelivery retry',
    async (given) => {
      await rows.leaveQueue(given.sql, await rows.addDelivery(given.sql, given));
      await requestRun(given, 'webhookDelivery', Promise.resolve());
    },
  ],
  'the request for the run of a return': [
    'returnInspection changed',
    (given) => requestRun(given, 'returnInspection', seededReturn(given)),
  ],
  'the request for the run of an agreement switch': [
    'agreementSwitch',
    (given) => requestRun(given, 'agreementSwitch', raiseEpoch(given)),
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
  'writes for %s a message that parses',
  async ([, [expected, write]], { sql, subscriber }) => {
    const { stored, texts } = await written(sql, subscriber, write);
    expect(texts).toEqual([expected]);
    for (const row of stored) {
      const { id: _id, ...message } = row;
      expect(parseMessage(row)).toEqual({ message });
      const { vendorId } = subscriber;
      if (row.kind === 'webhookDelivery')
        expect(row.payload).toMatchObject({ vendorId, eventType: rows.eventType });
    }
  },
);

test.for(Object.entries(firstAttempts))(
  'queues for %s one delivery, and writes no message',
  async ([, write], { sql, subscriber }) => {
    await write({ ...subscriber, sql, clear: () => sql`delete from outbox` });
    const { deliveryId } = await rows.mustClaim(sql);
    const [delivery] = await sql`select id from webhook_deliveries`;
    expect(delivery).toEqual({ id: deliveryId });
    expect(await sql`select from outbox`).toHaveLength(0);
  },
);

test('writes to the outbox by write_messages only', async ({ sql }) => {
  const insert = /insert\s+into\s+outbox\s/i;
  const functions = await sql`
    select proname as name from pg_proc
    where pronamespace = 'public'::regnamespace and prosrc ~* ${insert.source} order by proname`;
  expect(functions.map(({ name }) => name)).toEqual(['write_messages']);
  const inserts = ['db', 'api', 'activities', 'worker']
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
    )
    .filter((file) => file.endsWith('.ts') && insert.test(readFileSync(file, 'utf8')));
  expect(inserts).toEqual([]);
});
