import { expect } from 'vitest';
import { gatewayTest } from '../../../support/gateway/gateway-test.ts';
import { fieldErrorsOf, refusal, textOf, unknownId, type Gateway } from '../../support/api.ts';
import {
  activeOf,
  delivered,
  emit,
  newWebhookFixture,
  noSubscription,
  storedDelivery,
  storedSubscription,
  subscriptionIdOf,
  type WebhookFixture,
} from '../webhook-fixture.ts';

// Activation, deletion and rotation of a subscription. What a deactivation does to deliveries in
// each state has its cases in `test/db/webhooks/cancel-deliveries.test.ts`.

const test = gatewayTest.extend('fixture', ({ gateway }) => newWebhookFixture(gateway));

const limit = refusal('BUSINESS_VENDOR_WEBHOOK_SUBSCRIPTION_LIMIT', { reason: 'ACTIVE_LIMIT' });
const bySwitch = 'Switched off by the vendor.';
const setActive = (fixture: WebhookFixture, id: string, isActive: unknown) =>
  fixture.send('PATCH', `/${id}/active`, { isActive });
const remove = (fixture: WebhookFixture, id: string, body?: unknown) =>
  fixture.send('DELETE', `/${id}`, body);
const rotate = (fixture: WebhookFixture, id: string, body?: unknown) =>
  fixture.send('POST', `/${id}/rotate-secret`, body);
const stored = ({ sql }: Gateway, id: string) => storedSubscription(sql, id);

async function subscribeTimes(fixture: WebhookFixture, count: number): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) ids.push(await fixture.subscribe());
  return ids;
}

test('switches a subscription off and on, each repeatedly', async ({ fixture }) => {
  const id = await fixture.subscribe();
  for (const isActive of [false, false, true, true]) {
    const answer = await setActive(fixture, id.toUpperCase(), isActive);
    expect(answer).toMatchObject({ status: 200, state: 'SUCCESS', details: {} });
    expect(answer.payload).toStrictEqual({ id, isActive });
    expect((await fixture.send('GET', `/${id}`)).payload).toMatchObject({ isActive });
  }
});

test('refuses a misshapen body, and switches nothing', async ({ gateway, fixture }) => {
  const id = await fixture.subscribe();
  expect(fieldErrorsOf(await setActive(fixture, id, 0))).toEqual(['IsActive invalid_type']);
  expect(await stored(gateway, id)).toMatchObject({ isActive: true });
});

test('a deactivation ends the waiting deliveries of the subscription', async ({
  gateway: { sql },
  fixture,
}) => {
  const { vendorId } = fixture.vendor;
  const [id, elsewhere] = [await fixture.subscribe(), await fixture.subscribe()];
  const ended = await emit(sql, vendorId, id);
  const others = await emit(sql, vendorId, elsewhere);
  await setActive(fixture, id, false);
  expect(await storedSubscription(sql, id)).toMatchObject({
    isActive: false,
    inactiveReason: bySwitch,
  });
  expect(await storedDelivery(sql, ended)).toMatchObject({
    state: 'cancelled',
    attemptTexts: ['1 subscription_inactive'],
    signals: ['start', 'deactivated'],
  });
  expect(await storedDelivery(sql, others)).toMatchObject({ state: 'waiting', attemptTexts: [] });
});

test('a deactivation of an inactive subscription keeps the reason', async ({
  gateway,
  fixture,
}) => {
  const id = await fixture.subscribe();
  const inactiveReason = 'The receiver answered 410 Gone.';
  await gateway.sql`
    update webhook_subscriptions set is_active = false, inactive_reason = ${inactiveReason}
    where id = ${id}`;
  expect((await setActive(fixture, id, false)).status).toBe(200);
  expect(await stored(gateway, id)).toMatchObject({ inactiveReason });
});

test('an activation resets the failures, but not those of an active subscription', async ({
  gateway,
  fixture,
}) => {
  const id = await fixture.subscribe();
  await gateway.sql`
    update webhook_subscriptions set failing_since = now() - interval '6 days', dead_letters = 3
    where id = ${id}`;
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

test('refuses the activation of a sixth, and answers 200 for one that is active', async ({
  gateway,
  fixture,
}) => {
  const [first = '', second = ''] = await subscribeTimes(fixture, 5);
  await setActive(fixture, first, false);
  await fixture.subscribe();
  expect(await setActive(fixture, first, true)).toMatchObject(limit);
  expect(await stored(gateway, first)).toMatchObject({ isActive: false, inactiveReason: bySwitch });
  expect((await setActive(fixture, second, true)).status).toBe(200);
  await setActive(fixture, second, false);
  expect((await setActive(fixture, first, true)).status).toBe(200);
  expect(await activeOf(gateway.sql, fixture.vendor.vendorId)).toBe(5);
});

test('a deletion makes room for another, wipes the secret and ends what waits', async ({
  gateway,
  fixture,
}) => {
  const { sql } = gateway;
  const { vendorId } = fixture.vendor;
  const [first = '', inactive = ''] = await subscribeTimes(fixture, 5);
  const waiting = await emit(sql, vendorId, first);
  await setActive(fixture, inactive, false);
  await fixture.subscribe();
  const answer = await remove(fixture, first.toUpperCase());
  expect(answer).toMatchObject({ status: 200, state: 'SUCCESS', details: {} });
  expect(answer.payload).toStrictEqual({ deleted: true });
  expect((await remove(fixture, inactive)).status).toBe(200);
  await fixture.subscribe();
  expect(await activeOf(sql, vendorId)).toBe(5);
  for (const id of [first, inactive])
    expect(await stored(gateway, id)).toMatchObject({
      isActive: false,
      inactiveReason: 'Deleted by the vendor.',
      deletedAt: expect.any(Date),
      secretBytes: 0,
    });
  expect(await storedDelivery(sql, waiting)).toMatchObject({
    state: 'cancelled',
    signals: ['start', 'deactivated'],
  });
  await expect(emit(sql, vendorId, first)).rejects.toThrow('no delivery');
});

test('every route answers 404 for a deleted subscription, and leaves it', async ({
  gateway,
  fixture,
}) => {
  const id = await fixture.subscribe();
  const { attemptId } = await delivered(gateway.sql, fixture.vendor.vendorId, id, 'succeeded');
  await remove(fixture, id);
  const before = await stored(gateway, id);
  const answers = [
    await fixture.send('GET', `/${id}`),
    await fixture.send('GET', `/${id}/deliveries`),
    await fixture.send('PUT', `/${id}`, {}),
    await setActive(fixture, id, true),
    await setActive(fixture, id, false),
    await remove(fixture, id),
    await rotate(fixture, id),
    await fixture.send('POST', `/${id}/test-fire`, { eventType: 'vendor.order.assigned' }),
    await fixture.send('POST', `/${id}/deliveries/${attemptId}/redeliver`),
  ];
  for (const answer of answers) expect(answer).toMatchObject(noSubscription);
  expect(await stored(gateway, id)).toEqual(before);
});

test('answers 404 for an unknown id and for no id', async ({ fixture }) => {
  for (const id of [unknownId(), '1', '%00'])
    for (const call of [setActive(fixture, id, true), remove(fixture, id), rotate(fixture, id)])
      expect(await call).toMatchObject(noSubscription);
});

test('a rotation seals a new secret to the row, also of an inactive subscription', async ({
  gateway,
  fixture,
}) => {
  const id = await fixture.subscribe();
  await setActive(fixture, id, false);
  const sealed = async () => {
    const [row] = await gateway.sql<[{ secretSealed: Uint8Array }]>`
      select secret_sealed from webhook_subscriptions where id = ${id}`;
    return row.secretSealed;
  };
  const { sealer } = gateway.dependencies;
  const old = sealer.open(await sealed(), id);
  const answer = await rotate(fixture, id, {});
  expect(answer).toMatchObject({ status: 200, state: 'SUCCESS', details: {} });
  expect(answer.payload).toStrictEqual({
    subscriptionId: id,
    secret: expect.stringMatching(/^whsec_[A-Za-z\d+/]{43}=$/),
  });
  const secret = textOf(answer, 'secret');
  expect(secret).not.toBe(old);
  expect(sealer.open(await sealed(), id)).toBe(secret);
  expect(Buffer.from(await sealed()).includes(secret)).toBe(false);
});

test('rotation and deletion take an empty body, and refuse a field', async ({
  gateway,
  fixture,
}) => {
  const id = await fixture.subscribe();
  expect((await rotate(fixture, id, '')).status).toBe(200);
  const named = [
    await rotate(fixture, id, { secret: 'mine' }),
    await remove(fixture, id, { a: 1 }),
  ];
  expect(named.map(fieldErrorsOf)).toEqual([['Secret unknown_field'], ['A unknown_field']]);
  expect(await stored(gateway, id)).toMatchObject({ deletedAt: null });
  expect((await remove(fixture, id, {})).status).toBe(200);
});

test('no answer but those of create and rotate has a secret', async ({ gateway, fixture }) => {
  const made = await fixture.send('POST', '', {
    url: 'https://vendor.example.org/',
    eventTypes: ['vendor.order.assigned'],
  });
  const id = subscriptionIdOf(made);
  const rotated = await rotate(fixture, id);
  const { attemptId } = await delivered(gateway.sql, fixture.vendor.vendorId, id, 'succeeded');
  const answers = [
    await fixture.send('GET', ''),
    await fixture.send('GET', `/${id}`),
    await fixture.send('GET', `/${id}/deliveries`),
    await fixture.send('PUT', `/${id}`, { url: 'https://other.example.org/' }),
    await fixture.send('POST', `/${id}/deliveries/${attemptId}/redeliver`),
    await fixture.send('POST', `/${id}/test-fire`, { eventType: 'vendor.order.assigned' }),
    await setActive(fixture, id, false),
    await remove(fixture, id),
  ];
  const secrets = [textOf(made, 'secret'), textOf(rotated, 'secret')];
  // Of the test-fire's failure too: no worker runs here.
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 503, 200, 200]);
  for (const { text } of answers) {
    expect(text).not.toMatch(/secret|whsec/i);
    for (const secret of secrets) expect(text).not.toContain(secret.slice('whsec_'.length));
  }
});
