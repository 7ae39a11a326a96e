import { expect } from 'vitest';
import { beginAttempts } from '../../../../db/webhooks/attempts/begin-attempts.ts';
import {
  recordAttempts,
  type AttemptResult,
} from '../../../../db/webhooks/attempts/record-attempts.ts';
import { type Sql } from '../../../../db/core/client.ts';
import * as rows from '../delivery-rows.ts';
import { addSubscription, messagesTo } from '../../support.ts';
import { databaseTest } from '../../../support/database/database-test.ts';

const test = databaseTest.extend('subscriber', ({ sql }) => rows.newSubscriber(sql));

test.beforeEach(async ({ sql }) => {
  await sql`delete from outbox`;
});

const limit = { failingMs: 10_000, deadLetters: 2 };

/** A delivery whose one attempt ended so, so many ms after the first instant. */
async function ended(
  sql: Sql,
  subscriber: rows.Subscriber,
  ms: number,
  given: Partial<AttemptResult>,
): Promise<string> {
  const deliveryId = await rows.addDelivery(sql, subscriber);
  await rows.attempt(sql, deliveryId, { ...given, at: rows.instant(ms) }, 0, limit);
  return deliveryId;
}

type Judged = {
  readonly isActive: boolean;
  readonly inactiveReason: string | null;
  readonly failingSince: Date | null;
  readonly deadLetters: number;
};
async function judged(sql: Sql, subscriber: rows.Subscriber): Promise<Judged> {
  const [row] = await sql<[Judged]>`
    select is_active, inactive_reason, failing_since, dead_letters from webhook_subscriptions
    where id = ${subscriber.subscriptionId}`;
  return row;
}

test('a 410 dead-letters at once, deactivates its subscription and ends its deliveries', async ({
  sql,
  subscriber,
}) => {
  const waiting = await rows.addDeliveries(sql, subscriber, 3);
  await sql`delete from outbox`;
  const goneId = await ended(sql, subscriber, 0, rows.gone);
  expect(await judged(sql, subscriber)).toMatchObject({
    isActive: false,
    inactiveReason: 'The receiver answered 410 Gone.',
  });
  expect(await rows.standing(sql, goneId)).toMatchObject({ state: 'deadLettered' });
  for (const id of waiting) {
    expect(await rows.standing(sql, id)).toMatchObject({ state: 'cancelled', attempts: 1 });
    expect(await rows.attemptTexts(sql, id)).toEqual(['1 subscription_inactive']);
    expect(await messagesTo(sql, id)).toMatchObject([{ payload: { signal: 'deactivated' } }]);
  }
});

test('410 leaves the other subscriptions of the vendor as they are, and what waits there', async ({
  sql,
  subscriber,
}) => {
  const other = await addSubscription(sql, subscriber.vendorId);
  const [one, two] = await rows.addDeliveries(sql, subscriber, 1);
  if (one === undefined || two === undefined) throw new Error('each subscription has its delivery');
  const [begun] = await beginAttempts(sql, [{ deliveryId: one, after: 0, batchId: null }]);
  if (begun === undefined) throw new Error('it was begun');
  await recordAttempts(sql, [rows.resultOf(begun, rows.gone)], limit);
  const active = await sql<{ id: string }[]>`
    select id from webhook_subscriptions where vendor_id = ${subscriber.vendorId} and is_active`;
  const standing = begun.subscriptionId === other ? subscriber.subscriptionId : other;
  expect(active).toEqual([{ id: standing }]);
  expect(await rows.standing(sql, two)).toMatchObject({ state: 'waiting', attempts: 0 });
});

test('failures for the time and number of the limit deactivate a subscription', async ({
  sql,
  subscriber,
}) => {
  const waiting = await rows.addDelivery(sql, subscriber);
  await ended(sql, subscriber, 0, {});
  await ended(sql, subscriber, 5000, rows.deadLetter);
  expect(await judged(sql, subscriber)).toMatchObject({
    isActive: true,
    deadLetters: 1,
    failingSince: new Date(rows.at),
  });
  await ended(sql, subscriber, 10_000, rows.deadLetter);
  expect(await judged(sql, subscriber)).toMatchObject({
    isActive: false,
    inactiveReason: 'Nothing but failures for too long.',
  });
  expect(await rows.standing(sql, waiting)).toMatchObject({ state: 'cancelled' });
});

test('dead letters alone, however many, make nothing inactive before the time', async ({
  sql,
  subscriber,
}) => {
  for (const ms of [0, 1000, 2000, 9999]) await ended(sql, subscriber, ms, rows.deadLetter);
  expect(await judged(sql, subscriber)).toMatchObject({ isActive: true, deadLetters: 4 });
});

test('failures alone, however long, make nothing inactive without so many dead letters', async ({
  sql,
  subscriber,
}) => {
  for (const ms of [0, 20_000, 40_000]) await ended(sql, subscriber, ms, {});
  await ended(sql, subscriber, 60_000, rows.deadLetter);
  await ended(sql, subscriber, 80_000, {});
  expect(await judged(sql, subscriber)).toMatchObject({
    isActive: true,
    deadLetters: 1,
    failingSince: new Date(rows.at),
  });
});

test('a success sets both back: the time and the number', async ({ sql, subscriber }) => {
  await ended(sql, subscriber, 0, rows.deadLetter);
  await ended(sql, subscriber, 1000, rows.deadLetter);
  await ended(sql, subscriber, 2000, rows.success);
  expect(await judged(sql, subscriber)).toMatchObject({
    isActive: true,
    deadLetters: 0,
    failingSince: null,
  });
  await ended(sql, subscriber, 11_000, rows.deadLetter);
  await ended(sql, subscriber, 12_500, rows.deadLetter);
  const failingSince = new Date(rows.instant(11_000));
  expect(await judged(sql, subscriber)).toMatchObject({
    isActive: true,
    deadLetters: 2,
    failingSince,
  });
});

test('a failure before a success, recorded after it, is no failure since that success', async ({
  sql,
  subscriber,
}) => {
  const [early, lateOne, lateTwo] = await rows.addDeliveries(sql, subscriber, 3);
  const begun = new Map(
    await Promise.all(
      [early, lateOne, lateTwo].map(
        async (id = '') => [id, await rows.mustBegin(sql, id)] as const,
      ),
    ),
  );
  const store = async (id: string | undefined, ms: number, given: Partial<AttemptResult>) => {
    const one = begun.get(id ?? '');
    if (one === undefined) throw new Error('it was begun');
    await recordAttempts(sql, [rows.resultOf(one, { ...given, at: rows.instant(ms) })], limit);
  };
  await ended(sql, subscriber, 9000, rows.success);
  await store(early, 0, rows.deadLetter);
  await store(lateOne, 9500, rows.deadLetter);
  await store(lateTwo, 10_000, rows.deadLetter);
  // It has failed for one second since it last succeeded; ten are allowed.
  expect(await judged(sql, subscriber)).toMatchObject({ isActive: true });
});

/** Stores results of one statement: how many ms after the first instant, and what. */
async function endedTogether(
  sql: Sql,
  subscriber: rows.Subscriber,
  results: readonly (readonly [number, Partial<AttemptResult>])[],
): Promise<void> {
  const ids = await rows.addDeliveries(sql, subscriber, results.length);
  const begun = await Promise.all(ids.map((id) => rows.mustBegin(sql, id)));
  await recordAttempts(
    sql,
    results.flatMap(([ms, given], position) => {
      const one = begun[position];
      return one === undefined ? [] : [rows.resultOf(one, { ...given, at: rows.instant(ms) })];
    }),
    limit,
  );
}

test('a dead letter after a success counts, also if one statement stores both (D119)', async ({
  sql,
  subscriber,
}) => {
  await ended(sql, subscriber, 0, rows.deadLetter);
  await endedTogether(sql, subscriber, [
    [1000, rows.deadLetter],
    [1050, rows.success],
    [1080, rows.deadLetter],
  ]);
  expect(await judged(sql, subscriber)).toMatchObject({
    isActive: true,
    deadLetters: 1,
    failingSince: new Date(rows.instant(1080)),
  });
  await ended(sql, subscriber, 12_000, rows.deadLetter);
  expect(await judged(sql, subscriber)).toMatchObject({ isActive: false, deadLetters: 2 });
});

test('a success before the failures, recorded after them, forgives none of them (D119)', async ({
  sql,
  subscriber,
}) => {
  const deliveryId = await rows.addDelivery(sql, subscriber);
  const begun = await rows.mustBegin(sql, deliveryId);
  await ended(sql, subscriber, 50, rows.deadLetter);
  const result = rows.resultOf(begun, { ...rows.success, at: rows.instant(0) });
  await recordAttempts(sql, [result], limit);
  expect(await judged(sql, subscriber)).toMatchObject({
    deadLetters: 1,
    failingSince: new Date(rows.instant(50)),
  });
});

test('a sample that failed is never a dead letter, nor counted as one', async ({
  sql,
  subscriber,
}) => {
  const deliveryId = await rows.addSample(sql, subscriber);
  await rows.attempt(sql, deliveryId, { state: 'failed' }, 0, limit);
  expect(await rows.standing(sql, deliveryId)).toMatchObject({
    state: 'failed',
    deadLetteredAt: null,
  });
  expect(await judged(sql, subscriber)).toMatchObject({ isActive: true, deadLetters: 0 });
});

test('two dead letters in one statement count as two', async ({ sql, subscriber }) => {
  await ended(sql, subscriber, 0, {});
  const ids = await rows.addDeliveries(sql, subscriber, 2);
  const begun = await beginAttempts(
    sql,
    ids.map((deliveryId) => ({ deliveryId, after: 0, batchId: null })),
  );
  const at = rows.instant(10_000);
  await recordAttempts(
    sql,
    begun.map((one) => rows.resultOf(one, { ...rows.deadLetter, at })),
    limit,
  );
  expect(await judged(sql, subscriber)).toMatchObject({ isActive: false, deadLetters: 2 });
});

test('a 410 from a former URL of the subscription ends only the delivery', async ({
  sql,
  subscriber,
}) => {
  const others = await rows.addDeliveries(sql, subscriber, 2);
  const deliveryId = await rows.addDelivery(sql, subscriber);
  const begun = await rows.mustBegin(sql, deliveryId);
  await sql`update webhook_subscriptions set url_changed_at = clock_timestamp()
    where id = ${subscriber.subscriptionId}`;
  await recordAttempts(sql, [rows.resultOf(begun, rows.gone)], limit);
  expect(await rows.standing(sql, deliveryId)).toMatchObject({ state: 'deadLettered' });
  expect(await judged(sql, subscriber)).toMatchObject({ isActive: true, inactiveReason: null });
  for (const id of others) expect(await rows.standing(sql, id)).toMatchObject({ state: 'waiting' });
});
