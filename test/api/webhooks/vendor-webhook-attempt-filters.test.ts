import { expect } from 'vitest';
import {
  anyAttempt,
  listAttempts,
  type AttemptFilter,
} from '../../../db/webhooks/attempts/attempt-list.ts';
import { indexesOf, planOf, tableScansOf } from '../../db/upcoming/plans.ts';
import { addSubscription, addVendor } from '../../db/support.ts';
import { itemsOf } from '../support/api.ts';
import { attempt, emit, firedSample, newWebhookFixture } from './webhook-fixture.ts';
import { gatewayTest as test } from '../../support/gateway/gateway-test.ts';

test('attempts are filtered by the state of their delivery, event type, event and time', async ({
  gateway,
}) => {
  const { sql } = gateway;
  const { vendor, subscribe, send } = await newWebhookFixture(gateway);
  const { vendorId } = vendor;
  const id = await subscribe();
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
  ['state=deadLettered&state=waiting', 'VALIDATION_INVALID_QUERY_PARAMETER'],
  ['eventType=vendor.order', 'VALIDATION_INVALID_QUERY_PARAMETER'],
  ['eventId=1', 'VALIDATION_INVALID_QUERY_PARAMETER'],
  ['from=yesterday', 'VALIDATION_INVALID_DATE'],
  ['from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z', 'VALIDATION_INVALID_DATE'],
])('the filter %s is %s', async ([query, code], { gateway }) => {
  const { subscribe, send } = await newWebhookFixture(gateway);
  expect(await send('GET', `/${await subscribe()}/deliveries?${query}`)).toMatchObject({
    status: 400,
    state: code,
  });
});

test('a filtered page reads about as many rows as it shows and counts, by an index', async ({
  gateway,
}) => {
  const { sql } = gateway;
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
