import { expect } from 'vitest';
import { gatewayTest } from '../../support/gateway-test.ts';
import { tokenWith } from '../support/actors.ts';
import { refusal } from '../support/api.ts';
import { newWebhookFixture, storedSubscription } from './webhook-fixture.ts';
// Who gives a subscription another URL or secret gets its events, so must hold their capabilities.

const test = gatewayTest.extend('fixture', ({ gateway }) => newWebhookFixture(gateway));

const orders = 'vendor.order.assigned';
const reviews = 'vendor.offer.review-decision';
const url = 'https://elsewhere.example.org/hook';
const lacksOffers = refusal('FORBIDDEN_CAPABILITY_NOT_GRANTED', {
  requiredCapability: 'Offers',
  eventType: reviews,
});

test('a new URL asks for the capability of each subscribed type, also of those taken away at once', async ({
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
