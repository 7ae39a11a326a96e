import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  fieldErrorsOf,
  refusal,
  startGateway,
  textOf,
  unknownId,
  type Gateway,
} from '../support/api.ts';
import {
  activeOf,
  begin,
  delivered,
  emit,
  newWebhookBench,
  record,
  storedDelivery,
  storedSubscription,
  type WebhookBench,
} from './webhook-fixture.ts';

let gateway: Gateway;
let bench: WebhookBench;

beforeAll(async () => {
  gateway = await startGateway();
});
beforeEach(async () => {
  bench = await newWebhookBench(gateway);
});
afterAll(() => gateway.close());

const notFound = refusal('NOT_FOUND_VENDOR_WEBHOOK_SUBSCRIPTION');
const limit = refusal('BUSINESS_VENDOR_WEBHOOK_SUBSCRIPTION_LIMIT', { reason: 'ACTIVE_LIMIT' });
const setActive = (id: string, isActive: unknown) =>
  bench.send('PATCH', `/${id}/active`, { isActive });
const remove = (id: string, body?: unknown) => bench.send('DELETE', `/${id}`, body);
const rotate = (id: string, body?: unknown) => bench.send('POST', `/${id}/rotate-secret`, body);
const stored = (id: string) => storedSubscription(gateway.sql, id);
const subscribeTimes = async (count: number) => {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) ids.push(await bench.subscribe());
  return ids;
};

test('a subscription is switched off and on again, and each answers its id and its state', async () => {
  const id = await bench.subscribe();
  for (const isActive of [false, false, true, true]) {
    const answer = await setActive(id.toUpperCase(), isActive);
    expect(answer).toMatchObject({ status: 200, state: 'SUCCESS', details: {} });
    expect(answer.payload).toStrictEqual({ id, isActive });
    expect((await bench.send('GET', `/${id}`)).payload).toMatchObject({ isActive });
  }
});

test.each<[unknown, readonly string[]]>([
  [{}, ['IsActive required']],
  [{ isActive: null }, ['IsActive invalid_type']],
  [{ isActive: 'true' }, ['IsActive invalid_type']],
  [{ isActive: 0 }, ['IsActive invalid_type']],
  [{ isActive: false, reason: 'x' }, ['Reason unknown_field']],
])('the body %j is 400 and switches nothing', async (body, errors) => {
  const id = await bench.subscribe();
  expect(fieldErrorsOf(await bench.send('PATCH', `/${id}/active`, body))).toEqual(errors);
  expect(await stored(id)).toMatchObject({ isActive: true });
});

test('switching off ends what waits, as subscription_inactive, and tells the runs; what has ended stays', async () => {
  const { sql } = gateway;
  const { vendorId } = bench.vendor;
  const id = await bench.subscribe();
  const elsewhere = await bench.subscribe();
  const first = await emit(sql, vendorId, id);
  const { deliveryId: again } = await delivered(sql, vendorId, id, 'waiting');
  const { deliveryId: done } = await delivered(sql, vendorId, id, 'succeeded');
  const others = await emit(sql, vendorId, elsewhere);
  await setActive(id, false);
  expect(await stored(id)).toMatchObject({
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

test('an attempt under way when its subscription is switched off is recorded, and is the last', async () => {
  const { sql } = gateway;
  const id = await bench.subscribe();
  const deliveryId = await emit(sql, bench.vendor.vendorId, id);
  const begun = await begin(sql, deliveryId);
  await setActive(id, false);
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

test('switching off what is off keeps the reason that it has', async () => {
  const id = await bench.subscribe();
  await gateway.sql`
    update webhook_subscriptions set is_active = false, inactive_reason = 'The receiver answered 410 Gone.'
    where id = ${id}`;
  expect((await setActive(id, false)).status).toBe(200);
  expect(await stored(id)).toMatchObject({ inactiveReason: 'The receiver answered 410 Gone.' });
});

test('switching on starts with a clean slate; what is on already keeps its failures', async () => {
  const id = await bench.subscribe();
  const failing = () => gateway.sql`
    update webhook_subscriptions set failing_since = now() - interval '6 days', dead_letters = 3 where id = ${id}`;
  await failing();
  const before = await stored(id);
  expect((await setActive(id, true)).status).toBe(200);
  expect(await stored(id)).toEqual(before);
  await setActive(id, false);
  expect((await setActive(id, true)).status).toBe(200);
  expect(await stored(id)).toMatchObject({
    isActive: true,
    inactiveReason: null,
    failingSince: null,
    deadLetters: 0,
  });
});

test('beyond five active ones activation is 422, and one that is active already is 200', async () => {
  const [first = '', second = ''] = await subscribeTimes(5);
  await setActive(first, false);
  await bench.subscribe();
  expect(await setActive(first, true)).toMatchObject(limit);
  expect(await stored(first)).toMatchObject({
    isActive: false,
    inactiveReason: 'Switched off by the vendor.',
  });
  expect((await setActive(second, true)).status).toBe(200);
  await setActive(second, false);
  expect((await setActive(first, true)).status).toBe(200);
  expect(await activeOf(gateway.sql, bench.vendor.vendorId)).toBe(5);
});

test('a deleted subscription is gone for its vendor, and makes room for another', async () => {
  const [first = ''] = await subscribeTimes(5);
  const answer = await remove(first.toUpperCase());
  expect(answer).toMatchObject({ status: 200, state: 'SUCCESS', details: {} });
  expect(answer.payload).toStrictEqual({ deleted: true });
  const id = await bench.subscribe();
  expect(await activeOf(gateway.sql, bench.vendor.vendorId)).toBe(5);
  // An inactive one does not count, and comes to nothing all the same.
  await setActive(id, false);
  expect((await remove(id)).status).toBe(200);
  expect(await stored(id)).toMatchObject({
    inactiveReason: 'Deleted by the vendor.',
    secretBytes: 0,
  });
});

test('its secret is wiped, what waited is ended, and no event comes to it any more', async () => {
  const { sql } = gateway;
  const { vendorId } = bench.vendor;
  const id = await bench.subscribe();
  const waiting = await emit(sql, vendorId, id);
  await remove(id);
  expect(await stored(id)).toMatchObject({
    isActive: false,
    inactiveReason: 'Deleted by the vendor.',
    deletedAt: expect.any(Date),
    secretBytes: 0,
  });
  expect(await storedDelivery(sql, waiting)).toMatchObject({
    state: 'cancelled',
    signals: ['start', 'deactivated'],
  });
  await expect(emit(sql, vendorId, id)).rejects.toThrow('no delivery');
});

test('on every route a deleted subscription is 404, and stays as it was', async () => {
  const id = await bench.subscribe();
  const { attemptId } = await delivered(gateway.sql, bench.vendor.vendorId, id, 'succeeded');
  await remove(id);
  const before = await stored(id);
  const answers = [
    await bench.send('GET', `/${id}`),
    await bench.send('GET', `/${id}/deliveries`),
    await bench.send('PUT', `/${id}`, {}),
    await setActive(id, true),
    await setActive(id, false),
    await remove(id),
    await rotate(id),
    await bench.send('POST', `/${id}/test-fire`, { eventType: 'vendor.order.assigned' }),
    await bench.send('POST', `/${id}/deliveries/${attemptId}/redeliver`),
  ];
  for (const answer of answers) expect(answer).toMatchObject(notFound);
  expect(await stored(id)).toEqual(before);
});

test('a rotated secret is another, told this one time, kept sealed to its row; the old one is nowhere', async () => {
  const made = await bench.send('POST', '', {
    url: 'https://vendor.example.org/',
    eventTypes: ['vendor.order.assigned'],
  });
  const { id } = (made.payload as { subscription: { id: string } }).subscription;
  const old = textOf(made, 'secret');
  const answer = await rotate(id);
  expect(answer).toMatchObject({ status: 200, state: 'SUCCESS', details: {} });
  expect(answer.payload).toStrictEqual({
    subscriptionId: id,
    secret: expect.stringMatching(/^whsec_[A-Za-z\d+/]{43}=$/),
  });
  const secret = textOf(answer, 'secret');
  expect(secret).not.toBe(old);
  const [row] = await gateway.sql<[{ secretSealed: Uint8Array }]>`
    select secret_sealed from webhook_subscriptions where id = ${id}`;
  expect(gateway.dependencies.sealer.open(row.secretSealed, id)).toBe(secret);
  expect(Buffer.from(row.secretSealed).includes(secret)).toBe(false);
});

test('an empty body will do for the routes that take none, and an inactive subscription rotates too', async () => {
  const id = await bench.subscribe();
  await setActive(id, false);
  expect((await rotate(id, {})).status).toBe(200);
  expect((await rotate(id, '')).status).toBe(200);
  expect(fieldErrorsOf(await rotate(id, { secret: 'mine' }))).toEqual(['Secret unknown_field']);
  expect(fieldErrorsOf(await remove(id, { force: true }))).toEqual(['Force unknown_field']);
  expect(await stored(id)).toMatchObject({ isActive: false, deletedAt: null });
  expect((await remove(id, {})).status).toBe(200);
});

test("another vendor's, an unknown id and no uuid are the same 404, and nothing of the other's is changed", async () => {
  const stranger = await newWebhookBench(gateway);
  const theirs = await stranger.subscribe();
  const before = await gateway.sql`
    select webhook_subscriptions::text as row from webhook_subscriptions where id = ${theirs}`;
  for (const id of [theirs, unknownId(), '1', '%00']) {
    for (const answer of [
      await setActive(id, true),
      await setActive(id, false),
      await remove(id),
      await rotate(id),
    ]) {
      expect(answer).toMatchObject(notFound);
    }
  }
  const after = await gateway.sql`
    select webhook_subscriptions::text as row from webhook_subscriptions where id = ${theirs}`;
  expect(after).toEqual(before);
});

test('no answer but those of create and rotate has a secret in it', async () => {
  const made = await bench.send('POST', '', {
    url: 'https://vendor.example.org/',
    eventTypes: ['vendor.order.assigned'],
  });
  const { id } = (made.payload as { subscription: { id: string } }).subscription;
  const rotated = await rotate(id);
  const { attemptId } = await delivered(gateway.sql, bench.vendor.vendorId, id, 'succeeded');
  const answers = [
    await bench.send('GET', ''),
    await bench.send('GET', `/${id}`),
    await bench.send('GET', `/${id}/deliveries`),
    await bench.send('PUT', `/${id}`, { url: 'https://other.example.org/' }),
    await bench.send('POST', `/${id}/deliveries/${attemptId}/redeliver`),
    await bench.send('POST', `/${id}/test-fire`, { eventType: 'vendor.order.assigned' }),
    await setActive(id, false),
    await remove(id),
  ];
  const secrets = [textOf(made, 'secret'), textOf(rotated, 'secret')];
  // Of the test-fire's failure too: no worker runs here.
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 503, 200, 200]);
  for (const { text } of answers) {
    expect(text).not.toMatch(/secret|whsec/i);
    for (const secret of secrets) expect(text).not.toContain(secret.slice('whsec_'.length));
  }
});
