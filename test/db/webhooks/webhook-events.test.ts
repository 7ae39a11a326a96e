import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import type { Queryable, Sql } from '../../../db/core/client.ts';
import { readFeed } from '../../../db/webhooks/event-feed.ts';
import { pruneWebhookHistory } from '../../../db/webhooks/retention.ts';
import { emitEvents, newEvent, type NewEvent } from '../../../db/webhooks/webhook-events.ts';
import { eventTypes } from '../../../domain/webhooks/events.ts';
import { databaseTest as test } from '../../support/database/database-test.ts';
import { addSubscription, addVendor, pool } from '../support.ts';

const assigned = 'vendor.order.assigned';
const eventOf = (vendorId: string, data: object = {}): NewEvent =>
  newEvent({ eventType: assigned, vendorId, occurredAt: new Date(), data });

const feedOf = (sql: Sql, vendorId: string, after = 0, pageSize = 1000) =>
  readFeed(sql, { vendorId, after, types: eventTypes, pageSize });

const numbersIn = (bodies: readonly string[]): readonly number[] =>
  bodies.map((body) => (JSON.parse(body) as { sequence: number }).sequence);

const upTo = (latest: number): readonly number[] =>
  Array.from({ length: latest }, (_, index) => index + 1);

test('delivers to the vendor’s active subscriptions to the type only', async ({ sql }) => {
  const vendorId = await addVendor(sql);
  const first = await addSubscription(sql, vendorId, [assigned]);
  const both = await addSubscription(sql, vendorId, [assigned, 'vendor.offer.review-decision']);
  await addSubscription(sql, vendorId, ['vendor.offer.review-decision']);
  const inactive = await addSubscription(sql, vendorId, [assigned]);
  await sql`update webhook_subscriptions set is_active = false where id = ${inactive}`;
  await addSubscription(sql, await addVendor(sql), [assigned]);

  const event = eventOf(vendorId);
  await emitEvents(sql, event);
  const deliveries = await sql`
    select delivery.subscription_id, state, vendor_id, event_type
    from webhook_deliveries as delivery join delivery_queue as queue
      on queue.subscription_id = delivery.subscription_id and queue.delivery_id = delivery.id
    where event_id = ${event.id} order by subscription_id`;
  const delivery = { state: 'waiting', vendorId, eventType: assigned };
  expect(deliveries).toEqual(
    [first, both].toSorted().map((subscriptionId) => ({ subscriptionId, ...delivery })),
  );
});

test('stores an event once, with its number at the end of its body', async ({ sql }) => {
  const event = { ...eventOf(await addVendor(sql)), body: '{"b":1,"a": 2}' };
  await emitEvents(sql, event);
  await expect(emitEvents(sql, event)).rejects.toThrow(/duplicate key/);
  const stored = await sql`select body, occurred_at from webhook_events where id = ${event.id}`;
  expect(stored).toEqual([{ body: '{"b":1,"a": 2,"sequence":1}', occurredAt: event.occurredAt }]);
});

// The numbers of a vendor's events (D100).

/** A writer of one to three events of some vendors, which may be rolled back. */
async function write(sql: Sql, vendorIds: readonly string[], index: number): Promise<void> {
  const events = upTo(1 + (index % 3)).map((position) =>
    eventOf(vendorIds[(index * position) % vendorIds.length] ?? '', { index, position }),
  );
  const isRolledBack = index % 4 === 3;
  await sql
    .begin(async (transaction) => {
      await emitEvents(transaction, ...events);
      await delay(index % 5);
      if (isRolledBack) throw new Error('rolled back');
    })
    .catch((error: unknown) => {
      if (!isRolledBack) throw error;
    });
}

test('numbers events without gaps, and shows a reader all beside writers', async ({ sql }) => {
  const vendorIds = await Promise.all(upTo(3).map(() => addVendor(sql)));
  const [vendorId = ''] = vendorIds;
  await addSubscription(sql, vendorId, [assigned]);
  const writers = Promise.all(upTo(200).map((index) => write(sql, vendorIds, index)));
  const seen: number[] = [];
  let after = 0;
  let isWriting = true;
  void writers.finally(() => {
    isWriting = false;
  });
  for (let isLast = false; !isLast;) {
    isLast = !isWriting;
    const page = await feedOf(sql, vendorId, after, 7);
    seen.push(...numbersIn(page.bodies));
    after = page.nextAfter;
    if (isLast && after < page.latest) isLast = false;
  }
  await writers;
  let total = 0;
  for (const each of vendorIds) {
    const { bodies, latest } = await feedOf(sql, each);
    expect(numbersIn(bodies)).toEqual(upTo(latest));
    total += latest;
  }
  expect(total).toBe(
    upTo(200).reduce((sum, index) => sum + (index % 4 === 3 ? 0 : 1 + (index % 3)), 0),
  );
  expect(seen).toEqual(upTo((await feedOf(sql, vendorId)).latest));
});

test('writes events of the same vendors in opposite orders without a deadlock', async ({ sql }) => {
  const [one, other] = [await addVendor(sql), await addVendor(sql)];
  await Promise.all(
    upTo(60).map((index) => {
      const events = [eventOf(one), eventOf(other)];
      return sql.begin(async (transaction) => {
        await emitEvents(transaction, ...(index % 2 === 0 ? events : events.toReversed()));
      });
    }),
  );
  expect((await feedOf(sql, one)).latest).toBe(60);
  expect((await feedOf(sql, other)).latest).toBe(60);
});

test(
  'lets a client that freezes while it emits an event or changes a subscription block the ' +
    'vendor’s events for five seconds only (D123)',
  { timeout: 20_000 },
  async ({ database, sql }) => {
    const freezesWhile = async (
      lock: (transaction: Queryable, vendorId: string) => Promise<unknown>,
    ): Promise<void> => {
      const vendorId = await addVendor(sql);
      const frozen = await pool(database.url, 1).reserve();
      await frozen`begin`;
      await lock(frozen, vendorId);
      const startedAt = performance.now();
      await emitEvents(sql, eventOf(vendorId));
      expect(performance.now() - startedAt).toBeLessThan(8000);
      expect((await feedOf(sql, vendorId)).latest).toBe(1);
    };
    await Promise.all([
      freezesWhile((transaction, vendorId) => emitEvents(transaction, eventOf(vendorId))),
      freezesWhile((transaction, vendorId) => transaction`select lock_event_sequence(${vendorId})`),
    ]);
  },
);

test('begins the feed after the last deleted event, and returns its oldest', async ({ sql }) => {
  const vendorId = await addVendor(sql);
  await emitEvents(sql, eventOf(vendorId), eventOf(vendorId), eventOf(vendorId));
  const old = `evt_${uuidv7({ msecs: Date.now() - 40 * 86_400_000 })}`;
  await sql`update webhook_events set id = ${old} where vendor_id = ${vendorId} and sequence = 2`;
  await pruneWebhookHistory(sql, new Date(Date.now() - 30 * 86_400_000));
  const page = await feedOf(sql, vendorId);
  // Number 1 is still stored. The feed promises what comes after the last deleted one.
  expect({ ...page, bodies: numbersIn(page.bodies) }).toEqual({
    bodies: [3],
    nextAfter: 3,
    oldest: 3,
    latest: 3,
  });
});

test('reads at most 2,000 events for a page, and continues after them', async ({ sql }) => {
  const vendorId = await addVendor(sql);
  await emitEvents(sql, ...upTo(2100).map(() => eventOf(vendorId)));
  const wanted = { vendorId, types: ['vendor.return.decided'], pageSize: 10 } as const;
  for (const [after, nextAfter] of [
    [0, 2000],
    [2000, 2100],
  ] as const) {
    const page = await readFeed(sql, { ...wanted, after });
    expect(page).toMatchObject({ bodies: [], nextAfter, latest: 2100 });
  }
});
