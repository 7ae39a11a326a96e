import { afterAll, beforeAll, expect, test } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { connect, type Sql } from '../../db/client.ts';
import { emitEvent } from '../../db/events.ts';
import { beginAttempt, listAttempts, recordAttempt, type AttemptResult } from '../../db/webhook-attempts.ts';
import { findSubscription } from '../../db/webhook-subscriptions.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { addSubscription, addVendor } from './support.ts';

let database: TestDatabase;
let sql: Sql;

beforeAll(async () => {
  database = await createTestDatabase();
  sql = connect(database.url, { max: 10, name: 'test' });
});
afterAll(async () => {
  await sql.end();
  await database.drop();
});

const at = new Date('2026-01-02T03:04:05.678Z');
const later = new Date('2026-01-02T03:04:10.678Z');

/** One event on its way to one subscription. */
async function newDelivery() {
  const vendorId = await addVendor(sql);
  const subscriptionId = await addSubscription(sql, vendorId);
  const eventId = `evt_${uuidv7()}`;
  const eventType = 'vendor.offer.review-decision';
  await emitEvent(sql, { id: eventId, vendorId, eventType, body: '{"a":1}', occurredAt: at });
  const [row] = await sql<[{ id: string }]>`select id from webhook_deliveries where event_id = ${eventId}`;
  return { vendorId, subscriptionId, eventId, deliveryId: row.id };
}

const begin = (deliveryId: string, attemptNumber = 1) =>
  beginAttempt(sql, { id: uuidv7(), deliveryId, attemptNumber, at });

const result = (deliveryId: string, given: Partial<AttemptResult> = {}): AttemptResult => ({
  deliveryId,
  attemptNumber: 1,
  sentAt: at,
  succeeded: false,
  httpStatus: 500,
  errorSummary: 'http_status 500',
  nextAttemptAt: later,
  deliveryState: 'waiting',
  deactivates: null,
  at,
  ...given,
});

const success = { succeeded: true, httpStatus: 200, errorSummary: null, deliveryState: 'succeeded' } as const;
const page = { page: 1, pageSize: 100 };

test('the row of an attempt is there before its result, and tells what to send', async () => {
  const { deliveryId, subscriptionId, eventId } = await newDelivery();
  expect(await begin(deliveryId)).toEqual({
    subscriptionId,
    url: 'https://vendor.example.org/hook',
    secretSealed: Buffer.from('sealed'),
    isActive: true,
    eventId,
    body: '{"a":1}',
    deliveryState: 'waiting',
    recorded: null,
  });
  const { items } = await listAttempts(sql, subscriptionId, page);
  expect(items).toMatchObject([
    { attemptNumber: 1, eventId, succeeded: null, sentAt: null, httpStatus: null },
  ]);
});

test('begun again, or by many at once, an attempt is one row', async () => {
  const { deliveryId, subscriptionId } = await newDelivery();
  const facts = await Promise.all(Array.from({ length: 10 }, () => begin(deliveryId)));
  expect(facts.every((fact) => fact?.recorded === null)).toBe(true);
  expect((await listAttempts(sql, subscriptionId, page)).totalCount).toBe(1);
});

test('a recorded result is told to whoever begins the attempt again', async () => {
  const { deliveryId } = await newDelivery();
  await begin(deliveryId);
  await recordAttempt(sql, result(deliveryId));
  const facts = await begin(deliveryId);
  expect(facts?.deliveryState).toBe('waiting');
  expect(facts?.recorded).toMatchObject({
    succeeded: false,
    httpStatus: 500,
    errorSummary: 'http_status 500',
  });
  expect(new Date(facts?.recorded?.nextAttemptAt ?? '')).toEqual(later);
  expect((await begin(deliveryId, 2))?.recorded).toBeNull();
});

test('a recorded result is never overwritten', async () => {
  const { vendorId, deliveryId, subscriptionId } = await newDelivery();
  await begin(deliveryId);
  await recordAttempt(sql, result(deliveryId, success));
  const before = await listAttempts(sql, subscriptionId, page);
  await recordAttempt(sql, result(deliveryId, { deliveryState: 'deadLettered', deactivates: 'gone' }));
  expect(await listAttempts(sql, subscriptionId, page)).toEqual(before);
  expect((await begin(deliveryId))?.deliveryState).toBe('succeeded');
  const subscription = await findSubscription(sql, vendorId, subscriptionId);
  expect(subscription).toMatchObject({ isActive: true, lastDeliveryStatus: 'Success' });
});

test.each([
  [success, { lastDeliveryStatus: 'Success', isActive: true }, 'succeeded', null],
  [{}, { lastDeliveryStatus: 'Failed', isActive: true }, 'waiting', null],
  [{ deliveryState: 'deadLettered' }, { lastDeliveryStatus: 'DeadLettered' }, 'deadLettered', at],
  [
    { deliveryState: 'deadLettered', deactivates: 'The receiver answered 410 Gone.' },
    { lastDeliveryStatus: 'DeadLettered', isActive: false },
    'deadLettered',
    at,
  ],
] as const)('a result %j leaves the subscription as %j', async (given, subscribed, state, deadLetteredAt) => {
  const { vendorId, deliveryId, subscriptionId } = await newDelivery();
  await begin(deliveryId);
  await recordAttempt(sql, result(deliveryId, given));
  expect(await findSubscription(sql, vendorId, subscriptionId)).toMatchObject({
    ...subscribed,
    lastDeliveryAt: at,
  });
  const facts = await begin(deliveryId);
  expect(facts?.deliveryState).toBe(state);
  const { items } = await listAttempts(sql, subscriptionId, page);
  expect(items).toMatchObject([{ sentAt: at, nextAttemptAt: later, deadLetteredAt }]);
});

test('an attempt that sent nothing leaves the last delivery as it was', async () => {
  const { vendorId, deliveryId, subscriptionId } = await newDelivery();
  await begin(deliveryId);
  const cancelled = { sentAt: null, httpStatus: null, deliveryState: 'cancelled' } as const;
  await recordAttempt(sql, result(deliveryId, { ...cancelled, errorSummary: 'subscription_inactive' }));
  expect(await findSubscription(sql, vendorId, subscriptionId)).toMatchObject({
    lastDeliveryAt: null,
    lastDeliveryStatus: null,
  });
});

test('the secret is read anew at each attempt', async () => {
  const { deliveryId, subscriptionId } = await newDelivery();
  await begin(deliveryId);
  await sql`update webhook_subscriptions set secret_sealed = ${Buffer.from('new')} where id = ${subscriptionId}`;
  expect((await begin(deliveryId, 2))?.secretSealed).toEqual(Buffer.from('new'));
});

test('a delivery that is gone has no attempt', async () => {
  expect(await begin(uuidv7())).toBeNull();
});

test('attempts are listed newest first, and a result without its attempt is nothing', async () => {
  const { deliveryId, subscriptionId } = await newDelivery();
  for (const [index, number] of [1, 2, 3].entries()) {
    const begun = new Date(at.getTime() + index);
    await beginAttempt(sql, { id: uuidv7(), deliveryId, attemptNumber: number, at: begun });
  }
  await recordAttempt(sql, result(deliveryId, { attemptNumber: 4 }));
  const { items, totalCount } = await listAttempts(sql, subscriptionId, { page: 1, pageSize: 2 });
  expect(items.map(({ attemptNumber }) => attemptNumber)).toEqual([3, 2]);
  expect(totalCount).toBe(3);
});
