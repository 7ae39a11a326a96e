import { expect, vi } from 'vitest';
import { call, gatewayOver, itemsOf } from '../../support/api/api.ts';
import { tokenOf } from '../../api/upcoming/upcoming-fixture.ts';
import { emitTo, waiting } from '../../support/webhooks/delivery.ts';
import { deliveryTest } from '../../support/webhooks/delivery-test.ts';
import { status } from '../../support/webhooks/receiver.ts';

const hourMs = 3_600_000;

/** Its retries wait for hours, so that only a recovery makes them within the test. */
const test = deliveryTest({
  WEBHOOK_RUNS_PER_SECOND: '1000',
  WEBHOOK_RETRY_DELAYS_MS: [hourMs, hourMs, hourMs].join(','),
})
  .extend('api', { scope: 'file' }, ({ gateway }) => gatewayOver(gateway.sql))
  .extend('own', ({ api, fixture }) => {
    const url = `/api/v1/webhooks/${fixture.subscription.id}`;
    const token = tokenOf(api, fixture.vendorId);
    return (method: 'GET' | 'POST' | 'PATCH', path: string, body?: object) =>
      call(api, method, `${url}${path}`, { token, body });
  })
  /** An event whose first attempt has failed; the next one is due in an hour. */
  .extend('failed', async ({ fixture, receiver }) => {
    receiver.answerWith(status(503));
    const delivery = await fixture.emit();
    await vi.waitFor(async () => {
      const { nextAttemptAt } = await fixture.stored(delivery.id);
      expect(nextAttemptAt).not.toBeNull();
    }, waiting);
    receiver.answerWith(status(200));
    return delivery;
  });
const since = '2026-01-01T00:00:00Z';

// D174.
test('attempts what waits for a later attempt at once by a recovery', async ({
  own,
  failed,
  fixture,
}) => {
  const response = await own('POST', '/recover', { since });
  expect(response).toMatchObject({ status: 202, payload: { recovered: 0, madeDue: 1, missed: 0 } });
  expect(await fixture.ended(failed)).toMatchObject({ state: 'succeeded', attempts: 2 });
  expect((await own('POST', '/recover', { since })).payload).toEqual({
    recovered: 0,
    madeDue: 0,
    missed: 0,
  });
});

test('attempts a waiting delivery at once by a redelivery', async ({ own, failed, fixture }) => {
  const [attempt] = itemsOf(await own('GET', '/deliveries'));
  const response = await own('POST', `/deliveries/${String(attempt?.['id'])}/redeliver`);
  expect(response).toMatchObject({ status: 200, payload: { state: 'waiting', attemptCount: 1 } });
  expect(await fixture.ended(failed)).toMatchObject({ state: 'succeeded', attempts: 2 });
});

test('delivers what happened while the subscription was inactive', async ({
  own,
  fixture,
  receiver,
  gateway: { sql },
}) => {
  await own('PATCH', '/active', { isActive: false });
  const { length: before } = receiver.requests;
  const event = await emitTo(sql, fixture.vendorId);
  await own('PATCH', '/active', { isActive: true });
  const response = await own('POST', '/recover', { since, state: 'Missed' });
  expect(response.payload).toEqual({ recovered: 0, madeDue: 0, missed: 1 });
  await vi.waitFor(() => expect(receiver.requests).toHaveLength(before + 1), waiting);
  expect(receiver.requests.at(-1)?.headers['webhook-id']).toBe(event);
  expect((await own('POST', '/recover', { since })).payload).toMatchObject({ missed: 0 });
  expect(await sql`select from webhook_deliveries where event_id = ${event}`).toHaveLength(1);
});
