import { expect } from 'vitest';
import { recordAttempts } from '../../../../db/webhooks/attempts/record-attempts.ts';
import { readStatistics } from '../../../../db/webhooks/subscriptions/subscription-statistics.ts';
import { indexesOf, planOf, tableScansOf } from '../../../db/upcoming/plans.ts';
import { newVendor } from '../../support/actors.ts';
import { call, refusal, unknownId, type Gateway } from '../../support/api.ts';
import { attempt, begin, emit, newWebhookFixture } from '../webhook-fixture.ts';
import { gatewayTest as test } from '../../../support/gateway/gateway-test.ts';

const read = (gateway: Gateway, token: string, id: string) =>
  call(gateway, 'GET', `/api/v1/webhooks/${id}/statistics`, { token });

async function answered(gateway: Gateway, deliveryId: string, durationMs: number | null) {
  const { sql } = gateway;
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

test('statistics count a day’s deliveries, attempts and failures, with times of answers', async ({
  gateway,
}) => {
  const { sql } = gateway;
  const { vendor, subscribe } = await newWebhookFixture(gateway);
  const { token, vendorId } = vendor;
  const id = await subscribe();
  expect((await read(gateway, token, id)).payload).toMatchObject({
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

  const { payload } = await read(gateway, token, id);
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

test("another vendor's subscription has no statistics for her, an unknown one none at all", async ({
  gateway,
}) => {
  const { subscribe } = await newWebhookFixture(gateway);
  const id = await subscribe();
  const stranger = await newVendor(gateway);
  for (const each of [id, unknownId(), 'x'])
    expect(await read(gateway, stranger.token, each)).toMatchObject(
      refusal('NOT_FOUND_VENDOR_WEBHOOK_SUBSCRIPTION'),
    );
});

test('statistics read the attempts of one subscription and day by an index', async ({
  gateway,
}) => {
  const { sql } = gateway;
  const { vendor, subscribe } = await newWebhookFixture(gateway);
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
