import { expect } from 'vitest';
import { pruneWebhookHistory } from '../../../db/webhooks/retention.ts';
import type { StoredResponse } from '../../../db/webhooks/attempts/record-attempts.ts';
import { anyAttempt, listAttempts } from '../../../db/webhooks/attempts/attempt-list.ts';
import type { DeliveryState } from '../../../db/webhooks/webhook-deliveries.ts';
import { addSubscription, addVendor } from '../../db/support.ts';
import { itemsOf, unknownId } from '../../support/api/api.ts';
import { entriesReadBy } from '../../support/database/entries-read.ts';
import { seedManyDeliveries } from '../../support/webhooks/old-deliveries.ts';
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

// A vendor's delivery attempts: one with what was sent and the beginning of the response (D96), and
// their list by filters.

const answer: StoredResponse = {
  requestHeaders: { 'user-agent': 'vendor-gateway/1', x_tenant: '[hidden]' },
  headers: { 'content-type': 'application/json', 'retry-after': '5' },
  body: '{"error_code":"unknown shipment"}',
  bodyBytes: 33,
};
const at = '2026-01-02T03:04:05.678Z';

test('reads an attempt with request and response', async ({ fixture: { sql, emit, send }, id }) => {
  const begun = await begin(sql, await emit(id));
  await record(sql, begun, 'waiting', { at, durationMs: 12, answer });
  const [{ body }] = await sql<[{ body: string }]>`
    select body from webhook_events where id = ${begun.eventId}`;
  const [listed] = itemsOf(await send('GET', `/${id}/deliveries`));
  expect(listed).toMatchObject({ id: begun.id, sentAt: at, httpStatus: 503 });
  expect((await send('GET', `/${id}/deliveries/${begun.id}`)).payload).toStrictEqual({
    ...listed,
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

test('reads null without request or response', async ({ fixture: { sql, emit, send }, id }) => {
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

test('requires the capability of the event to read an attempt', async ({ fixture, id }) => {
  const { sql, emit, send, ordersOnly } = fixture;
  const path = `/${id}/deliveries/${await attempt(sql, await emit(id, reviews), 'waiting')}`;
  expect(await send('GET', path, undefined, ordersOnly)).toMatchObject(lacksOffers);
  expect((await send('GET', path)).status).toBe(200);
});

test('returns 404 for an attempt of another subscription', async ({ fixture, id }) => {
  const { subscribe, delivered, send } = fixture;
  const { attemptId } = await delivered(await subscribe(), 'waiting');
  for (const each of [attemptId, unknownId(), 'x', id])
    expect(await send('GET', `/${id}/deliveries/${each}`)).toMatchObject(noDelivery);
});

test('deletes a response with its delivery by retention', async ({
  fixture: { sql, emit },
  id,
}) => {
  const attemptId = await attempt(sql, await emit(id), 'succeeded', { answer });
  const stored = () => sql`select from webhook_answers where attempt_id = ${attemptId}`;
  expect(await stored()).toHaveLength(1);
  await pruneWebhookHistory(sql, new Date(Date.now() + 60_000));
  expect(await stored()).toHaveLength(0);
});

test('filters attempts by state, event type, event and time', async ({ fixture, id }) => {
  const { sql, subscribe, emit, delivered, fired, send } = fixture;
  const ids: Record<string, string> = {};
  for (const state of ['waiting', 'succeeded', 'deadLettered'] as const)
    ids[state] = (await delivered(id, state)).attemptId;
  const retried = await emit(id, reviews);
  ids['failedOnce'] = await attempt(sql, retried, 'waiting');
  ids['succeededThen'] = await attempt(sql, retried, 'succeeded');
  ids['failed'] = (await fired(id)).attemptId;
  await delivered(await subscribe(), 'deadLettered');
  // Several may begin within the millisecond that the list shows.
  await sql`
    update webhook_attempts as attempt set sent_at = created_at + interval '10 ms' * (
      select count(*) from webhook_attempts as earlier
      where earlier.subscription_id = attempt.subscription_id
        and earlier.created_at < attempt.created_at
    )
    where subscription_id = ${id}`;
  const [{ eventId, sentAt }] = await sql<[{ eventId: string; sentAt: Date }]>`
    select event_id, sent_at from webhook_attempts where id = ${ids['failedOnce'] ?? ''}`;
  const from = sentAt.toISOString();
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
    const response = await send('GET', `/${id}/deliveries?pageSize=100&${query}`);
    const items = itemsOf(response);
    expect(response.payload).toMatchObject({ pagination: { totalCount: items.length } });
    const names = items.map((item) => Object.keys(ids).find((name) => ids[name] === item['id']));
    expect(names.join(' '), query).toBe(found);
  }
});

test('takes the shown start of an attempt in filters and a recovery', async ({ fixture, id }) => {
  const { sql, emit, send } = fixture;
  const begun = await begin(sql, await emit(id));
  const sentAt = new Date(Date.now() + 5).toISOString();
  await record(sql, begun, 'waiting', { sentAt, nextAttemptAt: '2099-01-01T00:00:00.000Z' });
  // As a run begins an attempt: with microseconds, a moment before or after the shown millisecond.
  for (const offset of ['-1400 microseconds', '400 microseconds']) {
    await sql`
      update webhook_attempts set created_at = sent_at + ${offset}::interval
      where id = ${begun.id}`;
    const found = itemsOf(await send('GET', `/${id}/deliveries?from=${sentAt}&to=${sentAt}`));
    expect([offset, found]).toMatchObject([offset, [{ id: begun.id, sentAt }]]);
    const later = sentAt.replace('Z', '100Z');
    for (const range of [`from=${later}`, `to=${new Date(Date.parse(sentAt) - 1).toISOString()}`])
      expect(itemsOf(await send('GET', `/${id}/deliveries?${range}`))).toEqual([]);
  }
  await sql`
    update webhook_attempts set created_at = sent_at - interval '1 ms' where id = ${begun.id}`;
  const recovery = await send('POST', `/${id}/recover`, { since: sentAt, state: 'Waiting' });
  expect(recovery.payload).toMatchObject({ madeDue: 1 });
});

test.for([
  ['state=dead', 'VALIDATION_INVALID_QUERY_PARAMETER'],
  ['eventType=vendor.order', 'VALIDATION_INVALID_QUERY_PARAMETER'],
  ['eventId=1', 'VALIDATION_INVALID_QUERY_PARAMETER'],
  ['from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z', 'VALIDATION_INVALID_DATE'],
])('refuses the filter %s with %s', async ([query, state], { fixture: { send }, id }) => {
  expect((await send('GET', `/${id}/deliveries?${query}`)).state).toBe(state);
});

test('reads only the rows that a filtered page shows and counts', async ({ gateway: { sql } }) => {
  const vendorId = await addVendor(sql);
  const subscriptionId = await addSubscription(sql, vendorId);
  const seed = (count: number, days: number, state: DeliveryState) =>
    seedManyDeliveries(sql, { vendorId, subscriptionId }, { count, days, state });
  // What the filters find is older than the many others.
  await seed(20, 21, 'deadLettered');
  await sql`
    update webhook_attempts set event_type = ${orders} where subscription_id = ${subscriptionId}`;
  await seed(20_000, 20, 'succeeded');
  await sql`vacuum (analyze) webhook_attempts, webhook_deliveries, webhook_events`;
  const [{ eventId }] = await sql<[{ eventId: string }]>`
    select event_id from webhook_attempts where subscription_id = ${subscriptionId} limit 1`;
  const from = new Date(Date.now() - 3_600_000).toISOString();
  const connection = await sql.reserve();
  for (const [filter, max] of [
    [{ eventId }, 20],
    [{ eventType: orders }, 200],
    [{ state: 'deadLettered' }, 400],
    [{ from }, 400],
  ] as const) {
    const page = { page: 1, pageSize: 20 };
    const read = await entriesReadBy(connection, 'webhook_attempts', (reader) =>
      listAttempts(reader, subscriptionId, page, { ...anyAttempt, ...filter }),
    );
    expect(read, Object.keys(filter)[0]).toBeLessThan(max);
  }
  connection.release();
});
