import { expect } from 'vitest';
import { itemsOf, textOf, unknownId, type ApiResponse } from '../../support/api/api.ts';
import { instant, workflowOf } from '../../support/api/matchers.ts';
import {
  attempt,
  hookUrl,
  newWebhookFixture,
  noDelivery,
  operatedTest,
  orders,
  reviews,
  subscriptionIdOf,
} from './webhook-fixture.ts';

// What operators read of deliveries and subscriptions. Query parameters have their cases in
// `test/api/validation/query.test.ts`, roles in `test/api/operator/roles.test.ts`.

const test = operatedTest.extend(
  'list',
  ({ operate, fixture }) =>
    (query = '') =>
      operate('GET', `deliveries?vendorId=${fixture.vendor.vendorId}${query}`),
);

const idsIn = (response: ApiResponse): readonly unknown[] => {
  const ids = itemsOf(response).map((item) => item['id']);
  expect(response.payload).toMatchObject({ pagination: { totalCount: ids.length } });
  return ids;
};
const bySwitch = 'Switched off by the vendor.';
const failed = { lastHttpStatus: 503, lastErrorSummary: 'http_status 503' };

const pagination = { page: 1, pageSize: 20, totalCount: 1, totalPages: 1 };

test('lists a delivery with its run', async ({ fixture: { sql, emit, vendor }, id, list }) => {
  const deliveryId = await emit(id);
  const response = await list();
  expect(response).toMatchObject({ status: 200, state: 'SUCCESS', details: {} });
  expect(response.payload).toStrictEqual({
    items: [
      {
        id: deliveryId,
        eventId: expect.stringMatching(/^evt_/),
        eventType: orders,
        vendorId: vendor.vendorId,
        subscriptionId: id,
        state: 'waiting',
        attemptCount: 0,
        isTest: false,
        createdAt: instant,
        deadLetteredAt: null,
        recoveredFrom: null,
        lastHttpStatus: null,
        lastErrorSummary: null,
        nextAttemptAt: null,
        subscription: { url: hookUrl, isActive: true, inactiveReason: null },
        workflow: workflowOf(`webhook-delivery/${deliveryId}`),
      },
    ],
    pagination,
  });
  const batchId = unknownId();
  await sql`update webhook_deliveries set batch_id = ${batchId} where id = ${deliveryId}`;
  const workflow = { workflowId: `webhook-delivery-batch/${batchId}` };
  expect(itemsOf(await list())).toMatchObject([{ workflow }]);
});

test('announces no further attempt of a delivery that a deactivation has cancelled', async ({
  fixture,
  id,
  list,
}) => {
  await fixture.delivered(id, 'waiting');
  expect(itemsOf(await list())).toMatchObject([{ state: 'waiting', nextAttemptAt: instant }]);
  await fixture.setActive(id, false);
  expect(itemsOf(await list())).toMatchObject([{ state: 'cancelled', nextAttemptAt: null }]);
});

test('lists the state of each delivery, and filters by it', async ({ fixture, id, list }) => {
  const { delivered, fired, setActive } = fixture;
  const { deliveryId: dead } = await delivered(id, 'deadLettered');
  const { deliveryId: sample } = await fired(id);
  const { deliveryId: done } = await delivered(id, 'succeeded');
  const { deliveryId: ended } = await delivered(id, 'waiting');
  await setActive(id, false);
  const subscription = { isActive: false, inactiveReason: bySwitch };
  const each = { deadLetteredAt: null, isTest: false, attemptCount: 1, subscription };
  expect(itemsOf(await list())).toMatchObject([
    { ...each, id: ended, state: 'cancelled', attemptCount: 2 },
    { ...each, id: done, state: 'succeeded' },
    { ...each, id: sample, state: 'failed', isTest: true },
    { ...each, id: dead, state: 'deadLettered', deadLetteredAt: instant },
  ]);
  expect(idsIn(await list('&state=deadLettered'))).toEqual([dead]);
  expect(idsIn(await list('&state=succeeded'))).toEqual([done]);
  expect(idsIn(await list('&state=waiting'))).toEqual([]);
});

test('filters by event, type and batch', async ({ fixture, id, list }) => {
  const { sql, emit, subscribe } = fixture;
  const first = await emit(id);
  const other = await subscribe();
  const [review, second] = [await emit(id, reviews), await emit(other)];
  const batchId = unknownId();
  await sql`
    insert into webhook_delivery_batches (id, delivery_ids)
    values (${batchId}, ${[first]}), (${batchId}, ${[second]})`;
  await sql`update webhook_deliveries set batch_id = ${batchId} where id = ${first}`;
  const all = itemsOf(await list());
  const eventId = String(all.find((item) => item['id'] === second)?.['eventId']);
  const ofEvent = all.filter((item) => item['eventId'] === eventId).map((item) => item['id']);
  expect(ofEvent).toHaveLength(2);
  const rows: readonly (readonly [query: string, ids: readonly unknown[]])[] = [
    [`eventId=${eventId}`, ofEvent],
    [`eventId=${eventId}&subscriptionId=${other.toUpperCase()}`, [second]],
    [`eventId=%E2%80%8E${eventId.toUpperCase().replace('EVT', 'evt')}`, ofEvent],
    [`eventId=${eventId}&subscriptionId=%E2%80%8E${other}%C2%A0`, [second]],
    [`eventId=evt_${unknownId()}`, []],
    [`eventType=${reviews}&subscriptionId=${id}`, [review]],
    [`batchId=${batchId}`, [second, first]],
    [`batchId=${batchId}&subscriptionId=${other}`, [second]],
    [`batchId=${batchId}&state=succeeded`, []],
    [`subscriptionId=${unknownId()}`, []],
  ];
  for (const [query, ids] of rows) expect(idsIn(await list(`&${query}`)), query).toEqual(ids);
  expect(itemsOf(await list('&pageSize=1&page=2'))).toEqual([all[1]]);
});

test.for([
  'deliveries?state=nope',
  'deliveries?eventId=1',
  'deliveries?subscriptionId=1',
  'deliveries?batchId=evt_1',
  'subscriptions?isActive=yes',
  'subscriptions?vendorId=1',
])('refuses %s', async (path, { operate }) => {
  expect(await operate('GET', path)).toMatchObject({
    state: 'VALIDATION_INVALID_QUERY_PARAMETER',
    details: { parameter: /\?(\w+)/.exec(path)?.[1] },
  });
});

test('shows recovered dead letters', async ({ operate, list, fixture, id }) => {
  const { sql, vendor, delivered } = fixture;
  const { deliveryId: recovered } = await delivered(id, 'deadLettered');
  await operate('POST', `deliveries/${recovered}/redeliver`);
  const { deliveryId: dead } = await delivered(id, 'deadLettered');
  const { deliveryId: waiting } = await delivered(id, 'waiting');
  expect(itemsOf(await list())).toMatchObject([
    { id: waiting, recoveredFrom: null, nextAttemptAt: instant, ...failed },
    { id: dead, state: 'deadLettered', deadLetteredAt: instant, recoveredFrom: null, ...failed },
    { id: recovered, state: 'waiting', deadLetteredAt: null, recoveredFrom: instant, ...failed },
  ]);
  const subscriptions = async () =>
    itemsOf(await operate('GET', `subscriptions?vendorId=${vendor.vendorId}`));
  expect(await subscriptions()).toMatchObject([
    { id, deadLetters: 2, unrecovered: 1, failingSince: instant, ...failed },
  ]);
  await attempt(sql, recovered, 'succeeded');
  const succeeded = { lastHttpStatus: 200, lastErrorSummary: null };
  const shown = { id: recovered, state: 'succeeded', recoveredFrom: instant, ...succeeded };
  const { payload } = await operate('GET', `deliveries/${recovered.toUpperCase()}`);
  expect(payload).toMatchObject(shown);
  expect(await subscriptions()).toMatchObject([
    { deadLetters: 0, unrecovered: 1, failingSince: null, lastHttpStatus: 200 },
  ]);
});

test('shows the error of a receiver, not of a deactivation', async ({ operate, fixture, id }) => {
  const { vendor, emit, delivered, setActive } = fixture;
  await delivered(id, 'waiting');
  for (let count = 0; count < 3; count += 1) await emit(id);
  await setActive(id, false);
  const response = await operate('GET', `subscriptions?vendorId=${vendor.vendorId}`);
  expect(itemsOf(response)).toMatchObject([{ ...failed, unrecovered: 0 }]);
});

test('lists attempts with what was sent and answered', async ({ operate, fixture, id }) => {
  const { sql, send, delivered } = fixture;
  const { deliveryId, attemptId } = await delivered(id, 'waiting');
  const second = await attempt(sql, deliveryId, 'succeeded');
  await delivered(id, 'succeeded');
  await sql`
    insert into webhook_answers (attempt_id, request_headers, headers, body, body_bytes)
    values (${attemptId}, '{"x-key": "[hidden]"}', '{"retry-after": "1"}', 'busy', 4)`;
  const response = await operate('GET', `deliveries/${deliveryId}/attempts`);
  const ofVendor = await send('GET', `/${id}/deliveries/${attemptId}`);
  expect(ofVendor.payload).toMatchObject({ answer: { body: 'busy', bodyBytes: 4 } });
  const succeeded = { id: second, attemptNumber: 2, httpStatus: 200, answer: null };
  expect(itemsOf(response)).toEqual([expect.objectContaining(succeeded), ofVendor.payload]);
  expect(response.text).not.toMatch(/webhook-signature|whsec/);
  const last = await operate('GET', `deliveries/${deliveryId}/attempts?pageSize=1&page=2`);
  expect(itemsOf(last)).toMatchObject([{ id: attemptId }]);
  for (const path of ['1', '1/attempts'])
    expect(await operate('GET', `deliveries/${path}`)).toMatchObject(noDelivery);
});

test('lists subscriptions with their failures, but no secret', async ({ fixture, operate }) => {
  const { create, delivered, send, vendor } = fixture;
  const made = await create({ eventTypes: [orders] });
  const id = subscriptionIdOf(made);
  await delivered(id, 'deadLettered');
  const ofVendor = (await send('GET', `/${id}`)).payload;
  expect(ofVendor).toMatchObject({ id, lastDeliveryStatus: 'DeadLettered' });
  const response = await operate('GET', `subscriptions?vendorId=${vendor.vendorId.toUpperCase()}`);
  expect(response.payload).toStrictEqual({
    items: [
      {
        ...ofVendor,
        inactiveReason: null,
        failingSince: instant,
        deadLetters: 1,
        unrecovered: 1,
        ...failed,
        deletedAt: null,
      },
    ],
    pagination,
  });
  expect(response.text).not.toMatch(/secret|whsec/i);
  expect(response.text).not.toContain(textOf(made, 'secret').slice('whsec_'.length));
});

test('lists all subscriptions, newest first', async ({ gateway, fixture: one, operate }) => {
  const other = await newWebhookFixture(gateway);
  const [first, second] = [await one.subscribe(), await other.subscribe()];
  const third = await one.subscribe();
  await one.remove(first);
  await one.setActive(third, false);
  const newest = itemsOf(await operate('GET', 'subscriptions?pageSize=3'));
  expect(newest.map((item) => item['id'])).toEqual([third, second, first]);
  const own = `subscriptions?vendorId=${one.vendor.vendorId}`;
  expect(itemsOf(await operate('GET', own))).toMatchObject([
    { id: third, isActive: false, inactiveReason: bySwitch, deletedAt: null },
    { id: first, isActive: false, inactiveReason: 'Deleted by the vendor.', deletedAt: instant },
  ]);
  for (const [query, ids] of [
    [`${own}&isActive=false`, [third, first]],
    [`${own}&isActive=true`, []],
    [`${own}&isActive=false&isDeleted=false`, [third]],
    [`${own}&isDeleted=true`, [first]],
    [`subscriptions?vendorId=${other.vendor.vendorId}&isActive=true`, [second]],
  ] as const)
    expect(idsIn(await operate('GET', query)), query).toEqual(ids);
  expect(itemsOf(await operate('GET', `${own}&pageSize=1&page=2`))).toMatchObject([{ id: first }]);
});
