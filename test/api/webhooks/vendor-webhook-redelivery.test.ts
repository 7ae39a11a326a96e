import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { tokenWith } from '../support/actors.ts';
import { fieldErrorsOf, refusal, startGateway, unknownId, type Gateway } from '../support/api.ts';
import {
  attempt,
  begin,
  delivered,
  firedSample,
  newWebhookBench,
  storedDelivery,
  type WebhookBench,
} from './webhook-fixture.ts';

let gateway: Gateway;
let bench: WebhookBench;
let id: string;

beforeAll(async () => {
  gateway = await startGateway();
});
beforeEach(async () => {
  bench = await newWebhookBench(gateway);
  id = await bench.subscribe();
});
afterAll(() => gateway.close());

const redeliver = (attemptId: string, at = id) =>
  bench.send('POST', `/${at}/deliveries/${attemptId}/redeliver`);
const deliver = (state: 'waiting' | 'succeeded' | 'deadLettered', at = id) =>
  delivered(gateway.sql, bench.vendor.vendorId, at, state);
const refused = (reason: string) =>
  refusal('BUSINESS_VENDOR_WEBHOOK_DELIVERY_NOT_REDELIVERABLE', { reason });
const noDelivery = refusal('NOT_FOUND_VENDOR_WEBHOOK_DELIVERY');
const noSubscription = refusal('NOT_FOUND_VENDOR_WEBHOOK_SUBSCRIPTION');

test('a dead letter goes on a fresh schedule, with its own key, and its run is told', async () => {
  const { deliveryId, attemptId } = await deliver('deadLettered');
  const [{ eventId }] = await gateway.sql<[{ eventId: string }]>`
    select event_id from webhook_deliveries where id = ${deliveryId}`;
  const answer = await redeliver(attemptId.toUpperCase());
  expect(answer).toMatchObject({ status: 200, state: 'SUCCESS', details: {} });
  expect(answer.payload).toStrictEqual({
    id: deliveryId,
    subscriptionId: id,
    eventType: 'vendor.order.assigned',
    idempotencyKey: eventId,
    state: 'waiting',
    attemptCount: 1,
    createdAt: expect.stringMatching(/Z$/),
  });
  expect(await storedDelivery(gateway.sql, deliveryId)).toMatchObject({
    state: 'waiting',
    attempts: 1,
    signals: ['start', 'redeliver'],
  });
  // The numbering continues.
  await attempt(gateway.sql, deliveryId, 'succeeded');
  expect((await storedDelivery(gateway.sql, deliveryId)).told).toEqual([
    '1 http_status 503',
    '2 succeeded',
  ]);
});

test('what was delivered is delivered once more, by any of its attempts', async () => {
  const { deliveryId, attemptId } = await deliver('waiting');
  const second = await attempt(gateway.sql, deliveryId, 'succeeded');
  expect((await redeliver(attemptId)).status).toBe(200);
  await attempt(gateway.sql, deliveryId, 'succeeded');
  expect((await redeliver(second)).payload).toMatchObject({ state: 'waiting', attemptCount: 3 });
});

test('what was ended with its subscription is delivered once that is active again', async () => {
  const { deliveryId, attemptId } = await deliver('waiting');
  await bench.send('PATCH', `/${id}/active`, { isActive: false });
  expect(await redeliver(attemptId)).toMatchObject(refused('SUBSCRIPTION_INACTIVE'));
  await bench.send('PATCH', `/${id}/active`, { isActive: true });
  expect((await redeliver(attemptId)).payload).toMatchObject({ id: deliveryId, attemptCount: 2 });
});

test('while an attempt is due or under way nothing is redelivered: WAITING', async () => {
  const { deliveryId, attemptId } = await deliver('waiting');
  expect(await redeliver(attemptId)).toMatchObject(refused('WAITING'));
  const { id: underWay } = await begin(gateway.sql, deliveryId);
  expect(await redeliver(underWay)).toMatchObject(refused('WAITING'));
  expect((await storedDelivery(gateway.sql, deliveryId)).signals).toEqual(['start']);
});

test('for an inactive subscription nothing is redelivered: SUBSCRIPTION_INACTIVE', async () => {
  const { deliveryId, attemptId } = await deliver('deadLettered');
  await bench.send('PATCH', `/${id}/active`, { isActive: false });
  expect(await redeliver(attemptId)).toMatchObject(refused('SUBSCRIPTION_INACTIVE'));
  expect(await storedDelivery(gateway.sql, deliveryId)).toMatchObject({ state: 'deadLettered' });
});

test('a sample is not redelivered: TEST, whether its subscription is active or not', async () => {
  const { deliveryId, attemptId } = await firedSample(gateway.sql, bench.vendor.vendorId, id);
  expect(await redeliver(attemptId)).toMatchObject(refused('TEST'));
  await bench.send('PATCH', `/${id}/active`, { isActive: false });
  expect(await redeliver(attemptId)).toMatchObject(refused('TEST'));
  expect(await storedDelivery(gateway.sql, deliveryId)).toMatchObject({
    state: 'failed',
    signals: [],
  });
});

test('an unknown attempt, one of another subscription and no uuid are the same 404', async () => {
  const other = await bench.subscribe();
  const elsewhere = await deliver('deadLettered', other);
  for (const attemptId of [unknownId(), elsewhere.attemptId, elsewhere.deliveryId, '1', '%00']) {
    expect(await redeliver(attemptId)).toMatchObject(noDelivery);
  }
  expect((await storedDelivery(gateway.sql, elsewhere.deliveryId)).signals).toEqual(['start']);
});

test("an unknown subscription and another vendor's are the subscription's 404, whatever the attempt", async () => {
  const stranger = await newWebhookBench(gateway);
  const theirs = await stranger.subscribe();
  const { deliveryId, attemptId } = await delivered(
    gateway.sql,
    stranger.vendor.vendorId,
    theirs,
    'deadLettered',
  );
  for (const at of [unknownId(), theirs, '1']) {
    for (const which of [attemptId, unknownId(), '1']) {
      expect(await redeliver(which, at)).toMatchObject(noSubscription);
    }
  }
  // Nor through a subscription of one's own.
  expect(await redeliver(attemptId)).toMatchObject(noDelivery);
  expect((await storedDelivery(gateway.sql, deliveryId)).signals).toEqual(['start']);
});

test('it asks for Orders, and takes no field', async () => {
  const { attemptId } = await deliver('deadLettered');
  const path = `/${id}/deliveries/${attemptId}/redeliver`;
  const lacking = tokenWith(gateway, bench.vendor, ['Offers', 'Stock', 'Cost', 'Account']);
  expect(await bench.send('POST', path, undefined, lacking)).toMatchObject(
    refusal('FORBIDDEN_CAPABILITY_NOT_GRANTED', { requiredCapability: 'Orders' }),
  );
  expect(fieldErrorsOf(await bench.send('POST', path, { force: true }))).toEqual([
    'Force unknown_field',
  ]);
  expect((await bench.send('POST', path, {})).status).toBe(200);
});
