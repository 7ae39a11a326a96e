import { expect } from 'vitest';
import { pruneWebhookHistory } from '../../../db/webhooks/retention.ts';
import type { StoredAnswer } from '../../../db/webhooks/attempts/record-attempts.ts';
import {
  anyAttempt,
  listAttempts,
  type AttemptFilter,
} from '../../../db/webhooks/attempts/attempt-list.ts';
import { addSubscription, addVendor } from '../../db/support.ts';
import { indexesOf, planOf, tableScansOf } from '../../db/upcoming/plans.ts';
import { itemsOf, unknownId } from '../../support/api/api.ts';
import {
  attempt,
  begin,
  lacksOffers,
  noDelivery,
  orders,
  record,
  reviews,
  webhookTest as test,
} from './webhook-fixture.ts';

// A vendor's delivery attempts: one with what was sent and the beginning of the answer (D96), and
// their list by filters.

const answer: StoredAnswer = {
  requestHeaders: { 'user-agent': 'vendor-gateway/1', x_tenant: '[hidden]' },
  headers: { 'content-type': 'application/json', 'retry-after': '5' },
  body: '{"error_code":"unknown shipment"}',
  bodyBytes: 33,
};
const at = '2026-01-02T03:04:05.678Z';

test('reads an attempt with request and answer', async ({ fixture: { sql, emit, send }, id }) => {
  const begun = await begin(sql, await emit(id));
  await record(sql, begun, 'waiting', { at, durationMs: 12, answer });
  const [{ body }] = await sql<[{ body: string }]>`
    select body from webhook_events where id = ${begun.eventId}`;
  expect((await send('GET', `/${id}/deliveries/${begun.id}`)).payload).toStrictEqual({
    id: begun.id,
    eventType: orders,
    idempotencyKey: begun.eventId,
    attemptNumber: 1,
    httpStatus: 503,
    sentAt: at,
    succeeded: false,
    errorSummary: 'http_status 503',
    deadLetteredAt: null,
    nextAttemptAt: at,
    durationMs: 12,
    request: {
      headers: [
        { name: 'webhook-id', value: begun.eventId },
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

test('reads null without request or answer', async ({ fixture: { sql, emit, send }, id }) => {
  const deliveryId = await emit(id);
  const silent = await attempt(sql, deliveryId, 'waiting');
  expect((await send('GET', `/${id}/deliveries/${silent}`)).payload).toMatchObject({
    answer: null,
    request: { headers: [{ name: 'webhook-id' }, {}, {}, {}] },
  });
  const { id: underWay } = await begin(sql, deliveryId);
  const none = { answer: null, request: null, durationMs: null };
  expect((await send('GET', `/${id}/deliveries/${underWay}`)).payload).toMatchObject(none);
});

test('answers 404 for other attempts', async ({ fixture: { subscribe, delivered, send }, id }) => {
  const { attemptId } = await delivered(await subscribe(), 'waiting');
  for (const each of [attemptId, unknownId(), 'x', id])
    expect(await send('GET', `/${id}/deliveries/${each}`)).toMatchObject(noDelivery);
});

test('requires the type’s capability', async ({ fixture: { sql, emit, send, ordersOnly }, id }) => {
  const path = `/${id}/deliveries/${await attempt(sql, await emit(id, reviews), 'waiting')}`;
  expect(await send('GET', path, undefined, ordersOnly)).toMatchObject(lacksOffers);
  expect((await send('GET', path)).status).toBe(200);
});

test('retention deletes an answer with its delivery', async ({ fixture: { sql, emit }, id }) => {
  const attemptId = await attempt(sql, await emit(id), 'succeeded', { answer });
  const stored = () => sql`select from webhook_answers where attempt_id = ${attemptId}`;
  expect(await stored()).toHaveLength(1);
  await pruneWebhookHistory(sql, new Date(Date.now() + 60_000));
  expect(await stored()).toHaveLength(0);
});

test('filters attempts by the state of their delivery, event type, event and time', async ({
  fixture: { sql, subscribe, emit, delivered, fired, send },
  id,
}) => {
  const ids: Record<string, string> = {};
  for (const state of ['waiting', 'succeeded', 'deadLettered'] as const)
    ids[state] = (await delivered(id, state)).attemptId;
  const retried = await emit(id, reviews);
  ids['failedOnce'] = await attempt(sql, retried, 'waiting');
  ids['succeededThen'] = await attempt(sql, retried, 'succeeded');
  ids['failed'] = (await fired(id)).attemptId;
  await delivered(await subscribe(), 'deadLettered');
  const [{ eventId, createdAt }] = await sql<[{ eventId: string; createdAt: string }]>`
    select event_id, to_json(created_at) #>> '{}' as created_at from webhook_attempts
    where id = ${ids['failedOnce'] ?? ''}`;
  const from = encodeURIComponent(createdAt);
  const rows: readonly (readonly [query: string, found: string])[] = [
    ['state=waiting', 'waiting'],
    ['state=deadLettered', 'deadLettered'],
    ['state=failed', 'failed'],
    ['state=cancelled', ''],
    ['state=succeeded', 'succeededThen failedOnce succeeded'],
    [`eventType=${reviews}`, 'succeededThen failedOnce'],
    [`eventId=${eventId}`, 'succeededThen failedOnce'],
    [`eventId=${eventId}&state=waiting`, ''],
    [`from=${from}`, 'failed succeededThen failedOnce'],
    [`to=${from}`, 'failedOnce deadLettered succeeded waiting'],
    [`from=${from}&to=${from}`, 'failedOnce'],
  ];
  for (const [query, found] of rows) {
    const answer = await send('GET', `/${id}/deliveries?pageSize=100&${query}`);
    const items = itemsOf(answer);
    expect(answer.payload).toMatchObject({ pagination: { totalCount: items.length } });
    const names = items.map((item) => Object.keys(ids).find((name) => ids[name] === item['id']));
    expect(names.join(' '), query).toBe(found);
  }
});

test.for([
  ['state=dead', 'VALIDATION_INVALID_QUERY_PARAMETER'],
  ['eventType=vendor.order', 'VALIDATION_INVALID_QUERY_PARAMETER'],
  ['eventId=1', 'VALIDATION_INVALID_QUERY_PARAMETER'],
  ['from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z', 'VALIDATION_INVALID_DATE'],
])('refuses the filter %s with %s', async ([query, state], { fixture: { send }, id }) => {
  expect((await send('GET', `/${id}/deliveries?${query}`)).state).toBe(state);
});

test('reads as many rows as a filtered page shows and counts', async ({ gateway: { sql } }) => {
  const vendorId = await addVendor(sql);
  const subscriptionId = await addSubscription(sql, vendorId);
  await addSubscription(sql, vendorId);
  await sql`
    with event as (
      insert into webhook_events (id, vendor_id, event_type, body, occurred_at)
      select 'evt_' || gen_random_uuid(), ${vendorId},
        case when i % 1000 = 0 then 'vendor.offer.review-decision' else 'vendor.order.assigned' end,
          '{}', now()
      from generate_series(1, 20000) as i returning id, event_type
    ), delivery as (
      insert into webhook_deliveries (id, event_id, subscription_id, vendor_id, event_type, state,
        attempts)
      select gen_random_uuid(), id, ${subscriptionId}, ${vendorId}, event_type,
        case when random() < 0.001 then 'deadLettered' else 'succeeded' end, 1
      from event returning id, event_id, event_type
    )
    insert into webhook_attempts (id, delivery_id, subscription_id, attempt_number, event_type,
      event_id, succeeded, next_attempt_at, created_at)
    select gen_random_uuid(), id, ${subscriptionId}, 1, event_type, event_id, true, now(),
      now() - random() * interval '20 days'
    from delivery`;
  await sql`vacuum (analyze) webhook_attempts, webhook_deliveries, webhook_events`;
  const [{ eventId }] = await sql<[{ eventId: string }]>`
    select event_id from webhook_attempts where subscription_id = ${subscriptionId} limit 1`;
  const readBy = async (filter: Partial<AttemptFilter>): Promise<number> => {
    const page = { page: 1, pageSize: 20 };
    const plan = await planOf(sql, () =>
      listAttempts(sql, subscriptionId, page, { ...anyAttempt, ...filter }),
    );
    expect(tableScansOf(plan)).toEqual([]);
    return [...indexesOf(plan).values()].reduce((sum, rows) => sum + rows, 0);
  };
  expect(await readBy({ eventId })).toBeLessThan(20);
  expect(await readBy({ eventType: 'vendor.offer.review-decision' })).toBeLessThan(200);
  expect(await readBy({ state: 'deadLettered' })).toBeLessThan(400);
  const from = new Date(Date.now() - 3_600_000).toISOString();
  expect(await readBy({ from })).toBeLessThan(400);
});
