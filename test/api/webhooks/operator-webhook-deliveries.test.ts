import { expect } from 'vitest';
import { newOperator } from '../support/actors.ts';
import { call, itemsOf, refusal, unknownId, type Gateway } from '../support/api.ts';
import {
  delivered,
  emit,
  firedSample,
  newWebhookFixture,
  type WebhookFixture,
} from './webhook-fixture.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';

/** What helpers need of a test's fixtures. */
type Fixtures = {
  readonly gateway: Gateway;
  readonly staff: string;
  readonly fixture: WebhookFixture;
  readonly id: string;
};

const test = gatewayTest
  .extend(
    'staff',
    { scope: 'file' },
    async ({ gateway }) => (await newOperator(gateway, ['Operations'])).token,
  )
  .extend('fixture', ({ gateway }) => newWebhookFixture(gateway))
  .extend('id', ({ fixture }) => fixture.subscribe());

const list = (
  { gateway, staff, fixture }: Pick<Fixtures, 'gateway' | 'staff' | 'fixture'>,
  query = '',
  token = staff,
) =>
  call(
    gateway,
    'GET',
    `/operator/v1/webhook-deliveries?vendorId=${fixture.vendor.vendorId}${query}`,
    {
      token,
    },
  );
const deliver = (
  { gateway, fixture, id }: Pick<Fixtures, 'gateway' | 'fixture' | 'id'>,
  state: 'waiting' | 'succeeded' | 'deadLettered',
) => delivered(gateway.sql, fixture.vendor.vendorId, id, state);

test('a delivery is listed to the letter', async ({ gateway, staff, fixture, id }) => {
  const deliveryId = await emit(gateway.sql, fixture.vendor.vendorId, id);
  const workflowId = `webhook-delivery/${deliveryId}`;
  const path = `/namespaces/default/workflows/${encodeURIComponent(workflowId)}`;
  const answer = await list({ gateway, staff, fixture });
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
});

test('how each came out, how many attempts it had, and whether it was a sample', async ({
  gateway,
  staff,
  fixture,
  id,
}) => {
  const { deliveryId: dead } = await deliver({ gateway, fixture, id }, 'deadLettered');
  const { deliveryId: sample } = await firedSample(gateway.sql, fixture.vendor.vendorId, id);
  const { deliveryId: done } = await deliver({ gateway, fixture, id }, 'succeeded');
  const { deliveryId: ended } = await deliver({ gateway, fixture, id }, 'waiting');
  await fixture.send('PATCH', `/${id}/active`, { isActive: false });
  const subscription = { isActive: false, inactiveReason: 'Switched off by the vendor.' };
  const each = { deadLetteredAt: null, isTest: false, attemptCount: 1, subscription };
  expect(itemsOf(await list({ gateway, staff, fixture }))).toMatchObject([
    { ...each, id: ended, state: 'cancelled', attemptCount: 2 },
    { ...each, id: done, state: 'succeeded' },
    { ...each, id: sample, state: 'failed', isTest: true },
    { ...each, id: dead, state: 'deadLettered', deadLetteredAt: expect.stringMatching(/Z$/) },
  ]);
  for (const [state, expected] of [
    ['deadLettered', [dead]],
    ['succeeded', [done]],
    ['waiting', []],
  ] as const) {
    const found = await list({ gateway, staff, fixture }, `&state=${state}`);
    expect(itemsOf(found).map((item) => item['id'])).toEqual(expected);
    expect(found.payload).toMatchObject({ pagination: { totalCount: expected.length } });
  }
});

test('one whose first attempts a batch makes links to the run that makes them', async ({
  gateway,
  staff,
  fixture,
  id,
}) => {
  const deliveryId = await emit(gateway.sql, fixture.vendor.vendorId, id);
  const batchId = unknownId();
  await gateway.sql`update webhook_deliveries set batch_id = ${batchId} where id = ${deliveryId}`;
  const [item] = itemsOf(await list({ gateway, staff, fixture }));
  expect(item).toMatchObject({ workflow: { workflowId: `webhook-delivery-batch/${batchId}` } });
});

test('it filters by event, subscription and delivery batch, also of those that left it', async ({
  gateway,
  staff,
  fixture,
  id,
}) => {
  const { vendorId } = fixture.vendor;
  const other = await fixture.subscribe();
  const first = await emit(gateway.sql, vendorId, id);
  const second = await emit(gateway.sql, vendorId, other);
  const batchId = unknownId();
  await gateway.sql`
    insert into webhook_delivery_batches (id, delivery_ids)
    values (${batchId}, ${[first]}), (${batchId}, ${[second]})`;
  await gateway.sql`update webhook_deliveries set batch_id = ${batchId} where id = ${first}`;
  const found = async (query: string) => {
    const answer = await list({ gateway, staff, fixture }, query);
    const { totalCount } = (answer.payload as { pagination: { totalCount: number } }).pagination;
    const ids = itemsOf(answer).map((item) => item['id']);
    expect(totalCount).toBe(ids.length);
    return ids;
  };
  const all = itemsOf(await list({ gateway, staff, fixture }));
  const eventIdOf = (deliveryId: string) =>
    String(all.find((item) => item['id'] === deliveryId)?.['eventId']);

  const ofEvent = await found(`&eventId=${eventIdOf(first)}`);
  expect(ofEvent).toContain(first);
  expect(
    all.filter(({ eventId }) => eventId === eventIdOf(first)).map((item) => item['id']),
  ).toEqual(ofEvent);
  expect(await found(`&eventId=${eventIdOf(first)}&subscriptionId=${id.toUpperCase()}`)).toEqual([
    first,
  ]);
  expect(await found(`&batchId=${batchId}`)).toEqual([second, first]);
  expect(await found(`&batchId=${batchId}&subscriptionId=${other}`)).toEqual([second]);
  expect(await found(`&batchId=${batchId}&state=succeeded`)).toEqual([]);
  expect(await found(`&subscriptionId=${unknownId()}`)).toEqual([]);
  expect(await found(`&eventId=evt_${unknownId()}`)).toEqual([]);
  for (const query of ['eventId=1', `eventId=${first}`, 'subscriptionId=1', 'batchId=evt_1'])
    expect(await list({ gateway, staff, fixture }, `&${query}`)).toMatchObject({
      status: 400,
      state: 'VALIDATION_INVALID_QUERY_PARAMETER',
      details: { parameter: query.split('=')[0] },
    });
});

test('it filters by event type, pages, and is for Operations', async ({
  gateway,
  staff,
  fixture,
  id,
}) => {
  const own = await emit(gateway.sql, fixture.vendor.vendorId, id);
  const review = await emit(
    gateway.sql,
    fixture.vendor.vendorId,
    id,
    'vendor.offer.review-decision',
  );
  const ids = async (query: string) =>
    itemsOf(await list({ gateway, staff, fixture }, query)).map((item) => item['id']);
  expect(await ids('&eventType=vendor.order.assigned')).toEqual([own]);
  expect(await ids('&pageSize=1')).toEqual([review]);
  expect(await ids('&pageSize=1&page=2')).toEqual([own]);
  expect((await list({ gateway, staff, fixture }, '&state=nope')).state).toBe(
    'VALIDATION_INVALID_QUERY_PARAMETER',
  );
  const { token } = await newOperator(gateway, ['Reviewer']);
  expect(await list({ gateway, staff, fixture }, '', token)).toMatchObject(
    refusal('FORBIDDEN', { requiredRole: 'Operations' }),
  );
});
