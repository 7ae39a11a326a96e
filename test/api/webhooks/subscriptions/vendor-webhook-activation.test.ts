import { expect } from 'vitest';
import { fieldErrorsOf, refusal } from '../../support/api.ts';
import { activeOf, begin, delivered, emit, record, storedDelivery } from '../webhook-fixture.ts';
import { test, setActive, stored, subscribeTimes } from './vendor-webhook-activation-fixture.ts';

const limit = refusal('BUSINESS_VENDOR_WEBHOOK_SUBSCRIPTION_LIMIT', { reason: 'ACTIVE_LIMIT' });

test('a subscription is switched off and on again, and each answers its id and its state', async ({
  fixture,
}) => {
  const id = await fixture.subscribe();
  for (const isActive of [false, false, true, true]) {
    const answer = await setActive(fixture, id.toUpperCase(), isActive);
    expect(answer).toMatchObject({ status: 200, state: 'SUCCESS', details: {} });
    expect(answer.payload).toStrictEqual({ id, isActive });
    expect((await fixture.send('GET', `/${id}`)).payload).toMatchObject({ isActive });
  }
});

test.for<[unknown, readonly string[]]>([
  [{}, ['IsActive required']],
  [{ isActive: null }, ['IsActive invalid_type']],
  [{ isActive: 'true' }, ['IsActive invalid_type']],
  [{ isActive: 0 }, ['IsActive invalid_type']],
  [{ isActive: false, reason: 'x' }, ['Reason unknown_field']],
] as const)(
  'the body %j is 400 and switches nothing',
  async ([body, errors], { gateway, fixture }) => {
    const id = await fixture.subscribe();
    expect(fieldErrorsOf(await fixture.send('PATCH', `/${id}/active`, body))).toEqual(errors);
    expect(await stored(gateway, id)).toMatchObject({ isActive: true });
  },
);

test('deactivation ends only waiting deliveries: subscription_inactive, and a signal', async ({
  gateway,
  fixture,
}) => {
  const { sql } = gateway;
  const { vendorId } = fixture.vendor;
  const id = await fixture.subscribe();
  const elsewhere = await fixture.subscribe();
  const first = await emit(sql, vendorId, id);
  const { deliveryId: again } = await delivered(sql, vendorId, id, 'waiting');
  const { deliveryId: done } = await delivered(sql, vendorId, id, 'succeeded');
  const others = await emit(sql, vendorId, elsewhere);
  await setActive(fixture, id, false);
  expect(await stored(gateway, id)).toMatchObject({
    isActive: false,
    inactiveReason: 'Switched off by the vendor.',
  });
  expect(await storedDelivery(sql, first)).toMatchObject({
    state: 'cancelled',
    told: ['1 subscription_inactive'],
    signals: ['start', 'deactivated'],
  });
  expect(await storedDelivery(sql, again)).toMatchObject({
    state: 'cancelled',
    told: ['1 http_status 503', '2 subscription_inactive'],
  });
  expect(await storedDelivery(sql, done)).toMatchObject({
    state: 'succeeded',
    told: ['1 succeeded'],
  });
  expect(await storedDelivery(sql, others)).toMatchObject({ state: 'waiting', told: [] });
});

test('an attempt under way when its subscription is deactivated is recorded as the last', async ({
  gateway,
  fixture,
}) => {
  const { sql } = gateway;
  const id = await fixture.subscribe();
  const deliveryId = await emit(sql, fixture.vendor.vendorId, id);
  const begun = await begin(sql, deliveryId);
  await setActive(fixture, id, false);
  expect(await storedDelivery(sql, deliveryId)).toMatchObject({
    state: 'waiting',
    told: ['1 under way'],
  });
  await record(sql, begun, 'waiting');
  expect(await storedDelivery(sql, deliveryId)).toMatchObject({
    state: 'cancelled',
    told: ['1 http_status 503', '2 subscription_inactive'],
  });
});

test('switching off what is off keeps the reason that it has', async ({ gateway, fixture }) => {
  const id = await fixture.subscribe();
  await gateway.sql`
    update webhook_subscriptions
    set is_active = false, inactive_reason = 'The receiver answered 410 Gone.'
    where id = ${id}`;
  expect((await setActive(fixture, id, false)).status).toBe(200);
  expect(await stored(gateway, id)).toMatchObject({
    inactiveReason: 'The receiver answered 410 Gone.',
  });
});

test('switching on starts with a clean slate; what is on already keeps its failures', async ({
  gateway,
  fixture,
}) => {
  const id = await fixture.subscribe();
  const failing = () => gateway.sql`
    update webhook_subscriptions set failing_since = now() - interval '6 days', dead_letters = 3
    where id = ${id}`;
  await failing();
  const before = await stored(gateway, id);
  expect((await setActive(fixture, id, true)).status).toBe(200);
  expect(await stored(gateway, id)).toEqual(before);
  await setActive(fixture, id, false);
  expect((await setActive(fixture, id, true)).status).toBe(200);
  expect(await stored(gateway, id)).toMatchObject({
    isActive: true,
    inactiveReason: null,
    failingSince: null,
    deadLetters: 0,
  });
});

test('beyond five active ones activation is 422, and one that is active already is 200', async ({
  gateway,
  fixture,
}) => {
  const [first = '', second = ''] = await subscribeTimes(fixture, 5);
  await setActive(fixture, first, false);
  await fixture.subscribe();
  expect(await setActive(fixture, first, true)).toMatchObject(limit);
  expect(await stored(gateway, first)).toMatchObject({
    isActive: false,
    inactiveReason: 'Switched off by the vendor.',
  });
  expect((await setActive(fixture, second, true)).status).toBe(200);
  await setActive(fixture, second, false);
  expect((await setActive(fixture, first, true)).status).toBe(200);
  expect(await activeOf(gateway.sql, fixture.vendor.vendorId)).toBe(5);
});
