import { expect } from 'vitest';
import { addSubscription } from '../../../db/support.ts';
import { newVendor } from '../../support/actors.ts';
import { call, itemsOf, refusal, unknownId, type Gateway } from '../../support/api.ts';
import { begin, emit, newWebhookFixture, record } from '../webhook-fixture.ts';
import { gatewayTest as test } from '../../../support/gateway/gateway-test.ts';

const read = (gateway: Gateway, token: string, path = '') =>
  call(gateway, 'GET', `/api/v1/webhooks${path}`, { token });
const notFound = refusal('NOT_FOUND_VENDOR_WEBHOOK_SUBSCRIPTION');

test('the list has the form of every list, newest first, inactive ones included', async ({
  gateway,
}) => {
  const { token, vendorId } = await newVendor(gateway);
  expect((await read(gateway, token)).payload).toEqual({
    items: [],
    pagination: { page: 1, pageSize: 20, totalCount: 0, totalPages: 0 },
  });
  const ids: string[] = [];
  for (let index = 0; index < 5; index += 1) ids.push(await addSubscription(gateway.sql, vendorId));
  await gateway.sql`update webhook_subscriptions set is_active = false where id = ${ids[2] ?? ''}`;
  const first = await read(gateway, token, '?page=1&pageSize=2');
  expect(first.payload).toMatchObject({
    pagination: { page: 1, pageSize: 2, totalCount: 5, totalPages: 3 },
  });
  const rest = [
    ...itemsOf(await read(gateway, token, '?page=2&pageSize=2')),
    ...itemsOf(await read(gateway, token, '?pageSize=2&page=3')),
  ];
  const listed = [...itemsOf(first), ...rest];
  expect(listed.map(({ id }) => id)).toEqual(ids.toReversed());
  expect(listed.map(({ isActive }) => isActive)).toEqual([true, true, false, true, true]);
  expect(itemsOf(await read(gateway, token, '?page=4&pageSize=2'))).toEqual([]);
  expect(itemsOf(await read(gateway, token, '?page=999999999999&pageSize=100'))).toEqual([]);
});

const badCounts = ['0', '-1', '+1', '1.0', '1.5', '1e0', '', '%20', 'x', '0x1', '1,2', '١', 'null'];

test.for(badCounts)(
  'page=%s is VALIDATION_INVALID_PAGE, page size alike',
  async (value, { gateway }) => {
    const { token, vendorId } = await newVendor(gateway);
    const id = await addSubscription(gateway.sql, vendorId);
    for (const path of ['', `/${id}/deliveries`]) {
      const page = await read(gateway, token, `${path}?page=${value}`);
      expect(page).toMatchObject({ status: 400, state: 'VALIDATION_INVALID_PAGE', payload: null });
      const size = await read(gateway, token, `${path}?pageSize=${value}`);
      expect(size).toMatchObject({
        status: 400,
        state: 'VALIDATION_INVALID_PAGE_SIZE',
        payload: null,
      });
    }
  },
);

test('a page size is 1 to 100, never clamped; a name given twice is refused', async ({
  gateway,
}) => {
  const { token } = await newVendor(gateway);
  for (const size of [1, 100])
    expect((await read(gateway, token, `?pageSize=${size}`)).status).toBe(200);
  expect((await read(gateway, token, '?pageSize=101')).state).toBe('VALIDATION_INVALID_PAGE_SIZE');
  expect((await read(gateway, token, '?page=1&page=1')).state).toBe('VALIDATION_INVALID_PAGE');
  expect((await read(gateway, token, '?pageSize=5&pageSize=5')).state).toBe(
    'VALIDATION_INVALID_PAGE_SIZE',
  );
});

test.for([
  'activeOnly=true',
  'Page=1',
  'page[]=1',
  'include=history',
  '__proto__=1',
  'toString=1',
  '=1',
])('the unknown parameter %s is refused with the known ones', async (parameter, { gateway }) => {
  const { token } = await newVendor(gateway);
  const answer = await read(gateway, token, `?${parameter}&page=0`);
  expect(answer).toMatchObject({
    status: 400,
    state: 'VALIDATION_UNKNOWN_QUERY_PARAMETER',
    details: { allowedParameters: ['page', 'pageSize'] },
  });
});

test('one subscription is read by its id, in any letter case', async ({ gateway }) => {
  const { token, vendorId } = await newVendor(gateway);
  const id = await addSubscription(gateway.sql, vendorId);
  for (const given of [id, id.toUpperCase()]) {
    const answer = await read(gateway, token, `/${given}`);
    expect(answer.payload).toStrictEqual({
      id,
      vendorId,
      url: 'https://vendor.example.org/hook',
      eventTypes: ['vendor.offer.review-decision'],
      isActive: true,
      lastDeliveryAt: null,
      lastDeliveryStatus: null,
      headerNames: [],
      createdAt: expect.any(String),
    });
  }
});

test("an unknown id, another vendor's and no uuid at all are the same 404", async ({ gateway }) => {
  const { token } = await newVendor(gateway);
  const other = await newVendor(gateway);
  const id = await addSubscription(gateway.sql, other.vendorId);
  for (const given of [id, unknownId(), '1', 'x'.repeat(300), '%2e%2e%2f', `${id}x`, '%00']) {
    for (const path of [`/${given}`, `/${given}/deliveries`]) {
      expect(await read(gateway, token, path)).toMatchObject(notFound);
    }
  }
  expect(itemsOf(await read(gateway, token))).toEqual([]);
});

test('a wrong query answers before a missing resource', async ({ gateway }) => {
  const { token } = await newVendor(gateway);
  const answer = await read(gateway, token, `/${unknownId()}/deliveries?page=0`);
  expect(answer.state).toBe('VALIDATION_INVALID_PAGE');
});

test('every attempt is listed in full, newest first, also one that is still under way', async ({
  gateway,
}) => {
  const { token, vendorId } = await newVendor(gateway);
  const { sql } = gateway;
  const eventType = 'vendor.offer.review-decision';
  const id = await addSubscription(sql, vendorId, [eventType]);
  const deliveryId = await emit(sql, vendorId, id, eventType);
  const first = '2026-01-02T03:01:00.000Z';
  const second = '2026-01-02T03:02:00.000Z';
  const begun = await begin(sql, deliveryId);
  await record(sql, begun, 'waiting', first);
  await record(sql, await begin(sql, deliveryId), 'deadLettered', second);
  const [dead] = itemsOf(await read(gateway, token, `/${id}/deliveries`));
  const url = `/api/v1/webhooks/${id}/deliveries/${String(dead?.['id'])}/redeliver`;
  expect((await call(gateway, 'POST', url, { token })).status).toBe(200);
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
  expect((await read(gateway, token, `/${id}/deliveries`)).payload).toStrictEqual({
    items: [
      { ...form, ...under, nextAttemptAt: expect.stringMatching(/Z$/) },
      { ...form, attemptNumber: 2, sentAt: second, deadLetteredAt: second, nextAttemptAt: second },
      { ...form, attemptNumber: 1, sentAt: first, nextAttemptAt: first },
    ],
    pagination: { page: 1, pageSize: 20, totalCount: 3, totalPages: 1 },
  });
  expect((await read(gateway, token, `/${id}`)).payload).toMatchObject({
    lastDeliveryAt: second,
    lastDeliveryStatus: 'DeadLettered',
  });
});

test('a deleted subscription is in no list, no count, and nowhere else', async ({ gateway }) => {
  const { send, subscribe, vendor } = await newWebhookFixture(gateway);
  const ids = [await subscribe(), await subscribe(), await subscribe()];
  const [, deleted = ''] = ids;
  expect((await send('DELETE', `/${deleted}`)).status).toBe(200);
  const list = await read(gateway, vendor.token);
  expect(itemsOf(list).map(({ id }) => id)).toEqual(
    ids.filter((id) => id !== deleted).toReversed(),
  );
  expect(list.payload).toMatchObject({ pagination: { totalCount: 2 } });
  for (const path of ['', '/deliveries']) {
    expect(await read(gateway, vendor.token, `/${deleted}${path}`)).toMatchObject(notFound);
  }
});
