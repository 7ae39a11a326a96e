import { expect } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { claimFirstAttempts } from '../../../db/webhooks/delivery-batches.ts';
import { createTestFires, type TestFires } from '../../../api/webhooks/test-fires.ts';
import { apiError } from '../../../api/http/api-error.ts';
import { untilAnyLockWait } from '../../support/database/locks.ts';
import { fieldErrorsOf, refusal, unknownId } from '../../support/api/api.ts';
import { instant, uuid } from '../../support/api/matchers.ts';
import {
  begin,
  noSubscription,
  orders,
  record,
  reviews,
  webhookTest,
  type WebhookFixture,
} from './webhook-fixture.ts';

// The answers of the route. The way of a sample to a receiver has its test in
// `test/worker/test-fires.test.ts`.

/** A replacement of the relay. `sent` lists the samples that it was asked to send. */
let run: TestFires['waitFor'];
let sent: string[];
const testFires: TestFires = {
  timeoutMs: 10_000,
  waitFor: (deliveryId) => {
    sent.push(deliveryId);
    return run(deliveryId);
  },
};
const test = webhookTest
  .extend('overrides', { scope: 'file' }, () => ({ testFires }))
  .extend('id', ({ fixture }) => fixture.subscribe([orders]))
  .extend(
    'fire',
    ({ fixture, id }) =>
      (eventType = orders, at = id) =>
        fixture.send('POST', `/${at}/test-fire`, { eventType }),
  );

const attemptOnce =
  ({ sql }: WebhookFixture, state: 'succeeded' | 'failed') =>
  async (deliveryId: string) =>
    record(sql, await begin(sql, deliveryId), state);

test.beforeEach(({ fixture }) => {
  sent = [];
  run = attemptOnce(fixture, 'succeeded');
});

/** The one sample that was asked for. */
function onlySample(): string {
  const [sample, ...more] = sent;
  if (sample === undefined || more.length > 0) throw new Error(`${sent.length} samples were sent`);
  return sample;
}
const storedEvents = ({ sql, vendor }: WebhookFixture) =>
  sql<
    { id: string; body: string; occurredAt: Date }[]
  >`select id, body, occurred_at from webhook_events where vendor_id = ${vendor.vendorId}`;

test('answers the attempt', async ({ fixture, fire }) => {
  const before = Date.now();
  const answer = await fire();
  const [event] = await storedEvents(fixture);
  expect(answer).toMatchObject({ status: 200, state: 'SUCCESS', details: {} });
  expect(answer.payload).toStrictEqual({
    id: uuid,
    eventType: orders,
    idempotencyKey: event?.id,
    attemptNumber: 1,
    httpStatus: 200,
    sentAt: instant,
    succeeded: true,
    errorSummary: null,
    deadLetteredAt: null,
    nextAttemptAt: instant,
  });
  expect(event?.occurredAt.getTime()).toBeGreaterThan(before - 60_000);
  expect(event?.occurredAt.getTime()).toBeLessThan(Date.now() + 60_000);
});

test('marks a sample as a test, and asks the relay for it once', async ({ fixture, id, fire }) => {
  const { sql, update, storedDelivery, vendor } = fixture;
  await update(id, { eventTypes: [orders, reviews] });
  for (const eventType of [orders, reviews]) {
    sent = [];
    expect((await fire(eventType)).status).toBe(200);
    expect(await storedDelivery(onlySample())).toMatchObject({ isTest: true });
    const messages = await sql`
      select kind, payload, is_low_priority from outbox where subject_id = ${onlySample()}`;
    const payload = { signal: 'start', vendorId: vendor.vendorId, eventType };
    expect(messages).toEqual([{ kind: 'webhookDelivery', payload, isLowPriority: false }]);
  }
  for (const { id: eventId, body, occurredAt } of await storedEvents(fixture))
    expect(JSON.parse(body)).toMatchObject({
      eventId,
      occurredAt: occurredAt.toISOString(),
      apiVersion: 'v1',
      vendorId: vendor.vendorId,
      test: true,
    });
});

test('answers 200 for a failed attempt, which is no dead letter', async ({ fixture, id, fire }) => {
  run = attemptOnce(fixture, 'failed');
  const errorSummary = 'http_status 503';
  const payload = { succeeded: false, httpStatus: 503, errorSummary, deadLetteredAt: null };
  expect(await fire()).toMatchObject({ status: 200, payload });
  expect(await fixture.stored(id)).toMatchObject({ isActive: true, deadLetters: 0 });
  const last = { lastDeliveryStatus: 'Failed' };
  expect((await fixture.send('GET', `/${id}`)).payload).toMatchObject(last);
});

const inactive = refusal('BUSINESS_VENDOR_WEBHOOK_SUBSCRIPTION_INACTIVE');
const expectNothingSent = async (fixture: WebhookFixture) => {
  const { sql, vendor } = fixture;
  const samples = await sql`
    select id from webhook_deliveries where vendor_id = ${vendor.vendorId}`;
  expect([sent, samples, await storedEvents(fixture)]).toEqual([[], [], []]);
};

test.for([orders, reviews])(
  'refuses %s for an inactive subscription, and sends nothing',
  async (eventType, { fixture, id, fire }) => {
    await fixture.setActive(id, false);
    expect(await fire(eventType)).toMatchObject(inactive);
    await expectNothingSent(fixture);
  },
);

test('waits for a concurrent deactivation', async ({ gateway: { sql }, fixture, id, fire }) => {
  const keeper = await sql.reserve();
  await keeper`begin`;
  await keeper`update webhook_subscriptions set is_active = false where id = ${id}`;
  const fired = fire();
  await untilAnyLockWait(sql);
  await keeper`commit`;
  keeper.release();
  expect(await fired).toMatchObject(inactive);
  await expectNothingSent(fixture);
});

test('refuses a type that is not subscribed, and sends nothing', async ({ fixture, fire }) => {
  const code = 'VALIDATION_WEBHOOK_EVENT_TYPE_NOT_SUBSCRIBED';
  expect(await fire(reviews)).toMatchObject(refusal(code, { allowedValues: [orders] }));
  await expectNothingSent(fixture);
});

test('refuses a misshapen body before an unknown id', async ({ fixture: { send }, id }) => {
  for (const at of [id, unknownId()]) {
    const answer = await send('POST', `/${at}/test-fire`, { eventType: null, url: '' });
    expect(answer).toMatchObject({ status: 400, state: 'VALIDATION_ERRORS' });
    expect(fieldErrorsOf(answer)).toEqual(['EventType not_allowed', 'Url unknown_field']);
  }
  expect(sent).toEqual([]);
});

test.for(['unknown', '1'])(
  'answers 404 for the id %s, and sends nothing',
  async (which, { fire }) => {
    const id = which === 'unknown' ? unknownId() : which;
    expect(await fire(orders, id)).toMatchObject(noSubscription);
    expect(sent).toEqual([]);
  },
);

test('answers 504 when no relay sends in time', async ({
  fixture: { sql, storedDelivery },
  fire,
}) => {
  run = createTestFires(sql, -9_900).waitFor;
  expect(await fire()).toMatchObject(refusal('GATEWAY_TIMEOUT'));
  // The relay that comes up late finds nothing to do.
  const claim = { batchId: uuidv7(), claimedMax: 100, begunMax: 100, leaseMs: 0 };
  const { deliveries } = await claimFirstAttempts(sql, claim);
  expect(deliveries.filter(({ deliveryId }) => deliveryId === onlySample())).toEqual([]);
  expect(await storedDelivery(onlySample())).toMatchObject({
    state: 'cancelled',
    attempts: 0,
    attemptTexts: [],
    signals: [],
  });
});

test('answers 503 when Postgres fails', async ({ fixture: { storedDelivery }, fire }) => {
  run = () => Promise.reject(Object.assign(new Error('cut'), { code: 'CONNECTION_CLOSED' }));
  expect(await fire()).toMatchObject(refusal('SERVICE_UNAVAILABLE'));
  expect(await storedDelivery(onlySample())).toMatchObject({ state: 'cancelled' });
});

test('answers within two seconds of the result', async ({ fixture, fire }) => {
  run = createTestFires(fixture.sql, 20_000).waitFor;
  const fired = fire();
  await expect.poll(() => sent.length, { timeout: 10_000, interval: 5 }).toBe(1);
  await attemptOnce(fixture, 'failed')(onlySample());
  const recordedAt = performance.now();
  expect(await fired).toMatchObject({ status: 200, payload: { succeeded: false } });
  expect(performance.now() - recordedAt).toBeLessThan(2000);
});

test('answers an attempt although the wait for it failed', async ({ fixture, fire }) => {
  run = async (deliveryId) => {
    await attemptOnce(fixture, 'succeeded')(deliveryId);
    throw new Error('cut');
  };
  expect(await fire()).toMatchObject({ status: 200, payload: { succeeded: true } });
  expect(await fixture.storedDelivery(onlySample())).toMatchObject({ state: 'succeeded' });
});

test('answers 504 for an attempt under way', async ({ fixture: { sql, storedDelivery }, fire }) => {
  run = async (deliveryId) => {
    await begin(sql, deliveryId);
    throw apiError('GATEWAY_TIMEOUT');
  };
  expect(await fire()).toMatchObject(refusal('GATEWAY_TIMEOUT'));
  const left = { state: 'waiting', attemptTexts: ['1 under way'] };
  expect(await storedDelivery(onlySample())).toMatchObject(left);
});

test('answers a sample that a deactivation ended', async ({ fixture, id, fire }) => {
  run = async () => {
    await fixture.setActive(id, false);
  };
  const payload = { succeeded: false, sentAt: null, errorSummary: 'subscription_inactive' };
  expect(await fire()).toMatchObject({ status: 200, payload });
});
