import { expect } from 'vitest';
import { readStatistics } from '../../../../db/webhooks/subscriptions/subscription-statistics.ts';
import { itemsOf } from '../../../support/api/api.ts';
import { instant } from '../../../support/api/matchers.ts';
import { entriesReadBy } from '../../../support/database/entries-read.ts';
import { attempt, begin, orders, reviews, webhookTest as test } from '../webhook-fixture.ts';

// Reads of subscriptions, their attempts and their statistics. Query parameters have their cases in
// `test/api/validation/query.test.ts`, unknown ids in `test/api/order-of-checks.test.ts`, other
// vendors' things in `test/api/isolation*.test.ts`.

test('lists the newest first', async ({ fixture: { send, subscribe, setActive, remove } }) => {
  expect((await send('GET', '')).payload).toEqual({
    items: [],
    pagination: { page: 1, pageSize: 20, totalCount: 0, totalPages: 0 },
  });
  const ids: string[] = [];
  for (let count = 0; count < 4; count += 1) ids.push(await subscribe());
  const [one = '', two = '', three = '', four = ''] = ids;
  await setActive(two, false);
  await remove(three);
  expect((await send('GET', '?page=1&pageSize=2')).payload).toMatchObject({
    items: [
      { id: four, isActive: true },
      { id: two, isActive: false },
    ],
    pagination: { page: 1, pageSize: 2, totalCount: 3, totalPages: 2 },
  });
  expect(itemsOf(await send('GET', '?page=2&pageSize=2'))).toMatchObject([{ id: one }]);
  expect(itemsOf(await send('GET', '?page=999999999999&pageSize=100'))).toEqual([]);
});

test('lists the newest attempts first', async ({ fixture: { sql, send, emit, redeliver }, id }) => {
  const deliveryId = await emit(id, reviews);
  const first = '2026-01-02T03:01:00.000Z';
  const second = '2026-01-02T03:02:00.000Z';
  await attempt(sql, deliveryId, 'waiting', { at: first });
  const dead = await attempt(sql, deliveryId, 'deadLettered', { at: second });
  expect((await redeliver(id, dead)).status).toBe(200);
  const { eventId } = await begin(sql, deliveryId);
  const under = { succeeded: false, httpStatus: null, errorSummary: null, sentAt: null };
  const form = { eventType: reviews, idempotencyKey: eventId, httpStatus: 503, succeeded: false };
  expect((await send('GET', `/${id}/deliveries`)).payload).toMatchObject({
    items: [
      { ...form, ...under, attemptNumber: 3, nextAttemptAt: instant },
      { ...form, attemptNumber: 2, sentAt: second, deadLetteredAt: second, nextAttemptAt: second },
      { ...form, attemptNumber: 1, sentAt: first, deadLetteredAt: null, nextAttemptAt: first },
    ],
    pagination: { page: 1, pageSize: 20, totalCount: 3, totalPages: 1 },
  });
  const last = { lastDeliveryAt: second, lastDeliveryStatus: 'DeadLettered' };
  expect((await send('GET', `/${id}`)).payload).toMatchObject(last);
});

test('counts 24 hours in statistics', async ({ fixture: { sql, send, emit, delivered }, id }) => {
  const read = async () => (await send('GET', `/${id}/statistics`)).payload;
  const none = { deliveries: 0, attempts: 0, attemptsPerHour: 0, answerTime: null };
  expect(await read()).toMatchObject(none);
  for (let each = 1; each <= 20; each += 1)
    await attempt(sql, await emit(id), 'succeeded', { durationMs: each * 10 });
  const retried = await emit(id);
  const timeout = { httpStatus: null, errorSummary: 'timeout: late', durationMs: 15_000 };
  await attempt(sql, retried, 'waiting', timeout);
  await attempt(sql, retried, 'succeeded', { durationMs: 500 });
  await begin(sql, await emit(id));
  // Of yesterday, and one that no request belongs to.
  const { attemptId: old } = await delivered(id, 'deadLettered');
  await sql`update webhook_attempts set created_at = now() - interval '25 hours' where id = ${old}`;
  await attempt(sql, await emit(id), 'cancelled', { errorSummary: 'subscription_inactive' });

  const payload = await read();
  expect(payload).toStrictEqual({
    from: instant,
    to: instant,
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

test('reads only 24 hours of attempts for statistics', async ({ fixture: { sql, emit }, id }) => {
  const deliveryId = await emit(id);
  await sql`
    insert into webhook_attempts (id, delivery_id, subscription_id, attempt_number, event_type,
      event_id, succeeded, next_attempt_at, created_at)
    select gen_random_uuid(), ${deliveryId}, ${id}, i, ${orders}, 'evt', true, now(),
      now() - i * interval '1 hour'
    from generate_series(1, 20000) as i`;
  await sql`vacuum (analyze) webhook_attempts`;
  const connection = await sql.reserve();
  const read = await entriesReadBy(connection, 'webhook_attempts', (reader) =>
    readStatistics(reader, id),
  );
  connection.release();
  expect(read).toBeLessThan(60);
});
