import { expect } from 'vitest';
import { newOperator } from '../../support/api/actors.ts';
import { call, itemsOf, textOf, unknownId, type Answer } from '../../support/api/api.ts';
import { instant, runsUrlOf } from '../../support/api/matchers.ts';
import {
  hookUrl,
  newWebhookFixture,
  orders,
  reviews,
  subscriptionIdOf,
  webhookTest,
} from './webhook-fixture.ts';

// Operators' lists of deliveries and subscriptions. Query parameters have their cases in
// `test/api/validation/query.test.ts`, roles in `test/api/operator/roles.test.ts`.

const test = webhookTest
  .extend('read', { scope: 'file' }, async ({ gateway }) => {
    const { token } = await newOperator(gateway, ['Operations']);
    return (path: string): Promise<Answer> =>
      call(gateway, 'GET', `/operator/v1/webhook-${path}`, { token });
  })
  .extend(
    'list',
    ({ read, fixture }) =>
      (query = '') =>
        read(`deliveries?vendorId=${fixture.vendor.vendorId}${query}`),
  );

const idsIn = (answer: Answer): readonly unknown[] => {
  const ids = itemsOf(answer).map((item) => item['id']);
  expect(answer.payload).toMatchObject({ pagination: { totalCount: ids.length } });
  return ids;
};
const bySwitch = 'Switched off by the vendor.';

test('lists a delivery with its run', async ({ fixture: { sql, emit, vendor }, id, list }) => {
  const deliveryId = await emit(id);
  const workflowId = `webhook-delivery/${deliveryId}`;
  const path = `/namespaces/default/workflows/${encodeURIComponent(workflowId)}`;
  const answer = await list();
  expect(answer).toMatchObject({ status: 200, state: 'SUCCESS', details: {} });
  expect(answer.payload).toStrictEqual({
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
        workflow: {
          workflowId,
          url: `http://temporal-ui.test${path}`,
          runsUrl: runsUrlOf(workflowId),
        },
      },
    ],
    pagination: { page: 1, pageSize: 20, totalCount: 1, totalPages: 1 },
  });
  const batchId = unknownId();
  await sql`update webhook_deliveries set batch_id = ${batchId} where id = ${deliveryId}`;
  const workflow = { workflowId: `webhook-delivery-batch/${batchId}` };
  expect(itemsOf(await list())).toMatchObject([{ workflow }]);
});

test('lists the state of each delivery, and filters by it', async ({
  fixture: { delivered, fired, setActive },
  id,
  list,
}) => {
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

test('filters by event, type and batch', async ({
  fixture: { sql, emit, subscribe },
  id,
  list,
}) => {
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
])('refuses %s', async (path, { read }) => {
  expect(await read(path)).toMatchObject({
    state: 'VALIDATION_INVALID_QUERY_PARAMETER',
    details: { parameter: /\?(\w+)/.exec(path)?.[1] },
  });
});

test('lists failures, but no secret', async ({ fixture: { create, delivered, vendor }, read }) => {
  const made = await create({ eventTypes: [orders] });
  const id = subscriptionIdOf(made);
  await delivered(id, 'deadLettered');
  const answer = await read(`subscriptions?vendorId=${vendor.vendorId.toUpperCase()}`);
  expect(answer.payload).toStrictEqual({
    items: [
      {
        id,
        vendorId: vendor.vendorId,
        url: hookUrl,
        eventTypes: [orders],
        isActive: true,
        lastDeliveryAt: instant,
        lastDeliveryStatus: 'DeadLettered',
        createdAt: instant,
        headerNames: [],
        inactiveReason: null,
        failingSince: instant,
        deadLetters: 1,
        unrecovered: 1,
        lastHttpStatus: 503,
        lastErrorSummary: 'http_status 503',
        deletedAt: null,
      },
    ],
    pagination: { page: 1, pageSize: 20, totalCount: 1, totalPages: 1 },
  });
  expect(answer.text).not.toMatch(/secret|whsec/i);
  expect(answer.text).not.toContain(textOf(made, 'secret').slice('whsec_'.length));
});

test('lists all subscriptions, newest first', async ({ gateway, fixture: one, read }) => {
  const other = await newWebhookFixture(gateway);
  const first = await one.subscribe();
  const second = await other.subscribe();
  const third = await one.subscribe();
  await one.remove(first);
  await one.setActive(third, false);
  const newest = itemsOf(await read('subscriptions?pageSize=3'));
  expect(newest.map((item) => item['id'])).toEqual([third, second, first]);
  const own = `subscriptions?vendorId=${one.vendor.vendorId}`;
  expect(itemsOf(await read(own))).toMatchObject([
    { id: third, isActive: false, inactiveReason: bySwitch, deletedAt: null },
    { id: first, isActive: false, inactiveReason: 'Deleted by the vendor.', deletedAt: instant },
  ]);
  expect(idsIn(await read(`${own}&isActive=false`))).toEqual([third, first]);
  expect(idsIn(await read(`${own}&isActive=true`))).toEqual([]);
  expect(idsIn(await read(`${own}&isActive=false&isDeleted=false`))).toEqual([third]);
  expect(idsIn(await read(`${own}&isDeleted=true`))).toEqual([first]);
  const { vendorId } = other.vendor;
  expect(idsIn(await read(`subscriptions?vendorId=${vendorId}&isActive=true`))).toEqual([second]);
  expect(itemsOf(await read(`${own}&pageSize=1&page=2`))).toMatchObject([{ id: first }]);
});
