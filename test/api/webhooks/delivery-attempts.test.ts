import { expect } from 'vitest';
import { pruneWebhookHistory } from '../../../db/webhooks/retention.ts';
import {
  recordAttempts,
  type StoredAnswer,
} from '../../../db/webhooks/attempts/record-attempts.ts';
import {
  anyAttempt,
  listAttempts,
  type AttemptFilter,
} from '../../../db/webhooks/attempts/attempt-list.ts';
import { addSubscription, addVendor } from '../../db/support.ts';
import { indexesOf, planOf, tableScansOf } from '../../db/upcoming/plans.ts';
import { tokenWith } from '../support/actors.ts';
import { call, itemsOf, refusal, unknownId, type Gateway } from '../support/api.ts';
import { attempt, begin, emit, firedSample, newWebhookFixture } from './webhook-fixture.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';

// A vendor's delivery attempts: one with what was sent and the beginning of the answer (D96), and
// their list by filters.

const test = gatewayTest
  .extend('fixture', ({ gateway }) => newWebhookFixture(gateway))
  .extend('id', ({ fixture }) => fixture.subscribe());

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

test('reads an attempt with what was sent and what was answered', async ({
  gateway,
  fixture: { vendor },
  id,
}) => {
  const { sql } = gateway;
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

test('reads null for an answer or a request that there is not', async ({
  gateway,
  fixture: { vendor },
  id,
}) => {
  const { sql } = gateway;
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

test('answers 404 for an attempt of another subscription and for an unknown one', async ({
  gateway,
  fixture: { vendor, subscribe },
  id,
}) => {
  const attemptId = await attempt(
    gateway.sql,
    await emit(
      gateway.sql,
      vendor.vendorId,
      await subscribe(['vendor.return.received']),
      'vendor.return.received',
    ),
    'waiting',
  );
  for (const each of [attemptId, unknownId(), 'x', id])
    expect(await read(gateway, vendor.token, id, each)).toMatchObject(
      refusal('NOT_FOUND_VENDOR_WEBHOOK_DELIVERY'),
    );
});

test('requires the capability of the event type', async ({ gateway, fixture: { vendor }, id }) => {
  const { sql } = gateway;
  const eventType = 'vendor.offer.review-decision';
  const attemptId = await attempt(sql, await emit(sql, vendor.vendorId, id, eventType), 'waiting');
  const token = tokenWith(gateway, vendor, ['Orders']);
  expect(await read(gateway, token, id, attemptId)).toMatchObject(
    refusal('FORBIDDEN_CAPABILITY_NOT_GRANTED', { requiredCapability: 'Offers', eventType }),
  );
  expect((await read(gateway, vendor.token, id, attemptId)).status).toBe(200);
});

test('retention deletes an answer with its delivery', async ({
  gateway,
  fixture: { vendor },
  id: subscriptionId,
}) => {
  const { sql } = gateway;
  const deliveryId = await emit(sql, vendor.vendorId, subscriptionId);
  const { id } = await answered(gateway, deliveryId, answer);
  await sql`update webhook_deliveries set state = 'succeeded' where id = ${deliveryId}`;
  const stored = () => sql`select from webhook_answers where attempt_id = ${id}`;
  expect(await stored()).toHaveLength(1);
  await pruneWebhookHistory(sql, new Date(Date.now() + 60_000));
  expect(await stored()).toHaveLength(0);
});

test('filters attempts by the state of their delivery, event type, event and time', async ({
  gateway: { sql },
  fixture: { vendor, subscribe, send },
  id,
}) => {
  const { vendorId } = vendor;
  const other = await subscribe();
  const ids: Record<string, string> = {};
  for (const state of ['waiting', 'succeeded', 'deadLettered'] as const)
    ids[state] = await attempt(sql, await emit(sql, vendorId, id), state);
  const retried = await emit(sql, vendorId, id, 'vendor.offer.review-decision');
  ids['failedOnce'] = await attempt(sql, retried, 'waiting');
  ids['succeededThen'] = await attempt(sql, retried, 'succeeded');
  ids['failed'] = (await firedSample(sql, vendorId, id)).attemptId;
  // Of another subscription of hers.
  await attempt(sql, await emit(sql, vendorId, other), 'deadLettered');
  const list = async (query: string) => {
    const answer = await send('GET', `/${id}/deliveries?pageSize=100&${query}`);
    const items = itemsOf(answer);
    expect(answer.payload).toMatchObject({ pagination: { totalCount: items.length } });
    return items.map((item) => Object.entries(ids).find(([, each]) => each === item['id'])?.[0]);
  };
  expect(await list('state=waiting')).toEqual(['waiting']);
  expect(await list('state=deadLettered')).toEqual(['deadLettered']);
  expect(await list('state=failed')).toEqual(['failed']);
  expect(await list('state=cancelled')).toEqual([]);
  expect(await list('state=succeeded')).toEqual(['succeededThen', 'failedOnce', 'succeeded']);
  expect(await list('eventType=vendor.offer.review-decision')).toEqual([
    'succeededThen',
    'failedOnce',
  ]);
  const [row] = await sql<[{ eventId: string; createdAt: string }]>`
    select event_id, to_json(created_at) #>> '{}' as created_at from webhook_attempts
    where id = ${ids['failedOnce'] ?? ''}`;
  expect(await list(`eventId=${row.eventId}`)).toEqual(['succeededThen', 'failedOnce']);
  expect(await list(`eventId=${row.eventId}&state=waiting`)).toEqual([]);
  const at = encodeURIComponent(row.createdAt);
  expect(await list(`from=${at}`)).toEqual(['failed', 'succeededThen', 'failedOnce']);
  expect(await list(`to=${at}`)).toEqual(['failedOnce', 'deadLettered', 'succeeded', 'waiting']);
  expect(await list(`from=${at}&to=${at}`)).toEqual(['failedOnce']);
});

test.for([
  ['state=dead', 'VALIDATION_INVALID_QUERY_PARAMETER'],
  ['eventType=vendor.order', 'VALIDATION_INVALID_QUERY_PARAMETER'],
  ['eventId=1', 'VALIDATION_INVALID_QUERY_PARAMETER'],
  ['from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z', 'VALIDATION_INVALID_DATE'],
])('refuses the filter %s with %s', async ([query, state], { fixture: { send }, id }) => {
  expect((await send('GET', `/${id}/deliveries?${query}`)).state).toBe(state);
});

test('a filtered page reads about as many rows as it shows and counts, by an index', async ({
  gateway: { sql },
}) => {
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
