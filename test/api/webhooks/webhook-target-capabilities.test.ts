import { expect } from 'vitest';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';
import { emitEvents, newEvent } from '../../../db/webhooks/webhook-events.ts';
import { untilAnyLockWait } from '../../support/database/locks.ts';
import { tokenWith } from '../support/actors.ts';
import { refusal, type Gateway } from '../support/api.ts';
import {
  attempt,
  emit,
  hookUrl,
  newWebhookFixture,
  storedDelivery,
  storedSubscription,
  type WebhookFixture,
} from './webhook-fixture.ts';
// Who gives a subscription another URL or secret gets its events, so must hold their capabilities.

const test = gatewayTest.extend('fixture', ({ gateway }) => newWebhookFixture(gateway));

const orders = 'vendor.order.assigned';
const reviews = 'vendor.offer.review-decision';
const url = 'https://elsewhere.example.org/hook';
const lacksOffers = refusal('FORBIDDEN_CAPABILITY_NOT_GRANTED', {
  requiredCapability: 'Offers',
  eventType: reviews,
});

test('a new URL needs the capability of each subscribed type, also of one removed at once', async ({
  gateway,
  fixture,
}) => {
  const id = await fixture.subscribe([orders, reviews]);
  const token = tokenWith(gateway, fixture.vendor, ['Orders']);
  const before = await storedSubscription(gateway.sql, id);
  for (const body of [{ url }, { url, eventTypes: [orders] }])
    expect(await fixture.send('PUT', `/${id}`, body, token)).toMatchObject(lacksOffers);
  expect(await storedSubscription(gateway.sql, id)).toEqual(before);
  // The stored URL is no change, and types may be taken away.
  const same = { url: before.url, eventTypes: [orders] };
  expect((await fixture.send('PUT', `/${id}`, same, token)).status).toBe(200);
  expect((await fixture.send('PUT', `/${id}`, { url }, token)).status).toBe(200);
});

test('a new secret asks for the capability of each subscribed type', async ({
  gateway,
  fixture,
}) => {
  const id = await fixture.subscribe([orders, reviews]);
  const token = tokenWith(gateway, fixture.vendor, ['Orders']);
  const sealed = () =>
    gateway.sql`select secret_sealed from webhook_subscriptions where id = ${id}`;
  const before = await sealed();
  const answer = await fixture.send('POST', `/${id}/rotate-secret`, undefined, token);
  expect(answer).toMatchObject(lacksOffers);
  expect(await sealed()).toEqual(before);
  expect((await fixture.send('POST', `/${id}/rotate-secret`)).status).toBe(200);
});

/** A subscription to both types with an event about a review, whose type it then loses. */
async function withRemovedType(gateway: Gateway, fixture: WebhookFixture) {
  const id = await fixture.subscribe([orders, reviews]);
  const deliveryId = await emit(gateway.sql, fixture.vendor.vendorId, id, reviews);
  const token = tokenWith(gateway, fixture.vendor, ['Orders']);
  const removed = await fixture.send('PUT', `/${id}`, { eventTypes: [orders] }, token);
  if (removed.status !== 200) throw new Error(removed.text);
  const repoint = () => fixture.send('PUT', `/${id}`, { url }, token);
  const rotate = () => fixture.send('POST', `/${id}/rotate-secret`, undefined, token);
  return { id, deliveryId, token, repoint, rotate };
}

test('a new URL or secret needs the capability of a removed type until its deliveries end', async ({
  gateway,
  fixture,
}) => {
  const { id, deliveryId, repoint, rotate } = await withRemovedType(gateway, fixture);
  for (const change of [repoint, rotate]) expect(await change()).toMatchObject(lacksOffers);
  // An operator may recover a dead letter, so it counts as well.
  await attempt(gateway.sql, deliveryId, 'deadLettered');
  for (const change of [repoint, rotate]) expect(await change()).toMatchObject(lacksOffers);
  expect((await storedSubscription(gateway.sql, id)).url).toBe(hookUrl);
  expect((await fixture.send('PUT', `/${id}`, { url })).status).toBe(200);
  expect((await fixture.send('POST', `/${id}/rotate-secret`)).status).toBe(200);

  const other = await withRemovedType(gateway, fixture);
  await attempt(gateway.sql, other.deliveryId, 'succeeded');
  for (const change of [other.repoint, other.rotate]) expect((await change()).status).toBe(200);
});

test('a new URL waits for an event that is being written while its type is removed', async ({
  gateway,
  fixture,
}) => {
  const id = await fixture.subscribe([orders, reviews]);
  const token = tokenWith(gateway, fixture.vendor, ['Orders']);
  const { vendorId } = fixture.vendor;
  const decision = await gateway.sql.reserve();
  await decision`begin`;
  // As the transaction of a review does: the change of the offer, then the event.
  await decision`select offer_change_time(${vendorId})`;
  await emitEvents(
    decision,
    newEvent({ eventType: reviews, vendorId, occurredAt: new Date(), data: {} }),
  );
  const put = (body: object) => fixture.send('PUT', `/${id}`, body, token);
  expect((await put({ eventTypes: [orders] })).status).toBe(200);
  const repointed = put({ url });
  await Promise.race([repointed, untilAnyLockWait(gateway.sql)]);
  await decision`commit`;
  decision.release();
  expect(await repointed).toMatchObject(lacksOffers);
});

test('a redelivery asks for the capability of a type that the subscription no longer has', async ({
  gateway,
  fixture,
}) => {
  const { id, deliveryId, token } = await withRemovedType(gateway, fixture);
  const attemptId = await attempt(gateway.sql, deliveryId, 'succeeded');
  const path = `/${id}/deliveries/${attemptId}/redeliver`;
  expect(await fixture.send('POST', path, undefined, token)).toMatchObject(lacksOffers);
  expect(await storedDelivery(gateway.sql, deliveryId)).toMatchObject({ state: 'succeeded' });
  expect((await fixture.send('POST', path)).status).toBe(200);
});
