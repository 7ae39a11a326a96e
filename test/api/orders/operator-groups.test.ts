import { expect } from 'vitest';
import type { GroupStatus } from '../../../domain/orders/fulfilment-status.ts';
import { newVendor, type TestVendor } from '../../support/api/actors.ts';
import {
  fieldErrorsOf,
  refusal,
  succeeded,
  unknownId,
  type Gateway,
} from '../../support/api/api.ts';
import { whileFailing } from '../../support/database/failing.ts';
import { addSubscription } from '../../db/support.ts';
import { auditOf } from '../offers/offer-record.ts';
import { changeTimeOf, expectUnchanged, firstOf, orderTest, shipTo } from './order-fixture.ts';

// Operators assign and change groups. Which status allows which move has its cases in
// `test/domain/orders`.

const test = orderTest
  .extend('waiting', ({ fixture, vendor }) => fixture.groupIn('PendingSourcing', vendor))
  .extend(
    'assign',
    ({ fixture }) =>
      (id: string, vendorId: unknown) =>
        fixture.operate('POST', `/groups/${id}/assign`, { vendorId }),
  )
  .extend(
    'patch',
    ({ fixture }) =>
      (id: string, body: unknown) =>
        fixture.operate('PATCH', `/groups/${id}`, body),
  );

const invalidMove = (status: GroupStatus, action: string) =>
  refusal('BUSINESS_FULFILMENT_GROUP_INVALID_TRANSITION', { status, action });

const on = (field: string, code: string) => ({
  status: 400,
  details: { errors: [{ field, code }] },
});

test('assigns a waiting group to a vendor, who finds it in the list', async ({
  gateway,
  fixture,
  assign,
  waiting: id,
}) => {
  const theirs = await newVendor(gateway);
  const before = await changeTimeOf(gateway, id);
  const response = await assign(id.toUpperCase(), theirs.vendorId.toUpperCase());
  const { vendorId, ...seen } = succeeded(response).payload ?? {};
  expect({ vendorId, ...seen }).toMatchObject({
    vendorId: theirs.vendorId,
    groupId: id,
    status: 'Pending',
    shipRecipient: shipTo.recipient,
  });
  const list = await fixture.send(theirs, 'GET', '');
  expect(list.payload).toMatchObject({ items: [seen], pagination: { totalCount: 1 } });
  expect((await changeTimeOf(gateway, id)) > before).toBe(true);
  const shipping = { trackingRef: null, carrier: 'CarrierA', carrierNameOther: null };
  expect(await auditOf(gateway.sql, id)).toMatchObject([
    {
      operatorId: fixture.operator.id,
      action: 'group.assign',
      subjectType: 'group',
      before: { vendorId: null, status: 'PendingSourcing', ...shipping },
      after: { vendorId: theirs.vendorId, status: 'Pending', ...shipping },
    },
  ]);
});

test('assigns no vendor that is unknown, inactive or malformed, and stores nothing', async ({
  gateway,
  assign,
  waiting: id,
}) => {
  const inactive = await newVendor(gateway, { isActive: false });
  for (const [vendorId, error] of [
    [unknownId(), 'VendorId unknown'],
    [inactive.vendorId, 'VendorId unknown'],
    [undefined, 'VendorId required'],
    [null, 'VendorId invalid_type'],
    ['x', 'VendorId invalid_uuid'],
  ] as const) {
    const call = () => assign(id, vendorId);
    const response = await expectUnchanged(gateway, call, { status: 400 });
    expect(fieldErrorsOf(response)).toEqual([error]);
  }
});

test('assigns a group to one vendor by twenty concurrent calls for twenty vendors', async ({
  gateway,
  assign,
  waiting: id,
}) => {
  const vendors = await Promise.all(Array.from({ length: 20 }, () => newVendor(gateway)));
  const responses = await Promise.all(vendors.map(({ vendorId }) => assign(id, vendorId)));
  const [made, ...others] = responses.filter(({ status }) => status === 200);
  expect(others).toEqual([]);
  for (const response of responses.filter(({ status }) => status !== 200))
    expect(response).toMatchObject(invalidMove('Pending', 'assign'));
  const rows = await gateway.sql`select vendor_id, status from fulfilment_groups where id = ${id}`;
  expect(rows).toMatchObject([{ vendorId: made?.payload?.['vendorId'], status: 'Pending' }]);
  expect(await auditOf(gateway.sql, id)).toHaveLength(1);
  const notified = await gateway.sql`
    select vendor_id from webhook_events where vendor_id = any(${vendors.map((one) => one.vendorId)})`;
  expect(notified).toEqual([{ vendorId: made?.payload?.['vendorId'] }]);
});

test('moves a group through each status, with its times and an audit entry each', async ({
  gateway,
  fixture,
  patch,
}) => {
  const own = await newVendor(gateway);
  const id = await fixture.groupIn('Pending', own);
  const steps = ['Packed', 'Shipped', 'Delivered', 'Returned'] as const;
  for (const status of steps) {
    const before = await changeTimeOf(gateway, id);
    expect(await patch(id, { status })).toMatchObject({ status: 200, payload: { status } });
    expect((await changeTimeOf(gateway, id)) > before).toBe(true);
  }
  const { payload } = await fixture.send(own, 'GET', '?status=Returned');
  const instant = expect.stringMatching(/Z$/);
  expect(payload).toMatchObject({
    items: [{ groupId: id, packedAt: instant, shippedAt: instant, deliveredAt: instant }],
  });
  const audit = await auditOf(gateway.sql, id);
  expect(
    audit.map(({ action, before, after }) => [action, before?.['status'], after?.['status']]),
  ).toEqual(steps.map((status, index) => ['group.update', steps[index - 1] ?? 'Pending', status]));
});

test("sets status and shipping at once, also of the service's own group", async ({
  gateway,
  fixture,
  patch,
}) => {
  const { groupId: id } = firstOf((await fixture.take({ vendorId: null })).groups);
  const body = { trackingRef: 'T-1', carrier: 'Other', carrierNameOther: 'Van' };
  expect(await patch(id, { status: 'Shipped', ...body })).toMatchObject({
    status: 200,
    payload: { status: 'Shipped', vendorId: null, ...body },
  });
  expect(await auditOf(gateway.sql, id)).toMatchObject([
    {
      action: 'group.update',
      before: { vendorId: null, status: 'Pending', trackingRef: null, carrier: 'CarrierA' },
      after: { vendorId: null, status: 'Shipped', ...body },
    },
  ]);
});

const same = { status: 200, payload: { status: 'Packed' } };

test.for<[object, object]>([
  [{}, same],
  [{ status: null, trackingRef: null }, same],
  [{ carrier: 'CarrierA', trackingRef: '' }, same],
  [{ status: 'packed' }, on('Status', 'not_allowed')],
  [{ vendorOrderId: 'V-1' }, on('VendorOrderId', 'unknown_field')],
  [{ carrier: 'Other', status: 'Shipped' }, on('CarrierNameOther', 'required')],
  [{ carrierNameOther: 'Van' }, on('CarrierNameOther', 'not_allowed')],
  // The shipping neither.
  [{ status: 'Pending', trackingRef: 'T' }, invalidMove('Packed', 'set Pending')],
])(
  'stores nothing by the update %o',
  async ([body, expected], { gateway, fixture, vendor, patch }) => {
    const id = await fixture.groupIn('Packed', vendor);
    await expectUnchanged(gateway, () => patch(id, body), expected);
  },
);

// `vendor.order.assigned`: once for each group that becomes a vendor's, in the transaction that
// makes it so (D47).

async function newSubscriber(gateway: Gateway): Promise<TestVendor> {
  const vendor = await newVendor(gateway);
  await addSubscription(gateway.sql, vendor.vendorId, ['vendor.order.assigned']);
  return vendor;
}
const eventsOf = (gateway: Gateway, { vendorId }: TestVendor) => gateway.sql<
  { id: string; body: string; groupId: string }[]
>`
  select id, body, body::jsonb #>> '{data,groupId}' as group_id from webhook_events
  where vendor_id = ${vendorId} order by id`;
const groupsOf = async (gateway: Gateway, vendor: TestVendor) =>
  (await eventsOf(gateway, vendor)).map(({ groupId }) => groupId);
const deliveriesOf = (gateway: Gateway, { vendorId }: TestVendor) => gateway.sql`
  select from webhook_deliveries join delivery_queue on delivery_id = webhook_deliveries.id
  where webhook_deliveries.vendor_id = ${vendorId}`;

test.for(['order intake', 'assignment'])(
  'emits one event with exactly these fields by %s, to the vendor only',
  async (way, { gateway, fixture, assign }) => {
    const [vendor, sibling] = [await newSubscriber(gateway), await newSubscriber(gateway)];
    const lines = [
      { variantId: fixture.variantId, quantity: 3 },
      { variantId: fixture.variantId, quantity: 1 },
    ];
    const isIntake = way === 'order intake';
    const given = isIntake ? { vendorId: vendor.vendorId } : { sourcing: true };
    const order = await fixture.take({ ...given, lines }, { vendorId: sibling.vendorId });
    const group = firstOf(order.groups);
    if (!isIntake) {
      expect(await eventsOf(gateway, vendor)).toEqual([]);
      succeeded(await assign(group.groupId, vendor.vendorId));
    }
    const events = await eventsOf(gateway, vendor);
    expect(events).toHaveLength(1);
    const { id, body } = firstOf(events);
    expect(JSON.parse(body)).toStrictEqual({
      eventId: id,
      eventType: 'vendor.order.assigned',
      occurredAt: expect.stringMatching(/^\d{4}-.*Z$/),
      apiVersion: 'v1',
      vendorId: vendor.vendorId,
      test: false,
      data: {
        groupId: group.groupId,
        orderGlobalId: order.orderGlobalId,
        status: 'Pending',
        lines: group.lines,
      },
      sequence: 1,
    });
    expect(id).toMatch(/^evt_[\da-f]{8}-[\da-f]{4}-7/);
    expect(await deliveriesOf(gateway, vendor)).toHaveLength(1);
  },
);

test('emits an event for each group of an order to the vendor of the group only', async ({
  gateway,
  fixture,
}) => {
  const [one, other] = [await newSubscriber(gateway), await newSubscriber(gateway)];
  const { groups } = await fixture.take(
    { vendorId: one.vendorId },
    { vendorId: null },
    { vendorId: other.vendorId },
    { sourcing: true },
    { vendorId: one.vendorId },
  );
  const [first, , second, , third] = groups.map(({ groupId }) => groupId);
  expect((await groupsOf(gateway, one)).toSorted()).toEqual([first, third].map(String).toSorted());
  expect(await groupsOf(gateway, other)).toEqual([second]);
});

test('emits no event and leaves no row by an assignment or order that is rolled back', async ({
  gateway,
  fixture,
  assign,
}) => {
  const vendor = await newSubscriber(gateway);
  const { groupId } = firstOf((await fixture.take({ sourcing: true })).groups);
  await whileFailing(gateway.sql, 'insert on audit_log', async () => {
    expect(await assign(groupId, vendor.vendorId)).toMatchObject({ status: 500 });
    const body = fixture.bodyOf({ vendorId: vendor.vendorId });
    expect(await fixture.operate('POST', '/orders', body)).toMatchObject({ status: 500 });
  });
  expect(await eventsOf(gateway, vendor)).toEqual([]);
  expect((await fixture.send(vendor, 'GET', '')).payload).toMatchObject({ items: [] });
  succeeded(await assign(groupId, vendor.vendorId));
  expect(await groupsOf(gateway, vendor)).toEqual([groupId]);
});
