import { expect } from 'vitest';
import { tokenWith } from '../support/actors.ts';
import { fieldErrorsOf, refusal, unknownId, type Gateway } from '../support/api.ts';
import {
  attempt,
  begin,
  delivered,
  firedSample,
  newWebhookFixture,
  storedDelivery,
  type WebhookFixture,
} from './webhook-fixture.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';

/** What helpers need of a test's fixtures. */
type Fixtures = {
  readonly gateway: Gateway;
  readonly fixture: WebhookFixture;
  readonly id: string;
};

const test = gatewayTest
  .extend('fixture', ({ gateway }) => newWebhookFixture(gateway))
  .extend('id', ({ fixture }) => fixture.subscribe());

const redeliver = (fixture: WebhookFixture, id: string, attemptId: string, at = id) =>
  fixture.send('POST', `/${at}/deliveries/${attemptId}/redeliver`);
const deliver = (
  { gateway, fixture, id }: Pick<Fixtures, 'gateway' | 'fixture' | 'id'>,
  state: 'waiting' | 'succeeded' | 'deadLettered',
  at = id,
) => delivered(gateway.sql, fixture.vendor.vendorId, at, state);
const refused = (reason: string) =>
  refusal('BUSINESS_VENDOR_WEBHOOK_DELIVERY_NOT_REDELIVERABLE', { reason });
const noDelivery = refusal('NOT_FOUND_VENDOR_WEBHOOK_DELIVERY');
const noSubscription = refusal('NOT_FOUND_VENDOR_WEBHOOK_SUBSCRIPTION');

test('a dead letter gets a fresh retry schedule with the same key, its run a message', async ({
  gateway,
  fixture,
  id,
}) => {
  const { deliveryId, attemptId } = await deliver({ gateway, fixture, id }, 'deadLettered');
  const [{ eventId }] = await gateway.sql<[{ eventId: string }]>`
    select event_id from webhook_deliveries where id = ${deliveryId}`;
  const answer = await redeliver(fixture, id, attemptId.toUpperCase());
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

test('what was delivered is delivered once more, by any of its attempts', async ({
  gateway,
  fixture,
  id,
}) => {
  const { deliveryId, attemptId } = await deliver({ gateway, fixture, id }, 'waiting');
  const second = await attempt(gateway.sql, deliveryId, 'succeeded');
  expect((await redeliver(fixture, id, attemptId)).status).toBe(200);
  await attempt(gateway.sql, deliveryId, 'succeeded');
  expect((await redeliver(fixture, id, second)).payload).toMatchObject({
    state: 'waiting',
    attemptCount: 3,
  });
});

test('what was ended with its subscription is delivered once that is active again', async ({
  gateway,
  fixture,
  id,
}) => {
  const { deliveryId, attemptId } = await deliver({ gateway, fixture, id }, 'waiting');
  await fixture.send('PATCH', `/${id}/active`, { isActive: false });
  expect(await redeliver(fixture, id, attemptId)).toMatchObject(refused('SUBSCRIPTION_INACTIVE'));
  await fixture.send('PATCH', `/${id}/active`, { isActive: true });
  expect((await redeliver(fixture, id, attemptId)).payload).toMatchObject({
    id: deliveryId,
    attemptCount: 2,
  });
});

test('while an attempt is due or under way nothing is redelivered: WAITING', async ({
  gateway,
  fixture,
  id,
}) => {
  const { deliveryId, attemptId } = await deliver({ gateway, fixture, id }, 'waiting');
  expect(await redeliver(fixture, id, attemptId)).toMatchObject(refused('WAITING'));
  const { id: underWay } = await begin(gateway.sql, deliveryId);
  expect(await redeliver(fixture, id, underWay)).toMatchObject(refused('WAITING'));
  expect((await storedDelivery(gateway.sql, deliveryId)).signals).toEqual(['start']);
});

test('for an inactive subscription nothing is redelivered: SUBSCRIPTION_INACTIVE', async ({
  gateway,
  fixture,
  id,
}) => {
  const { deliveryId, attemptId } = await deliver({ gateway, fixture, id }, 'deadLettered');
  await fixture.send('PATCH', `/${id}/active`, { isActive: false });
  expect(await redeliver(fixture, id, attemptId)).toMatchObject(refused('SUBSCRIPTION_INACTIVE'));
  expect(await storedDelivery(gateway.sql, deliveryId)).toMatchObject({ state: 'deadLettered' });
});

test('a sample is not redelivered: TEST, whether its subscription is active or not', async ({
  gateway,
  fixture,
  id,
}) => {
  const { deliveryId, attemptId } = await firedSample(gateway.sql, fixture.vendor.vendorId, id);
  expect(await redeliver(fixture, id, attemptId)).toMatchObject(refused('TEST'));
  await fixture.send('PATCH', `/${id}/active`, { isActive: false });
  expect(await redeliver(fixture, id, attemptId)).toMatchObject(refused('TEST'));
  expect(await storedDelivery(gateway.sql, deliveryId)).toMatchObject({
    state: 'failed',
    signals: ['start'],
  });
});

test('an unknown attempt, one of another subscription and no uuid are the same 404', async ({
  gateway,
  fixture,
  id,
}) => {
  const other = await fixture.subscribe();
  const elsewhere = await deliver({ gateway, fixture, id }, 'deadLettered', other);
  for (const attemptId of [unknownId(), elsewhere.attemptId, elsewhere.deliveryId, '1', '%00']) {
    expect(await redeliver(fixture, id, attemptId)).toMatchObject(noDelivery);
  }
  expect((await storedDelivery(gateway.sql, elsewhere.deliveryId)).signals).toEqual(['start']);
});

test("an unknown or foreign subscription is the subscription's 404, whatever the attempt", async ({
  gateway,
  fixture,
  id,
}) => {
  const stranger = await newWebhookFixture(gateway);
  const theirs = await stranger.subscribe();
  const { deliveryId, attemptId } = await delivered(
    gateway.sql,
    stranger.vendor.vendorId,
    theirs,
    'deadLettered',
  );
  for (const at of [unknownId(), theirs, '1']) {
    for (const which of [attemptId, unknownId(), '1']) {
      expect(await redeliver(fixture, id, which, at)).toMatchObject(noSubscription);
    }
  }
  // Nor through a subscription of one's own.
  expect(await redeliver(fixture, id, attemptId)).toMatchObject(noDelivery);
  expect((await storedDelivery(gateway.sql, deliveryId)).signals).toEqual(['start']);
});

test('it asks for Orders, and takes no field', async ({ gateway, fixture, id }) => {
  const { attemptId } = await deliver({ gateway, fixture, id }, 'deadLettered');
  const path = `/${id}/deliveries/${attemptId}/redeliver`;
  const lacking = tokenWith(gateway, fixture.vendor, ['Offers', 'Stock', 'Cost', 'Account']);
  expect(await fixture.send('POST', path, undefined, lacking)).toMatchObject(
    refusal('FORBIDDEN_CAPABILITY_NOT_GRANTED', { requiredCapability: 'Orders' }),
  );
  expect(fieldErrorsOf(await fixture.send('POST', path, { force: true }))).toEqual([
    'Force unknown_field',
  ]);
  expect((await fixture.send('POST', path, {})).status).toBe(200);
});
