import { expect } from 'vitest';
import type { GroupStatus } from '../../../domain/orders/fulfilment-status.ts';
import { auditOf } from '../offers/offer-record.ts';
import { newVendor } from '../../support/api/actors.ts';
import { fieldErrorsOf, refusal, unknownId } from '../../support/api/api.ts';
import {
  changeTimeOf,
  expectGroupUnchanged,
  firstOf,
  orderTest,
  shipTo,
  succeeded,
} from './order-fixture.ts';

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
  const answer = await assign(id.toUpperCase(), theirs.vendorId.toUpperCase());
  const { vendorId, ...seen } = succeeded(answer).payload ?? {};
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
    const answer = await expectGroupUnchanged(gateway, id, call, { status: 400 });
    expect(fieldErrorsOf(answer)).toEqual([error]);
  }
});

test('of twenty assignments at once to twenty vendors one is made', async ({
  gateway,
  assign,
  waiting: id,
}) => {
  const vendors = await Promise.all(Array.from({ length: 20 }, () => newVendor(gateway)));
  const answers = await Promise.all(vendors.map(({ vendorId }) => assign(id, vendorId)));
  const [made, ...others] = answers.filter(({ status }) => status === 200);
  expect(others).toEqual([]);
  for (const answer of answers.filter(({ status }) => status !== 200))
    expect(answer).toMatchObject(invalidMove('Pending', 'assign'));
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
    expect(await patch(id, { status })).toMatchObject({
      status: 200,
      payload: { status, vendorId: own.vendorId },
    });
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
    await expectGroupUnchanged(gateway, id, () => patch(id, body), expected);
  },
);
