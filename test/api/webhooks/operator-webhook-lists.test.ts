import { expect } from 'vitest';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';
import { newOperator } from '../support/actors.ts';
import { call, itemsOf, textOf, unknownId, type Answer } from '../support/api.ts';
import { instant } from '../support/matchers.ts';
import {
  delivered,
  emit,
  firedSample,
  hookUrl,
  newWebhookFixture,
  subscriptionIdOf,
} from './webhook-fixture.ts';

// Operators' lists of deliveries and subscriptions. Query parameters have their cases in
// `test/api/validation/query.test.ts`, roles in `test/api/operator/roles.test.ts`.

const test = gatewayTest
  .extend('read', { scope: 'file' }, async ({ gateway }) => {
    const { token } = await newOperator(gateway, ['Operations']);
    return (path: string): Promise<Answer> =>
      call(gateway, 'GET', `/operator/v1/webhook-${path}`, { token });
  })
  .extend('fixture', ({ gateway }) => newWebhookFixture(gateway))
  .extend('id', ({ fixture }) => fixture.subscribe())
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

test('lists a delivery with its subscription and its run', async ({
  gateway: { sql },
  fixture,
  id,
  list,
}) => {
  const deliveryId = await emit(sql, fixture.vendor.vendorId, id);
  const workflowId = `webhook-delivery/${deliveryId}`;
  const path = `/namespaces/default/workflows/${encodeURIComponent(workflowId)}`;
  const answer = await list();
  expect(answer).toMatchObject({ status: 200, state: 'SUCCESS', details: {} });
  expect(answer.payload).toStrictEqual({
    items: [
      {
        id: deliveryId,
        eventId: expect.stringMatching(/^evt_/),
        eventType: 'vendor.order.assigned',
        vendorId: fixture.vendor.vendorId,
        subscriptionId: id,
        state: 'waiting',
        attemptCount: 0,
        isTest: false,
        createdAt: expect.stringMatching(/Z$/),
        deadLetteredAt: null,
        subscription: { isActive: true, inactiveReason: null },
        workflow: {
          workflowId,
          url: `http://temporal-ui.test${path}`,
          runsUrl:
            'http://temporal-ui.test/namespaces/default/workflows' +
            `?query=WorkflowId%3D%22webhook-delivery%2F${deliveryId}%22`,
        },
      },
    ],
    pagination: { page: 1, pageSize: 20, totalCount: 1, totalPages: 1 },
  });
  const batchId = unknownId();
  await sql`update webhook_deliveries set batch_id = ${batchId} where id = ${deliveryId}`;
  expect(itemsOf(await list())).toMatchObject([
    { workflow: { workflowId: `webhook-delivery-batch/${batchId}` } },
  ]);
});

test('lists the state of each delivery, and filters by it', async ({
  gateway: { sql },
  fixture,
  id,
  list,
}) => {
  const { vendorId } = fixture.vendor;
  const { deliveryId: dead } = await delivered(sql, vendorId, id, 'deadLettered');
  const { deliveryId: sample } = await firedSample(sql, vendorId, id);
  const { deliveryId: done } = await delivered(sql, vendorId, id, 'succeeded');
  const { deliveryId: ended } = await delivered(sql, vendorId, id, 'waiting');
  await fixture.send('PATCH', `/${id}/active`, { isActive: false });
  const subscription = { isActive: false, inactiveReason: 'Switched off by the vendor.' };
  const each = { deadLetteredAt: null, isTest: false, attemptCount: 1, subscription };
  expect(itemsOf(await list())).toMatchObject([
    { ...each, id: ended, state: 'cancelled', attemptCount: 2 },
    { ...each, id: done, state: 'succeeded' },
    { ...each, id: sample, state: 'failed', isTest: true },
    { ...each, id: dead, state: 'deadLettered', deadLetteredAt: expect.stringMatching(/Z$/) },
  ]);
  expect(idsIn(await list('&state=deadLettered'))).toEqual([dead]);
  expect(idsIn(await list('&state=succeeded'))).toEqual([done]);
  expect(idsIn(await list('&state=waiting'))).toEqual([]);
});

test('filters by event, event type, subscription and batch, also of those that left it', async ({
  gateway: { sql },
  fixture,
  id,
  list,
}) => {
  const { vendorId } = fixture.vendor;
  const first = await emit(sql, vendorId, id);
  const other = await fixture.subscribe();
  const [review, second] = [
    await emit(sql, vendorId, id, 'vendor.offer.review-decision'),
    await emit(sql, vendorId, other),
  ];
  const batchId = unknownId();
  await sql`
    insert into webhook_delivery_batches (id, delivery_ids)
    values (${batchId}, ${[first]}), (${batchId}, ${[second]})`;
  await sql`update webhook_deliveries set batch_id = ${batchId} where id = ${first}`;
  const all = itemsOf(await list());
  const eventId = String(all.find((item) => item['id'] === second)?.['eventId']);
  const ofEvent = all.filter((item) => item['eventId'] === eventId).map((item) => item['id']);
  expect(ofEvent).toHaveLength(2);
  const found = async (query: string) => idsIn(await list(`&${query}`));

  expect(await found(`eventId=${eventId}`)).toEqual(ofEvent);
  expect(await found(`eventId=${eventId}&subscriptionId=${other.toUpperCase()}`)).toEqual([second]);
  expect(await found(`eventId=evt_${unknownId()}`)).toEqual([]);
  expect(await found(`eventType=vendor.offer.review-decision&subscriptionId=${id}`)).toEqual([
    review,
  ]);
  expect(await found(`batchId=${batchId}`)).toEqual([second, first]);
  expect(await found(`batchId=${batchId}&subscriptionId=${other}`)).toEqual([second]);
  expect(await found(`batchId=${batchId}&state=succeeded`)).toEqual([]);
  expect(await found(`subscriptionId=${unknownId()}`)).toEqual([]);
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

test('lists a subscription with its failures and without its secret', async ({
  gateway: { sql },
  fixture: { send, vendor },
  read,
}) => {
  const made = await send('POST', '', { url: hookUrl, eventTypes: ['vendor.order.assigned'] });
  const id = subscriptionIdOf(made);
  await delivered(sql, vendor.vendorId, id, 'deadLettered');
  const answer = await read(`subscriptions?vendorId=${vendor.vendorId.toUpperCase()}`);
  expect(answer.payload).toStrictEqual({
    items: [
      {
        id,
        vendorId: vendor.vendorId,
        url: hookUrl,
        eventTypes: ['vendor.order.assigned'],
        isActive: true,
        lastDeliveryAt: instant,
        lastDeliveryStatus: 'DeadLettered',
        createdAt: instant,
        headerNames: [],
        inactiveReason: null,
        failingSince: instant,
        deadLetters: 1,
        deletedAt: null,
      },
    ],
    pagination: { page: 1, pageSize: 20, totalCount: 1, totalPages: 1 },
  });
  expect(answer.text).not.toMatch(/secret|whsec/i);
  expect(answer.text).not.toContain(textOf(made, 'secret').slice('whsec_'.length));
});

test('lists the subscriptions of every vendor newest first, deleted ones too', async ({
  gateway,
  fixture: one,
  read,
}) => {
  const other = await newWebhookFixture(gateway);
  const first = await one.subscribe();
  const second = await other.subscribe();
  const third = await one.subscribe();
  await one.send('DELETE', `/${first}`);
  await one.send('PATCH', `/${third}/active`, { isActive: false });
  const newest = itemsOf(await read('subscriptions?pageSize=3'));
  expect(newest.map((item) => item['id'])).toEqual([third, second, first]);
  const own = `subscriptions?vendorId=${one.vendor.vendorId}`;
  expect(itemsOf(await read(own))).toMatchObject([
    { id: third, isActive: false, inactiveReason: 'Switched off by the vendor.', deletedAt: null },
    { id: first, isActive: false, inactiveReason: 'Deleted by the vendor.', deletedAt: instant },
  ]);
  expect(idsIn(await read(`${own}&isActive=false`))).toEqual([third, first]);
  expect(idsIn(await read(`${own}&isActive=true`))).toEqual([]);
  const { vendorId } = other.vendor;
  expect(idsIn(await read(`subscriptions?vendorId=${vendorId}&isActive=true`))).toEqual([second]);
  expect(itemsOf(await read(`${own}&pageSize=1&page=2`))).toMatchObject([{ id: first }]);
});
