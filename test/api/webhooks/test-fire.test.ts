import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { claimFirstAttempts } from '../../../db/webhooks/delivery-batches.ts';
import type { EventType } from '../../../domain/webhooks/events.ts';
import type { TestFires } from '../../../api/webhooks/test-fires.ts';
import { createTestFires } from '../../../api/webhooks/test-fires.ts';
import { apiError } from '../../../api/http/api-error.ts';
import { untilAnyLockWait } from '../../support/database/locks.ts';
import { fieldErrorsOf, refusal, startGateway, unknownId, type Gateway } from '../support/api.ts';
import {
  begin,
  newWebhookFixture,
  noSubscription,
  record,
  storedDelivery,
  storedSubscription,
  type WebhookFixture,
} from './webhook-fixture.ts';

// What the route answers. The way of a sample to a receiver has its test in
// `test/worker/test-fires.test.ts`.

const orders: EventType = 'vendor.order.assigned';
const reviews: EventType = 'vendor.offer.review-decision';

/** A replacement of the relay. `sent` lists the samples that it was asked to send. */
let run: TestFires['waitFor'];
let sent: string[];
let gateway: Gateway;
let fixture: WebhookFixture;
let id: string;

beforeAll(async () => {
  const testFires: TestFires = {
    timeoutMs: 10_000,
    waitFor: (deliveryId) => {
      sent.push(deliveryId);
      return run(deliveryId);
    },
  };
  gateway = await startGateway({ testFires });
});
beforeEach(async () => {
  sent = [];
  run = (deliveryId) => attemptOnce(deliveryId, 'succeeded');
  fixture = await newWebhookFixture(gateway);
  id = await fixture.subscribe([orders]);
});
afterAll(() => gateway.close());

const attemptOnce = async (deliveryId: string, state: 'succeeded' | 'failed') =>
  record(gateway.sql, await begin(gateway.sql, deliveryId), state);
const fire = (eventType: unknown = orders, at = id) =>
  fixture.send('POST', `/${at}/test-fire`, { eventType });
/** The one sample that was asked for. */
function onlySample(): string {
  const [sample, ...more] = sent;
  if (sample === undefined || more.length > 0) throw new Error(`${sent.length} samples were sent`);
  return sample;
}
const storedSamples = () => gateway.sql`
  select id from webhook_deliveries where vendor_id = ${fixture.vendor.vendorId}`;
const storedEvents = () => gateway.sql<{ id: string; body: string; occurredAt: Date }[]>`
  select id, body, occurred_at from webhook_events where vendor_id = ${fixture.vendor.vendorId}`;

test('answers the attempt', async () => {
  const before = Date.now();
  const answer = await fire();
  const [event] = await storedEvents();
  expect(answer).toMatchObject({ status: 200, state: 'SUCCESS', details: {} });
  expect(answer.payload).toStrictEqual({
    id: expect.stringMatching(/^[\da-f-]{36}$/),
    eventType: orders,
    idempotencyKey: event?.id,
    attemptNumber: 1,
    httpStatus: 200,
    sentAt: expect.stringMatching(/Z$/),
    succeeded: true,
    errorSummary: null,
    deadLetteredAt: null,
    nextAttemptAt: expect.stringMatching(/Z$/),
  });
  expect(event?.occurredAt.getTime()).toBeGreaterThan(before - 60_000);
  expect(event?.occurredAt.getTime()).toBeLessThan(Date.now() + 60_000);
});

test('marks a sample as a test, and asks the relay for it once', async () => {
  await fixture.send('PUT', `/${id}`, { eventTypes: [orders, reviews] });
  for (const eventType of [orders, reviews]) expect((await fire(eventType)).status).toBe(200);
  const { vendorId } = fixture.vendor;
  const [first, second] = sent;
  expect(sent).toHaveLength(2);
  expect(first).not.toBe(second);
  for (const [deliveryId, eventType] of [
    [first, orders],
    [second, reviews],
  ] as const) {
    expect(await storedDelivery(gateway.sql, deliveryId ?? '')).toMatchObject({ isTest: true });
    expect(
      await gateway.sql`
        select kind, payload, is_low_priority from outbox where subject_id = ${deliveryId ?? ''}`,
    ).toEqual([
      {
        kind: 'webhookDelivery',
        payload: { signal: 'start', vendorId, eventType },
        isLowPriority: false,
      },
    ]);
  }
  for (const event of await storedEvents()) {
    expect(JSON.parse(event.body)).toMatchObject({
      eventId: event.id,
      occurredAt: event.occurredAt.toISOString(),
      apiVersion: 'v1',
      vendorId,
      test: true,
    });
  }
});

test('answers 200 for a failed attempt, which is no dead letter', async () => {
  run = (deliveryId) => attemptOnce(deliveryId, 'failed');
  expect(await fire()).toMatchObject({
    status: 200,
    payload: {
      succeeded: false,
      httpStatus: 503,
      errorSummary: 'http_status 503',
      deadLetteredAt: null,
    },
  });
  expect(await storedSubscription(gateway.sql, id)).toMatchObject({
    isActive: true,
    deadLetters: 0,
  });
  expect((await fixture.send('GET', `/${id}`)).payload).toMatchObject({
    lastDeliveryStatus: 'Failed',
  });
});

test('refuses an inactive subscription, and sends nothing', async () => {
  await fixture.send('PATCH', `/${id}/active`, { isActive: false });
  for (const eventType of [orders, reviews]) {
    expect(await fire(eventType)).toMatchObject(
      refusal('BUSINESS_VENDOR_WEBHOOK_SUBSCRIPTION_INACTIVE'),
    );
  }
  expect([sent, await storedSamples(), await storedEvents()]).toEqual([[], [], []]);
});

test('waits for a concurrent deactivation, and sends nothing', async () => {
  const { sql } = gateway;
  const keeper = await sql.reserve();
  await keeper`begin`;
  await keeper`update webhook_subscriptions set is_active = false where id = ${id}`;
  const fired = fire();
  await untilAnyLockWait(sql);
  await keeper`commit`;
  keeper.release();
  expect(await fired).toMatchObject(refusal('BUSINESS_VENDOR_WEBHOOK_SUBSCRIPTION_INACTIVE'));
  expect([sent, await storedSamples()]).toEqual([[], []]);
});

test('refuses a type not subscribed with the subscribed ones, and sends nothing', async () => {
  expect(await fire(reviews)).toMatchObject(
    refusal('VALIDATION_WEBHOOK_EVENT_TYPE_NOT_SUBSCRIBED', { allowedValues: [orders] }),
  );
  expect([sent, await storedSamples(), await storedEvents()]).toEqual([[], [], []]);
});

test('refuses a misshapen body with 400, also for an unknown subscription', async () => {
  for (const at of [id, unknownId()]) {
    const answer = await fixture.send('POST', `/${at}/test-fire`, { eventType: null, url: '' });
    expect(answer).toMatchObject({ status: 400, state: 'VALIDATION_ERRORS' });
    expect(fieldErrorsOf(answer)).toEqual(['EventType not_allowed', 'Url unknown_field']);
  }
  expect(sent).toEqual([]);
});

test('answers 404 for an unknown id and for no id, and sends nothing', async () => {
  for (const at of [unknownId(), '1']) expect(await fire(orders, at)).toMatchObject(noSubscription);
  expect(sent).toEqual([]);
});

const timeout = () => Promise.reject(apiError('GATEWAY_TIMEOUT'));

test('answers 504 for a sample that no relay sends in time, and never sends it', async () => {
  const { waitFor } = createTestFires(gateway.sql, -9_900);
  run = waitFor;
  expect(await fire()).toMatchObject(refusal('GATEWAY_TIMEOUT'));
  const deliveryId = onlySample();
  expect(await storedDelivery(gateway.sql, deliveryId)).toMatchObject({
    state: 'cancelled',
    attempts: 0,
  });
  // The relay that comes up late finds nothing to do.
  const claim = { batchId: uuidv7(), claimedMax: 100, begunMax: 100, leaseMs: 0 };
  const { deliveries } = await claimFirstAttempts(gateway.sql, claim);
  expect(deliveries.filter((each) => each.deliveryId === deliveryId)).toEqual([]);
  expect(await storedDelivery(gateway.sql, deliveryId)).toMatchObject({
    attemptTexts: [],
    signals: [],
  });
});

test('answers 503 when Postgres fails during the call, and never sends the sample', async () => {
  run = () => Promise.reject(Object.assign(new Error('cut'), { code: 'CONNECTION_CLOSED' }));
  expect(await fire()).toMatchObject(refusal('SERVICE_UNAVAILABLE'));
  expect(await storedDelivery(gateway.sql, onlySample())).toMatchObject({ state: 'cancelled' });
});

test('answers within two seconds of the result', async () => {
  const { waitFor } = createTestFires(gateway.sql, 20_000);
  run = waitFor;
  const fired = fire();
  await expect.poll(() => sent.length, { timeout: 10_000, interval: 5 }).toBe(1);
  const begun = await begin(gateway.sql, onlySample());
  await record(gateway.sql, begun, 'failed');
  const recordedAt = performance.now();
  expect(await fired).toMatchObject({ status: 200, payload: { succeeded: false } });
  expect(performance.now() - recordedAt).toBeLessThan(2000);
});

test('answers an attempt that was made although the wait for it failed', async () => {
  run = async (deliveryId) => {
    await attemptOnce(deliveryId, 'succeeded');
    throw new Error('cut');
  };
  expect(await fire()).toMatchObject({ status: 200, payload: { succeeded: true } });
  expect(await storedDelivery(gateway.sql, onlySample())).toMatchObject({
    state: 'succeeded',
  });
});

test('answers 504 for an attempt under way, and leaves it', async () => {
  run = async (deliveryId) => {
    await begin(gateway.sql, deliveryId);
    await timeout();
  };
  expect(await fire()).toMatchObject(refusal('GATEWAY_TIMEOUT'));
  expect(await storedDelivery(gateway.sql, onlySample())).toMatchObject({
    state: 'waiting',
    attemptTexts: ['1 under way'],
  });
});

test('answers a sample that a deactivation ended', async () => {
  run = async () => {
    expect((await fixture.send('PATCH', `/${id}/active`, { isActive: false })).status).toBe(200);
  };
  expect(await fire()).toMatchObject({
    status: 200,
    payload: { succeeded: false, sentAt: null, errorSummary: 'subscription_inactive' },
  });
});
