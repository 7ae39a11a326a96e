import { describe, expect } from 'vitest';
import { returnReasons } from '../../../domain/returns/return-status.ts';
import { newVendor } from '../support/actors.ts';
import { storedReturn, succeeded, newReturnPayload } from './return-fixture.ts';
import { textOf } from '../support/api.ts';
import { test, type Lines, linesOf, create } from './operator-return-create-fixture.ts';
import { uuidV7, runsUrlOf } from '../support/matchers.ts';

describe('a return is made', () => {
  test('Pending, with the operator’s fields, to the letter', async ({ gateway, fixture }) => {
    const order = await fixture.takeOrder([fixture.vendor.vendorId], [5, 3]);
    const [one, two] = order.groups[0]?.lines ?? [];
    const answer = await create(fixture, order, linesOf(order, 0, 5, 1));
    expect(answer).toMatchObject({ status: 201, state: 'SUCCESS', details: {} });
    const id = textOf(answer, 'id');
    expect(answer.payload).toStrictEqual({
      id: uuidV7,
      orderGlobalId: order.orderGlobalId,
      ...newReturnPayload,
      lines: [
        {
          scentOrderLineId: one?.lineId,
          variantId: one?.variantId,
          sku: one?.sku,
          quantity: 5,
          reasonCode: 'Defective',
        },
        {
          scentOrderLineId: two?.lineId,
          variantId: two?.variantId,
          sku: two?.sku,
          quantity: 1,
          reasonCode: 'Defective',
        },
      ],
      destination: 'Supplier',
      vendorId: fixture.vendor.vendorId,
      decidedBy: null,
      version: 1,
      workflow: {
        workflowId: `return-inspection/${id}`,
        url: `http://temporal-ui.test/namespaces/default/workflows/return-inspection%2F${id}`,
        runsUrl: runsUrlOf(`return-inspection/${id}`),
      },
    });
    expect(await storedReturn(gateway, id)).toMatchObject({
      way: 'Pending',
      audit: ['return.create'],
    });
  });

  test('with one audit entry, one message that starts its workflow, and its own number', async ({
    gateway,
    fixture,
  }) => {
    const order = await fixture.takeOrder([fixture.vendor.vendorId]);
    const [one, two] = [
      await succeeded(create(fixture, order, linesOf(order, 0, 1))),
      await succeeded(create(fixture, order, linesOf(order, 0, 1))),
    ];
    expect(Number(textOf(two, 'returnRequestNumber').slice(3))).toBeGreaterThan(
      Number(textOf(one, 'returnRequestNumber').slice(3)),
    );
    const id = textOf(one, 'id');
    const { vendorId } = fixture.vendor;
    expect(await gateway.sql`select kind, payload from outbox where subject_id = ${id}`).toEqual([
      {
        kind: 'returnInspection',
        payload: {
          vendorId,
          returnNumber: textOf(one, 'returnRequestNumber'),
          isForSupplier: true,
          inspectionStartMs: 24 * 3_600_000,
          inspectionWindowMs: 72 * 3_600_000,
          signal: 'changed',
        },
      },
    ]);
    const audit = await gateway.sql`
      select operator_id, action, subject_type, request_id, before, after from audit_log
      where subject_id = ${id}`;
    expect(audit).toEqual([
      {
        operatorId: fixture.operator.id,
        action: 'return.create',
        subjectType: 'return',
        requestId: one.headers['x-request-id'],
        before: null,
        after: {
          status: 'Pending',
          version: 1,
          outcome: null,
          proposedOutcome: null,
          requiresStaffReview: false,
          destination: 'Supplier',
          vendorId,
        },
      },
    ]);
  });

  test('for each reason, in any case of its ids, with the vendor named or not', async ({
    fixture,
  }) => {
    const order = await fixture.takeOrder([fixture.vendor.vendorId], [4 * returnReasons.length]);
    const { vendorId } = fixture.vendor;
    for (const reasonCode of returnReasons) {
      const [line] = linesOf(order, 0, 1);
      const lines = [{ lineId: line?.lineId.toUpperCase() ?? '', quantity: 1, reasonCode }];
      for (const named of [vendorId, vendorId.toUpperCase(), null, undefined]) {
        const { payload } = await succeeded(create(fixture, order, lines, { vendorId: named }));
        expect(payload).toMatchObject({
          vendorId,
          lines: [{ scentOrderLineId: line?.lineId, reasonCode }],
        });
      }
    }
  });

  test('of one line for two reasons, as long as both are no more than was ordered', async ({
    fixture,
  }) => {
    const order = await fixture.takeOrder([fixture.vendor.vendorId], [5]);
    const lines = [...linesOf(order, 0, 2), ...linesOf(order, 0, 3)];
    const { payload } = await succeeded(create(fixture, order, lines));
    expect(payload).toMatchObject({ lines: [{ quantity: 2 }, { quantity: 3 }] });
  });

  test('of the service’s own lines for a sorting point, and of lines of several vendors', async ({
    gateway,
    fixture,
  }) => {
    const { vendorId } = fixture.vendor;
    const other = await newVendor(gateway);
    const order = await fixture.takeOrder([null, vendorId, other.vendorId]);
    const toSorting = (lines: Lines) =>
      succeeded(create(fixture, order, lines, { destination: 'SortingPoint' }));
    const own = await toSorting(linesOf(order, 0, 1));
    expect(own.payload).toMatchObject({
      destination: 'SortingPoint',
      vendorId: null,
      inspection: { receivingParty: 'SortingPoint' },
    });
    const mixed = await toSorting([
      ...linesOf(order, 1, 1),
      ...linesOf(order, 2, 1),
      ...linesOf(order, 0, 1),
    ]);
    expect(mixed.payload).toMatchObject({ vendorId: null });
    const vendors = await toSorting(linesOf(order, 1, 1));
    expect(vendors.payload).toMatchObject({ vendorId });
  });
});
