import { expect } from 'vitest';
import { pruneWebhookHistory } from '../../../db/webhooks/retention.ts';
import {
  recordAttempts,
  type StoredAnswer,
} from '../../../db/webhooks/attempts/record-attempts.ts';
import { newVendor, tokenWith } from '../support/actors.ts';
import { call, refusal, unknownId, type Gateway } from '../support/api.ts';
import { attempt, begin, emit, newWebhookFixture } from './webhook-fixture.ts';
import { gatewayTest as test } from '../../support/gateway/gateway-test.ts';

// What was sent in an attempt, and the beginning of the answer (D96).

const answer: StoredAnswer = {
  requestHeaders: { 'user-agent': 'vendor-gateway/1', x_tenant: '[hidden]' },
  headers: { 'content-type': 'application/json', 'retry-after': '5' },
  body: '{"error_code":"unknown shipment"}',
  bodyBytes: 33,
};
const at = '2026-01-02T03:04:05.678Z';

/** An attempt that was answered; answers its id and event. */
async function answered({ sql }: Gateway, deliveryId: string, stored?: StoredAnswer) {
  const { id, attemptNumber, eventId } = await begin(sql, deliveryId);
  const result = {
    deliveryId,
    attemptNumber,
    sentAt: at,
    succeeded: false,
    httpStatus: 503,
    errorSummary: 'http_status: 503',
    nextAttemptAt: at,
    state: 'waiting' as const,
    isGone: false,
    at,
    durationMs: 12,
    answer: stored,
  };
  await recordAttempts(sql, [result], { failingMs: 1e12, deadLetters: 1e6 });
  return { id, eventId };
}

const read = (gateway: Gateway, token: string, id: string, attemptId: string) =>
  call(gateway, 'GET', `/api/v1/webhooks/${id}/deliveries/${attemptId}`, { token });

test('an attempt is read with what was sent and what was answered, to the letter', async ({
  gateway,
}) => {
  const { sql } = gateway;
  const { vendor, subscribe } = await newWebhookFixture(gateway);
  const id = await subscribe();
  const made = await answered(gateway, await emit(sql, vendor.vendorId, id), answer);
  const [{ body }] = await sql<[{ body: string }]>`
    select body from webhook_events where id = ${made.eventId}`;
  expect((await read(gateway, vendor.token, id, made.id)).payload).toStrictEqual({
    id: made.id,
    eventType: 'vendor.order.assigned',
    idempotencyKey: made.eventId,
    attemptNumber: 1,
    httpStatus: 503,
    sentAt: at,
    succeeded: false,
    errorSummary: 'http_status: 503',
    deadLetteredAt: null,
    nextAttemptAt: at,
    durationMs: 12,
    request: {
      headers: [
        { name: 'webhook-id', value: made.eventId },
        { name: 'webhook-timestamp', value: String(Math.floor(Date.parse(at) / 1000)) },
        { name: 'content-type', value: 'application/json' },
        { name: 'accept-encoding', value: 'identity' },
        // In the order of the record.
        { name: 'x_tenant', value: '[hidden]' },
        { name: 'user-agent', value: 'vendor-gateway/1' },
      ],
      body,
    },
    answer: {
      headers: [
        { name: 'retry-after', value: '5' },
        { name: 'content-type', value: 'application/json' },
      ],
      body: '{"error_code":"unknown shipment"}',
      bodyBytes: 33,
    },
  });
});

test('an attempt without a stored answer or a request says so', async ({ gateway }) => {
  const { sql } = gateway;
  const { vendor, subscribe } = await newWebhookFixture(gateway);
  const id = await subscribe();
  const deliveryId = await emit(sql, vendor.vendorId, id);
  const silent = await answered(gateway, deliveryId);
  expect((await read(gateway, vendor.token, id, silent.id)).payload).toMatchObject({
    answer: null,
    request: { headers: [{ name: 'webhook-id' }, {}, {}, {}] },
  });
  const { id: underWay } = await begin(sql, deliveryId);
  expect((await read(gateway, vendor.token, id, underWay)).payload).toMatchObject({
    answer: null,
    request: null,
    durationMs: null,
  });
});

test("another subscription's or vendor's attempt and an unknown one are the same 404", async ({
  gateway,
}) => {
  const { sql } = gateway;
  const { vendor, subscribe } = await newWebhookFixture(gateway);
  const [id, other] = [await subscribe(), await subscribe()];
  const { id: attemptId } = await answered(gateway, await emit(sql, vendor.vendorId, id), answer);
  const missing = refusal('NOT_FOUND_VENDOR_WEBHOOK_DELIVERY');
  for (const each of [unknownId(), 'x', id])
    expect(await read(gateway, vendor.token, id, each)).toMatchObject(missing);
  expect(await read(gateway, vendor.token, other, attemptId)).toMatchObject(missing);
  const stranger = await newVendor(gateway);
  expect(await read(gateway, stranger.token, id, attemptId)).toMatchObject(
    refusal('NOT_FOUND_VENDOR_WEBHOOK_SUBSCRIPTION'),
  );
});

test("the body requires the event type's capability", async ({ gateway }) => {
  const { sql } = gateway;
  const { vendor, subscribe } = await newWebhookFixture(gateway);
  const id = await subscribe();
  const eventType = 'vendor.offer.review-decision';
  const attemptId = await attempt(sql, await emit(sql, vendor.vendorId, id, eventType), 'waiting');
  const token = tokenWith(gateway, vendor, ['Orders']);
  expect(await read(gateway, token, id, attemptId)).toMatchObject(
    refusal('FORBIDDEN_CAPABILITY_NOT_GRANTED', { requiredCapability: 'Offers', eventType }),
  );
  expect((await read(gateway, vendor.token, id, attemptId)).status).toBe(200);
});

test('retention deletes an answer with its delivery', async ({ gateway }) => {
  const { sql } = gateway;
  const { vendor, subscribe } = await newWebhookFixture(gateway);
  const deliveryId = await emit(sql, vendor.vendorId, await subscribe());
  const { id } = await answered(gateway, deliveryId, answer);
  await sql`update webhook_deliveries set state = 'succeeded' where id = ${deliveryId}`;
  const stored = () => sql`select from webhook_answers where attempt_id = ${id}`;
  expect(await stored()).toHaveLength(1);
  await pruneWebhookHistory(sql, new Date(Date.now() + 60_000));
  expect(await stored()).toHaveLength(0);
});
