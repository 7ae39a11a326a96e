import { expect } from 'vitest';
import { recordAttempts } from '../../../../db/webhooks/attempts/record-attempts.ts';
import { readStatistics } from '../../../../db/webhooks/subscriptions/subscription-statistics.ts';
import { indexesOf, planOf, tableScansOf } from '../../../db/upcoming/plans.ts';
import { gatewayTest } from '../../../support/gateway/gateway-test.ts';
import { itemsOf, unknownId, type Gateway } from '../../support/api.ts';
import {
  attempt,
  begin,
  emit,
  hookUrl,
  newWebhookFixture,
  noSubscription,
  record,
} from '../webhook-fixture.ts';

// Reads of subscriptions, their attempts and their statistics. Query parameters have their cases in
// `test/api/validation/query.test.ts`, other vendors' things in `test/api/isolation*.test.ts`.

const test = gatewayTest.extend('fixture', ({ gateway }) => newWebhookFixture(gateway));

test('lists subscriptions newest first, inactive ones included, deleted ones not', async ({
  fixture: { send, subscribe },
}) => {
  expect((await send('GET', '')).payload).toEqual({
    items: [],
    pagination: { page: 1, pageSize: 20, totalCount: 0, totalPages: 0 },
  });
  const ids: string[] = [];
  for (let index = 0; index < 4; index += 1) ids.push(await subscribe());
  const [one = '', two = '', three = '', four = ''] = ids;
  await send('PATCH', `/${two}/active`, { isActive: false });
  await send('DELETE', `/${three}`);
  const first = await send('GET', '?page=1&pageSize=2');
  expect(first.payload).toMatchObject({
    items: [
      { id: four, isActive: true },
      { id: two, isActive: false },
    ],
    pagination: { page: 1, pageSize: 2, totalCount: 3, totalPages: 2 },
  });
  expect(itemsOf(await send('GET', '?page=2&pageSize=2'))).toMatchObject([{ id: one }]);
  expect(itemsOf(await send('GET', '?page=999999999999&pageSize=100'))).toEqual([]);
});

test('takes page and pageSize only, and checks them before the id', async ({
  fixture: { send },
}) => {
  expect(await send('GET', '?include=history')).toMatchObject({
    state: 'VALIDATION_UNKNOWN_QUERY_PARAMETER',
    details: { allowedParameters: ['page', 'pageSize'] },
  });
  expect((await send('GET', '?pageSize=101')).state).toBe('VALIDATION_INVALID_PAGE_SIZE');
  const { state } = await send('GET', `/${unknownId()}/deliveries?page=0`);
  expect(state).toBe('VALIDATION_INVALID_PAGE');
});

test('reads a subscription by its id in either letter case', async ({
  fixture: { send, subscribe, vendor },
}) => {
  const id = await subscribe(['vendor.order.assigned']);
  for (const given of [id, id.toUpperCase()])
    expect((await send('GET', `/${given}`)).payload).toStrictEqual({
      id,
      vendorId: vendor.vendorId,
      url: hookUrl,
      eventTypes: ['vendor.order.assigned'],
      isActive: true,
      lastDeliveryAt: null,
      lastDeliveryStatus: null,
      headerNames: [],
      createdAt: expect.any(String),
    });
});

test('answers 404 for an unknown id and for no id', async ({ fixture: { send, subscribe } }) => {
  const id = await subscribe();
  for (const given of [unknownId(), '1', 'x'.repeat(300), '%2e%2e%2f', `${id}x`, '%00'])
    for (const path of ['', '/deliveries', '/statistics'])
      expect(await send('GET', `/${given}${path}`)).toMatchObject(noSubscription);
});

test('lists every attempt newest first, also one under way', async ({
  gateway: { sql },
  fixture: { send, subscribe, vendor },
}) => {
  const eventType = 'vendor.offer.review-decision';
  const id = await subscribe([eventType]);
  const deliveryId = await emit(sql, vendor.vendorId, id, eventType);
  const first = '2026-01-02T03:01:00.000Z';
  const second = '2026-01-02T03:02:00.000Z';
  const begun = await begin(sql, deliveryId);
  await record(sql, begun, 'waiting', first);
  await record(sql, await begin(sql, deliveryId), 'deadLettered', second);
  const [dead] = itemsOf(await send('GET', `/${id}/deliveries`));
  const path = `/${id}/deliveries/${String(dead?.['id'])}/redeliver`;
  expect((await send('POST', path)).status).toBe(200);
  await begin(sql, deliveryId);

  const form = {
    id: expect.stringMatching(/^[\da-f-]{36}$/),
    eventType,
    idempotencyKey: begun.eventId,
    httpStatus: 503,
    succeeded: false,
    errorSummary: 'http_status 503',
    deadLetteredAt: null,
  };
  const under = { attemptNumber: 3, httpStatus: null, errorSummary: null, sentAt: null };
  expect((await send('GET', `/${id}/deliveries`)).payload).toStrictEqual({
    items: [
      { ...form, ...under, nextAttemptAt: expect.stringMatching(/Z$/) },
      { ...form, attemptNumber: 2, sentAt: second, deadLetteredAt: second, nextAttemptAt: second },
      { ...form, attemptNumber: 1, sentAt: first, nextAttemptAt: first },
    ],
    pagination: { page: 1, pageSize: 20, totalCount: 3, totalPages: 1 },
  });
  expect((await send('GET', `/${id}`)).payload).toMatchObject({
    lastDeliveryAt: second,
    lastDeliveryStatus: 'DeadLettered',
  });
});

async function answered({ sql }: Gateway, deliveryId: string, durationMs: number | null) {
  const { attemptNumber } = await begin(sql, deliveryId);
  const at = new Date().toISOString();
  const isTimeout = durationMs === null;
  const result = {
    deliveryId,
    attemptNumber,
    sentAt: at,
    succeeded: !isTimeout,
    httpStatus: isTimeout ? null : 200,
    errorSummary: isTimeout ? 'timeout: late' : null,
    nextAttemptAt: at,
    state: isTimeout ? ('waiting' as const) : ('succeeded' as const),
    isGone: false,
    at,
    durationMs: durationMs ?? 15_000,
  };
  await recordAttempts(sql, [result], { failingMs: 1e12, deadLetters: 1e6 });
}

test('statistics count the deliveries, attempts and failures of a day, with times of answers', async ({
  gateway,
  fixture: { send, subscribe, vendor },
}) => {
  const { sql } = gateway;
  const { vendorId } = vendor;
  const id = await subscribe();
  const read = async () => (await send('GET', `/${id}/statistics`)).payload;
  expect(await read()).toMatchObject({
    deliveries: 0,
    attempts: 0,
    attemptsPerHour: 0,
    answerTime: null,
  });
  for (let each = 1; each <= 20; each += 1)
    await answered(gateway, await emit(sql, vendorId, id), each * 10);
  const retried = await emit(sql, vendorId, id);
  await answered(gateway, retried, null);
  await answered(gateway, retried, 500);
  await begin(sql, await emit(sql, vendorId, id));
  // Of yesterday, and one that no request belongs to.
  const old = await attempt(sql, await emit(sql, vendorId, id), 'deadLettered');
  await sql`update webhook_attempts set created_at = now() - interval '25 hours' where id = ${old}`;
  const unsent = await attempt(sql, await emit(sql, vendorId, id), 'cancelled');
  await sql`
    update webhook_attempts set error_summary = 'subscription_inactive' where id = ${unsent}`;

  const payload = await read();
  expect(payload).toStrictEqual({
    from: expect.any(String),
    to: expect.any(String),
    deliveries: 22,
    attempts: 23,
    succeeded: 21,
    failed: 1,
    attemptsPerHour: 0.96,
    answerTime: { p50Ms: 110, p95Ms: 200 },
  });
  const lengthMs = Date.parse(String(payload?.['to'])) - Date.parse(String(payload?.['from']));
  expect(lengthMs).toBe(24 * 3_600_000);
});

test('statistics read the attempts of one subscription and day by an index', async ({
  gateway: { sql },
  fixture: { subscribe, vendor },
}) => {
  const id = await subscribe();
  const deliveryId = await emit(sql, vendor.vendorId, id);
  await sql`
    insert into webhook_attempts (id, delivery_id, subscription_id, attempt_number, event_type,
      event_id, succeeded, next_attempt_at, created_at)
    select gen_random_uuid(), ${deliveryId}, ${id}, i, 'vendor.order.assigned', 'evt', true, now(),
      now() - i * interval '1 hour'
    from generate_series(1, 20000) as i`;
  await sql`vacuum (analyze) webhook_attempts`;
  const plan = await planOf(sql, () => readStatistics(sql, id));
  expect(tableScansOf(plan)).toEqual([]);
  expect(indexesOf(plan).get('webhook_attempts_newest')).toBeLessThan(30);
});
