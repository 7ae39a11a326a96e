import { expect } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { beginAttempts, cancelAttempts } from '../../../../db/webhooks/attempts/begin-attempts.ts';
import { recordAttempts } from '../../../../db/webhooks/attempts/record-attempts.ts';
import * as rows from '../delivery-rows.ts';
import { databaseTest } from '../../../support/database/database-test.ts';

const test = databaseTest.extend('subscriber', ({ sql }) => rows.newSubscriber(sql));

test.beforeEach(async ({ sql }) => {
  await sql`delete from outbox`;
});

test('stores the row of an attempt with what to send', async ({ sql, subscriber }) => {
  const deliveryId = await rows.addDelivery(sql, subscriber);
  const begun = await rows.begin(sql, deliveryId);
  const [event] = await sql<{ id: string; body: string }[]>`
    select id, body from webhook_events
    where id = (select event_id from webhook_deliveries where id = ${deliveryId})`;
  expect(begun).toMatchObject({
    deliveryId,
    attemptNumber: 1,
    subscriptionId: subscriber.subscriptionId,
    url: 'https://vendor.example.org/hook',
    secretSealed: Buffer.from('sealed'),
    isActive: true,
    eventId: event?.id,
    body: event?.body,
    isTest: false,
  });
  expect(await rows.attemptTexts(sql, deliveryId)).toEqual(['1 under way']);
  expect(await rows.standing(sql, deliveryId)).toMatchObject({
    attempts: 1,
    isUnderWay: true,
    state: 'waiting',
  });
});

test('begins nothing after a known result', async ({ sql, subscriber }) => {
  const deliveryId = await rows.addDelivery(sql, subscriber);
  await rows.attempt(sql, deliveryId);
  await rows.mustBegin(sql, deliveryId, 1);
  expect(await rows.begin(sql, deliveryId, 0)).toBeNull();
  expect(await rows.attemptTexts(sql, deliveryId)).toEqual(['1 http_status 500', '2 under way']);
});

test('repeats a lost attempt after the same attempt', async ({ sql, subscriber }) => {
  const deliveryId = await rows.addDelivery(sql, subscriber);
  await rows.attempt(sql, deliveryId);
  await rows.mustBegin(sql, deliveryId, 1);
  const again = await rows.mustBegin(sql, deliveryId, 1);
  await recordAttempts(sql, [rows.resultOf(again, rows.success)], rows.noLimit);
  expect(await rows.attemptTexts(sql, deliveryId)).toEqual([
    '1 http_status 500',
    '2 worker_lost',
    '3 succeeded',
  ]);
});

test('the row of a lost attempt has its start time and no answer', async ({ sql, subscriber }) => {
  const deliveryId = await rows.addDelivery(sql, subscriber);
  const { id } = await rows.mustBegin(sql, deliveryId);
  await rows.mustBegin(sql, deliveryId);
  const [row] = await sql`
    select succeeded, http_status, sent_at = created_at as is_when_begun, dead_lettered_at,
      error_summary like 'worker_lost:%' as is_lost from webhook_attempts where id = ${id}`;
  expect(row).toEqual({
    succeeded: false,
    httpStatus: null,
    isWhenBegun: true,
    deadLetteredAt: null,
    isLost: true,
  });
});

test('a delivery that is gone is not begun', async ({ sql }) => {
  expect(await rows.begin(sql, uuidv7())).toBeNull();
});

test('reads secret, URL and state anew for each attempt', async ({ sql, subscriber }) => {
  const deliveryId = await rows.addDelivery(sql, subscriber);
  await rows.attempt(sql, deliveryId);
  const url = 'https://other.example.org/hook';
  await sql`
    update webhook_subscriptions
    set secret_sealed = ${Buffer.from('new')}, url = ${url}, is_active = false
    where id = ${subscriber.subscriptionId}`;
  const secretSealed = Buffer.from('new');
  expect(await rows.begin(sql, deliveryId, 1)).toMatchObject({
    secretSealed,
    url,
    isActive: false,
  });
});

test('begins three hundred in one statement, without ended ones', async ({ sql, subscriber }) => {
  const ids = await rows.addDeliveries(sql, subscriber, 300);
  const done = ids.filter((_id, index) => index % 3 === 0);
  await sql`update webhook_deliveries set state = 'cancelled' where id = any(${[...done]})`;
  const asked = ids.toReversed().map((deliveryId) => ({ deliveryId, after: 0, batchId: null }));
  const begun = await beginAttempts(sql, asked);
  const due = ids.filter((_id, index) => index % 3 !== 0);
  expect(begun.map(({ deliveryId }) => deliveryId).toSorted()).toEqual(due.toSorted());
  expect(begun.every(({ attemptNumber }) => attemptNumber === 1)).toBe(true);
});

test('deletes a cancelled attempt, and reuses its number', async ({ sql, subscriber }) => {
  const deliveryId = await rows.addDelivery(sql, subscriber);
  await rows.attempt(sql, deliveryId);
  const begun = await rows.mustBegin(sql, deliveryId, 1);
  await cancelAttempts(sql, [begun]);
  await cancelAttempts(sql, [begun]);
  expect(await rows.attemptTexts(sql, deliveryId)).toEqual(['1 http_status 500']);
  expect(await rows.standing(sql, deliveryId)).toMatchObject({
    attempts: 1,
    isUnderWay: false,
    state: 'waiting',
  });
  expect(await rows.begin(sql, deliveryId, 1)).toMatchObject({ attemptNumber: 2 });
});
