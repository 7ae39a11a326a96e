import { describe, expect } from 'vitest';
import { groupStatuses, type GroupStatus } from '../../../domain/orders/fulfilment-status.ts';
import { newVendor, type TestVendor } from '../support/actors.ts';
import {
  changeTimeOf,
  firstOf,
  expectGroupUnchanged,
  newOrderFixture,
  shipTo,
  succeeded,
  type OrderFixture,
} from './order-fixture.ts';
import { fieldErrorsOf, refusal, unknownId } from '../support/api.ts';
import { auditOf } from '../offers/offer-record.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';

const test = gatewayTest
  .extend('fixture', { scope: 'file' }, ({ gateway }) => newOrderFixture(gateway))
  .extend('vendor', { scope: 'file' }, ({ gateway }) => newVendor(gateway));

const assign = (fixture: OrderFixture, id: string, vendorId: unknown) =>
  fixture.operate('POST', `/groups/${id}/assign`, { vendorId });
const patch = (fixture: OrderFixture, id: string, body: unknown) =>
  fixture.operate('PATCH', `/groups/${id}`, body);
const waiting = (fixture: OrderFixture, vendor: TestVendor) =>
  fixture.groupIn('PendingSourcing', vendor);
const invalidMove = (status: GroupStatus, action: string) =>
  refusal('BUSINESS_FULFILMENT_GROUP_INVALID_TRANSITION', { status, action });

describe('assign', () => {
  test('makes a group that waits for a source a vendor’s, who finds it in the list', async ({
    gateway,
    fixture,
    vendor,
  }) => {
    const theirs = await newVendor(gateway);
    const id = await waiting(fixture, vendor);
    const before = await changeTimeOf(gateway, id);
    const answer = await assign(fixture, id, theirs.vendorId.toUpperCase());
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
    const audit = await auditOf(gateway.sql, id);
    const shipping = { trackingRef: null, carrier: 'CarrierA', carrierNameOther: null };
    expect(audit).toMatchObject([
      {
        operatorId: fixture.operator.id,
        action: 'group.assign',
        subjectType: 'group',
        before: { vendorId: null, status: 'PendingSourcing', ...shipping },
        after: { vendorId: theirs.vendorId, status: 'Pending', ...shipping },
      },
    ]);
  });

  test.for(groupStatuses.filter((status) => status !== 'PendingSourcing'))(
    'is refused for a group that is %s',
    async (status, { gateway, fixture, vendor }) => {
      const id = await fixture.groupIn(status, vendor);
      const { vendorId } = await newVendor(gateway);
      await expectGroupUnchanged(
        gateway,
        id,
        () => assign(fixture, id, vendorId),
        invalidMove(status, 'assign'),
      );
    },
  );

  test("is refused for the service's own group, and for a waiting one that was cancelled", async ({
    gateway,
    fixture,
    vendor,
  }) => {
    const { groups } = await fixture.take({ vendorId: null }, { sourcing: true });
    const [own = '', cancelled = ''] = groups.map(({ groupId }) => groupId);
    await expectGroupUnchanged(
      gateway,
      own,
      () => assign(fixture, own, vendor.vendorId),
      invalidMove('Pending', 'assign'),
    );
    succeeded(await patch(fixture, cancelled, { status: 'Cancelled' }));
    await expectGroupUnchanged(
      gateway,
      cancelled,
      () => assign(fixture, cancelled, vendor.vendorId),
      invalidMove('Cancelled', 'assign'),
    );
  });

  test.for(['unknown', 'inactive'])(
    'is refused for a vendor who is %s',
    async (kind, { gateway, fixture, vendor }) => {
      const id = await waiting(fixture, vendor);
      const vendorId =
        kind === 'unknown' ? unknownId() : (await newVendor(gateway, { isActive: false })).vendorId;
      const expected = { status: 400, state: 'VALIDATION_ERRORS' };
      const answer = await expectGroupUnchanged(
        gateway,
        id,
        () => assign(fixture, id, vendorId),
        expected,
      );
      expect(fieldErrorsOf(answer)).toEqual(['VendorId unknown']);
    },
  );

  test('of twenty at once to twenty vendors one is made', async ({ gateway, fixture, vendor }) => {
    const vendors = await Promise.all(Array.from({ length: 20 }, () => newVendor(gateway)));
    const id = await waiting(fixture, vendor);
    const answers = await Promise.all(vendors.map(({ vendorId }) => assign(fixture, id, vendorId)));
    const [made, ...others] = answers.filter(({ status }) => status === 200);
    expect(others).toEqual([]);
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expect(answer).toMatchObject(invalidMove('Pending', 'assign'));
    }
    const rows =
      await gateway.sql`select vendor_id, status from fulfilment_groups where id = ${id}`;
    expect(rows).toMatchObject([{ vendorId: made?.payload?.['vendorId'], status: 'Pending' }]);
    expect(await auditOf(gateway.sql, id)).toHaveLength(1);
  });

  test.for<[unknown, readonly string[]]>([
    [{}, ['VendorId required']],
    [{ vendorId: null }, ['VendorId invalid_type']],
    [{ vendorId: 'x', carrier: 'CarrierA' }, ['Carrier unknown_field', 'VendorId invalid_uuid']],
  ] as const)('of %j is refused for its shape', async ([body, errors], { fixture, vendor }) => {
    const id = await waiting(fixture, vendor);
    const answer = await fixture.operate('POST', `/groups/${id}/assign`, body);
    expect(answer).toMatchObject({ status: 400, state: 'VALIDATION_ERRORS' });
    expect(fieldErrorsOf(answer)).toEqual(errors);
  });
});

describe('what an operator sets', () => {
  test('moves a group all the way, each step dated and in the audit log', async ({
    gateway,
    fixture,
  }) => {
    const own = await newVendor(gateway);
    const id = await fixture.groupIn('Pending', own);
    const steps = ['Packed', 'Shipped', 'Delivered', 'Returned'] as const;
    for (const status of steps) {
      const before = await changeTimeOf(gateway, id);
      expect(await patch(fixture, id, { status })).toMatchObject({
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
    ).toEqual(
      steps.map((status, index) => ['group.update', steps[index - 1] ?? 'Pending', status]),
    );
  });

  const allowed: Readonly<Record<GroupStatus, readonly GroupStatus[]>> = {
    PendingSourcing: ['Cancelled'],
    Pending: ['Packed', 'Shipped', 'Cancelled'],
    Packed: ['Shipped', 'Cancelled'],
    Shipped: ['Delivered'],
    Delivered: ['Returned'],
    Cancelled: [],
    Returned: [],
  };
  test.for(groupStatuses)(
    'leads from %s to what D39 allows, and nowhere else',
    async (from, { gateway, fixture, vendor }) => {
      for (const status of groupStatuses) {
        const id = await fixture.groupIn(from, vendor);
        if (allowed[from].includes(status)) {
          expect(await patch(fixture, id, { status })).toMatchObject({
            status: 200,
            payload: { status },
          });
        } else {
          await expectGroupUnchanged(
            gateway,
            id,
            () => patch(fixture, id, { status, trackingRef: 'T' }),
            {
              status: 422,
              state: 'BUSINESS_FULFILMENT_GROUP_INVALID_TRANSITION',
              details: { status: from },
            },
          );
        }
      }
    },
  );

  test("is also how a group travels, with a move, and for the service's own group", async ({
    gateway,
    fixture,
  }) => {
    const { groupId: id } = firstOf((await fixture.take({ vendorId: null })).groups);
    const body = { trackingRef: 'T-1', carrier: 'Other', carrierNameOther: 'Van' };
    expect(await patch(fixture, id, { status: 'Shipped', ...body })).toMatchObject({
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

  test.for([{}, { status: null, trackingRef: null }, { carrier: 'CarrierA' }, { trackingRef: '' }])(
    'is nothing when it is %j: no audit entry, no change time',
    async (body, { gateway, fixture, vendor }) => {
      const id = await fixture.groupIn('Packed', vendor);
      await expectGroupUnchanged(gateway, id, () => patch(fixture, id, body), {
        status: 200,
        payload: { status: 'Packed' },
      });
    },
  );

  test.for<[unknown, readonly string[]]>([
    [{ status: 'packed' }, ['Status not_allowed']],
    [{ vendorOrderId: 'V-1' }, ['VendorOrderId unknown_field']],
    [{ vendorId: null }, ['VendorId unknown_field']],
    [{ carrier: 'Other', status: 'Packed' }, ['CarrierNameOther required']],
    [{ carrierNameOther: 'Van' }, ['CarrierNameOther not_allowed']],
  ] as const)('is refused as %j', async ([body, errors], { gateway, fixture, vendor }) => {
    const id = await fixture.groupIn('Pending', vendor);
    const answer = await expectGroupUnchanged(gateway, id, () => patch(fixture, id, body), {
      status: 400,
      state: 'VALIDATION_ERRORS',
    });
    expect(fieldErrorsOf(answer)).toEqual(errors);
  });
});

test('an unknown group, and what is no id, are the same 404', async ({ fixture, vendor }) => {
  for (const id of [unknownId(), 'x', '%00']) {
    expect(await assign(fixture, id, vendor.vendorId)).toMatchObject(
      refusal('NOT_FOUND_FULFILMENT_GROUP'),
    );
    expect(await patch(fixture, id, {})).toMatchObject(refusal('NOT_FOUND_FULFILMENT_GROUP'));
  }
});
