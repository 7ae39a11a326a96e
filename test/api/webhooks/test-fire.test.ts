import { expect, vi } from 'vitest';
import { createTestFires, type TestFires } from '../../../api/webhooks/test-fires.ts';
import { apiError } from '../../../api/http/api-error.ts';
import { meets } from '../../support/database/locks.ts';
import { fieldErrorsOf, refusal } from '../../support/api/api.ts';
import { instant, uuid } from '../../support/api/matchers.ts';
import { claim } from '../../db/webhooks/delivery-rows.ts';
import {
  begin,
  orders,
  record,
  reviews,
  webhookTest,
  type WebhookFixture,
} from './webhook-fixture.ts';

// The responses of the route. The way of a sample to a receiver has its test in
// `test/workflows/webhook-delivery/webhook-responses.test.ts`.

/** A replacement of the relay, which the tests set. Its calls are the samples that it got. */
const waitFor = vi.fn<TestFires['waitFor']>();
const testFires: TestFires = { timeoutMs: 10_000, waitFor };
const test = webhookTest
  .extend('overrides', { scope: 'file' }, () => ({ testFires }))
  .extend('id', ({ fixture }) => fixture.subscribe([orders]))
  .extend(
    'fire',
    ({ fixture, id }) =>
      (eventType = orders) =>
        fixture.send('POST', `/${id}/test-fire`, { eventType }),
  );

const attemptOnce =
  ({ sql }: WebhookFixture, state: 'succeeded' | 'failed') =>
  async (deliveryId: string) =>
    record(sql, await begin(sql, deliveryId), state);

test.beforeEach(({ fixture }) => {
  waitFor.mockReset().mockImplementation(attemptOnce(fixture, 'succeeded'));
});

/** The one sample that was asked for. */
function onlySample(): string {
  expect(waitFor).toHaveBeenCalledOnce();
  return waitFor.mock.calls[0]?.[0] ?? '';
}

test.for([orders, reviews])(
  'returns the attempt of a sample of %s, which it writes once',
  async (eventType, { fixture, id, fire }) => {
    const { sql, update, storedDelivery, vendor } = fixture;
    await update(id, { eventTypes: [orders, reviews] });
    const response = await fire(eventType);
    const { vendorId } = vendor;
    const [event] = await sql<[{ id: string; body: string; occurredAt: Date }]>`
      select id, body, occurred_at from webhook_events where vendor_id = ${vendorId}`;
    const { id: eventId, occurredAt } = event;
    expect(response).toMatchObject({ status: 200, state: 'SUCCESS', details: {} });
    expect(response.payload).toStrictEqual({
      id: uuid,
      eventType,
      idempotencyKey: eventId,
      attemptNumber: 1,
      httpStatus: 200,
      sentAt: instant,
      succeeded: true,
      errorSummary: null,
      deadLetteredAt: null,
      nextAttemptAt: instant,
    });
    expect(Math.abs(occurredAt.getTime() - Date.now())).toBeLessThan(60_000);
    const sample = { eventId, occurredAt: occurredAt.toISOString(), vendorId, test: true };
    expect(JSON.parse(event.body)).toMatchObject({ ...sample, apiVersion: 'v1' });
    expect(await storedDelivery(onlySample())).toMatchObject({ isTest: true });
  },
);

test('returns 200 for a failed attempt, which is no dead letter', async ({ fixture, id, fire }) => {
  waitFor.mockImplementation(attemptOnce(fixture, 'failed'));
  const errorSummary = 'http_status 503';
  const payload = { succeeded: false, httpStatus: 503, errorSummary, deadLetteredAt: null };
  expect(await fire()).toMatchObject({ status: 200, payload });
  expect(await fixture.stored(id)).toMatchObject({ isActive: true, deadLetters: 0 });
  const last = { lastDeliveryStatus: 'Failed' };
  expect((await fixture.send('GET', `/${id}`)).payload).toMatchObject(last);
});

const inactive = refusal('BUSINESS_VENDOR_WEBHOOK_SUBSCRIPTION_INACTIVE');
const expectNothingSent = async ({ sql, vendor: { vendorId } }: WebhookFixture) => {
  expect(waitFor).not.toHaveBeenCalled();
  const samples = await sql`select id from webhook_deliveries where vendor_id = ${vendorId}`;
  const events = await sql`select id from webhook_events where vendor_id = ${vendorId}`;
  expect([samples, events]).toEqual([[], []]);
};

test('refuses an inactive one, then a wrong type; sends nothing', async ({ fixture, id, fire }) => {
  const code = 'VALIDATION_WEBHOOK_EVENT_TYPE_NOT_SUBSCRIBED';
  expect(await fire(reviews)).toMatchObject(refusal(code, { allowedValues: [orders] }));
  await fixture.setActive(id, false);
  for (const eventType of [orders, reviews]) expect(await fire(eventType)).toMatchObject(inactive);
  await expectNothingSent(fixture);
});

test('waits for a concurrent deactivation', async ({ gateway: { sql }, fixture, id, fire }) => {
  const response = await meets(
    sql,
    (other) => other`update webhook_subscriptions set is_active = false where id = ${id}`,
    () => fire(),
  );
  expect(response).toMatchObject(inactive);
  await expectNothingSent(fixture);
});

test('refuses a malformed body', async ({ fixture: { send }, id }) => {
  const response = await send('POST', `/${id}/test-fire`, { eventType: null, url: '' });
  expect(fieldErrorsOf(response)).toEqual(['EventType not_allowed', 'Url unknown_field']);
  expect(waitFor).not.toHaveBeenCalled();
});

test('returns 504 without a relay in time', async ({ fixture: { sql, storedDelivery }, fire }) => {
  waitFor.mockImplementation(createTestFires(sql, -9_900).waitFor);
  expect(await fire()).toMatchObject(refusal('GATEWAY_TIMEOUT'));
  // The relay that comes up late finds nothing to do.
  const deliveries = await claim(sql);
  expect(deliveries.filter(({ deliveryId }) => deliveryId === onlySample())).toEqual([]);
  const ended = { state: 'cancelled', attempts: 0, attemptTexts: [], signals: [] };
  expect(await storedDelivery(onlySample())).toMatchObject(ended);
});

test('returns 503 when Postgres fails', async ({ fixture: { storedDelivery }, fire }) => {
  waitFor.mockRejectedValue(Object.assign(new Error('cut'), { code: 'CONNECTION_CLOSED' }));
  expect(await fire()).toMatchObject(refusal('SERVICE_UNAVAILABLE'));
  expect(await storedDelivery(onlySample())).toMatchObject({ state: 'cancelled' });
});

test('responds within two seconds of the result', async ({ fixture, fire }) => {
  waitFor.mockImplementation(createTestFires(fixture.sql, 20_000).waitFor);
  const fired = fire();
  await vi.waitFor(onlySample, { timeout: 10_000, interval: 5 });
  await attemptOnce(fixture, 'failed')(onlySample());
  const recordedAt = performance.now();
  expect(await fired).toMatchObject({ status: 200, payload: { succeeded: false } });
  expect(performance.now() - recordedAt).toBeLessThan(2000);
});

test('returns a stored attempt although the wait for it failed', async ({ fixture, fire }) => {
  waitFor.mockImplementation(async (deliveryId) => {
    await attemptOnce(fixture, 'succeeded')(deliveryId);
    throw new Error('cut');
  });
  expect(await fire()).toMatchObject({ status: 200, payload: { succeeded: true } });
  expect(await fixture.storedDelivery(onlySample())).toMatchObject({ state: 'succeeded' });
});

test('returns 504 for an attempt under way', async ({ fixture: { sql, storedDelivery }, fire }) => {
  waitFor.mockImplementation(async (deliveryId) => {
    await begin(sql, deliveryId);
    throw apiError('GATEWAY_TIMEOUT');
  });
  expect(await fire()).toMatchObject(refusal('GATEWAY_TIMEOUT'));
  const left = { state: 'waiting', attemptTexts: ['1 under way'] };
  expect(await storedDelivery(onlySample())).toMatchObject(left);
});

test('returns the attempt of a sample that a deactivation ended', async ({ fixture, id, fire }) => {
  waitFor.mockImplementation(async () => void (await fixture.setActive(id, false)));
  const payload = { succeeded: false, sentAt: null, errorSummary: 'subscription_inactive' };
  expect(await fire()).toMatchObject({ status: 200, payload });
});
