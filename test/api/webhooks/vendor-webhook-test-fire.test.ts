import { expect } from 'vitest';
import { beginAttempts } from '../../../db/webhooks/begin-attempts.ts';
import type { EventType } from '../../../domain/webhooks/events.ts';
import { TemporalUnavailable, TemporalTimeout } from '../../../temporal/temporal-failures.ts';
import type { TestFires } from '../../../api/webhooks/test-fires.ts';
import { gatewayTest } from '../../support/gateway-test.ts';
import { fieldErrorsOf, refusal, unknownId, type Gateway } from '../support/api.ts';
import {
  begin,
  newWebhookFixture,
  record,
  storedDelivery,
  storedSubscription,
} from './webhook-fixture.ts';
import { untilAnyLockWait } from '../../support/locks.ts';

// What the route itself answers for; that a sample goes the whole way to a receiver is in test/temporal/test-fires.test.ts.

const orders: EventType = 'vendor.order.assigned';
const reviews: EventType = 'vendor.offer.review-decision';

/** Replaces the relay: `sent` lists the samples of one test, and `run` makes their attempts. */
const relay: { sent: string[]; run: TestFires['waitFor'] } = {
  sent: [],
  run: async () => undefined,
};
const testFires: TestFires = {
  timeoutMs: 10_000,
  waitFor: (deliveryId) => {
    relay.sent.push(deliveryId);
    return relay.run(deliveryId);
  },
};

/** A vendor with one subscription to orders; every attempt succeeds. */
async function createContext(gateway: Gateway) {
  const { sql } = gateway;
  const fixture = await newWebhookFixture(gateway);
  const id = await fixture.subscribe([orders]);
  const { vendorId } = fixture.vendor;
  const attemptOnce = async (deliveryId: string, state: 'succeeded' | 'failed') =>
    record(sql, await begin(sql, deliveryId), state);
  relay.sent = [];
  relay.run = (deliveryId) => attemptOnce(deliveryId, 'succeeded');
  return {
    sql,
    fixture,
    id,
    attemptOnce,
    fire: (eventType: unknown = orders, at = id) =>
      fixture.send('POST', `/${at}/test-fire`, { eventType }),
    storedSamples: () => sql`select id from webhook_deliveries where vendor_id = ${vendorId}`,
    storedEvents: () => sql<{ id: string; body: string; occurredAt: Date }[]>`
      select id, body, occurred_at from webhook_events where vendor_id = ${vendorId}`,
  };
}

const test = gatewayTest
  .extend('overrides', { scope: 'file' }, () => ({ testFires }))
  .extend('context', ({ gateway }) => createContext(gateway));

/** The one sample that was sent. */
function onlySample(): string {
  const [sample, ...more] = relay.sent;
  if (sample === undefined || more.length > 0)
    throw new Error(`${relay.sent.length} samples were sent`);
  return sample;
}

test('the attempt is answered to the letter', async ({ context }) => {
  const { fire, storedEvents } = context;
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

test('what is sent is marked as a test, names nothing that exists, and asks for its attempt', async ({
  context,
}) => {
  const { sql, fixture, id, fire, storedEvents } = context;
  await fixture.send('PUT', `/${id}`, { eventTypes: [orders, reviews] });
  for (const eventType of [orders, reviews]) expect((await fire(eventType)).status).toBe(200);
  const { vendorId } = fixture.vendor;
  expect(new Set(relay.sent).size).toBe(2);
  for (const deliveryId of relay.sent) {
    expect(await storedDelivery(sql, deliveryId)).toMatchObject({
      isTest: true,
      signals: ['start'],
    });
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

test('a receiver that fails is no error of the call: the failed attempt is the answer, and nothing is given up', async ({
  context,
}) => {
  const { sql, fixture, id, attemptOnce, fire } = context;
  relay.run = (deliveryId) => attemptOnce(deliveryId, 'failed');
  expect(await fire()).toMatchObject({
    status: 200,
    payload: {
      succeeded: false,
      httpStatus: 503,
      errorSummary: 'http_status 503',
      deadLetteredAt: null,
    },
  });
  expect(await storedSubscription(sql, id)).toMatchObject({
    isActive: true,
    deadLetters: 0,
  });
  expect((await fixture.send('GET', `/${id}`)).payload).toMatchObject({
    lastDeliveryStatus: 'Failed',
  });
});

test('nothing is sent for an inactive subscription, whatever it is subscribed to', async ({
  context,
}) => {
  const { fixture, id, fire, storedSamples, storedEvents } = context;
  await fixture.send('PATCH', `/${id}/active`, { isActive: false });
  for (const eventType of [orders, reviews]) {
    expect(await fire(eventType)).toMatchObject(
      refusal('BUSINESS_VENDOR_WEBHOOK_SUBSCRIPTION_INACTIVE'),
    );
  }
  expect([relay.sent, await storedSamples(), await storedEvents()]).toEqual([[], [], []]);
});

test('a subscription that is just being switched off is waited for, and then nothing is sent', async ({
  context,
}) => {
  const { sql, id, fire, storedSamples } = context;
  const keeper = await sql.reserve();
  await keeper`begin`;
  await keeper`update webhook_subscriptions set is_active = false where id = ${id}`;
  const fired = fire();
  await untilAnyLockWait(sql);
  await keeper`commit`;
  keeper.release();
  expect(await fired).toMatchObject(refusal('BUSINESS_VENDOR_WEBHOOK_SUBSCRIPTION_INACTIVE'));
  expect([relay.sent, await storedSamples()]).toEqual([[], []]);
});

test('a type that is not subscribed is 400 with the subscribed ones, and nothing is sent', async ({
  context,
}) => {
  const { fire, storedSamples, storedEvents } = context;
  expect(await fire(reviews)).toMatchObject(
    refusal('VALIDATION_WEBHOOK_EVENT_TYPE_NOT_SUBSCRIBED', { allowedValues: [orders] }),
  );
  expect([relay.sent, await storedSamples(), await storedEvents()]).toEqual([[], [], []]);
});

test.for<[unknown, readonly string[]]>([
  [{}, ['EventType required']],
  [{ eventType: 'vendor.nope' }, ['EventType not_allowed']],
  [{ eventType: null }, ['EventType not_allowed']],
  [{ eventType: [orders] }, ['EventType not_allowed']],
  [{ eventType: orders, url: 'https://elsewhere.example.org/' }, ['Url unknown_field']],
])('the body %j is 400, also for an unknown subscription', async ([body, errors], { context }) => {
  const { fixture, id } = context;
  for (const at of [id, unknownId()]) {
    const answer = await fixture.send('POST', `/${at}/test-fire`, body);
    expect(answer).toMatchObject({ status: 400, state: 'VALIDATION_ERRORS' });
    expect(fieldErrorsOf(answer)).toEqual(errors);
  }
  expect(relay.sent).toEqual([]);
});

test("an unknown id, another vendor's and no uuid are the same 404, and nothing is sent", async ({
  gateway,
  context,
}) => {
  const { fire } = context;
  const theirs = await (await newWebhookFixture(gateway)).subscribe([orders]);
  for (const at of [unknownId(), theirs, '1']) {
    expect(await fire(orders, at)).toMatchObject(refusal('NOT_FOUND_VENDOR_WEBHOOK_SUBSCRIPTION'));
  }
  expect(relay.sent).toEqual([]);
});

test.for([
  [
    'away',
    () => new TemporalUnavailable({ cause: new Error('secret address') }),
    'SERVICE_UNAVAILABLE',
  ],
  ['slow', () => new TemporalTimeout(), 'GATEWAY_TIMEOUT'],
] as const)(
  'a sample whose run Temporal, being %s, did not make is never sent',
  async ([, fault, code], { context }) => {
    const { sql, fire } = context;
    relay.run = () => Promise.reject(fault());
    const answer = await fire();
    expect(answer).toMatchObject(refusal(code));
    expect(answer.headers['retry-after'] !== undefined).toBe(code === 'SERVICE_UNAVAILABLE');
    const deliveryId = onlySample();
    expect(await storedDelivery(sql, deliveryId)).toMatchObject({
      state: 'cancelled',
      attempts: 0,
    });
    // The run that comes up late finds nothing to do.
    expect(await beginAttempts(sql, [{ deliveryId, after: 0, batchId: null }])).toEqual([]);
  },
);

test('an attempt that was made although Temporal failed is answered', async ({ context }) => {
  const { sql, attemptOnce, fire } = context;
  relay.run = async (deliveryId) => {
    await attemptOnce(deliveryId, 'succeeded');
    throw new TemporalUnavailable({ cause: new Error('gone') });
  };
  expect(await fire()).toMatchObject({ status: 200, payload: { succeeded: true } });
  expect(await storedDelivery(sql, onlySample())).toMatchObject({
    state: 'succeeded',
  });
});

test('an attempt under way when the time is over is left to itself, and listed', async ({
  context,
}) => {
  const { sql, fire } = context;
  relay.run = async (deliveryId) => {
    await begin(sql, deliveryId);
    throw new TemporalTimeout();
  };
  expect(await fire()).toMatchObject(refusal('GATEWAY_TIMEOUT'));
  expect(await storedDelivery(sql, onlySample())).toMatchObject({
    state: 'waiting',
    told: ['1 under way'],
  });
});

test('a subscription that is switched off before the attempt ends its sample, which is the answer', async ({
  context,
}) => {
  const { fixture, id, fire } = context;
  relay.run = async () => {
    expect((await fixture.send('PATCH', `/${id}/active`, { isActive: false })).status).toBe(200);
  };
  expect(await fire()).toMatchObject({
    status: 200,
    payload: { succeeded: false, sentAt: null, errorSummary: 'subscription_inactive' },
  });
});
