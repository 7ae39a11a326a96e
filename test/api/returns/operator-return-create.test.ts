import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { returnReasons } from '../../../domain/returns/return-status.ts';
import { newVendor } from '../support/actors.ts';
import {
  newReturnBench,
  storedReturn,
  succeeded,
  type ReturnBench,
  type TakenOrder,
} from './return-fixture.ts';
import { fieldErrorsOf, startGateway, textOf, unknownId, type Gateway } from '../support/api.ts';

let gateway: Gateway;
let bench: ReturnBench;

beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());
beforeEach(async () => {
  bench = await newReturnBench(gateway);
});

const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const uuidV7 = expect.stringMatching(
  /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/,
);

type Lines = readonly {
  readonly lineId: string;
  readonly quantity: number;
  readonly reasonCode: string;
}[];
/** Lines of an order's group, each of so many pieces. */
const linesOf = ({ groups }: TakenOrder, group: number, ...quantities: readonly number[]): Lines =>
  quantities.map((quantity, place) => ({
    lineId: groups[group]?.lines[place]?.lineId ?? '',
    quantity,
    reasonCode: 'Defective',
  }));
const create = (order: TakenOrder, lines: Lines, said: object = {}) =>
  bench.staff('POST', '', {
    orderGlobalId: order.orderGlobalId,
    destination: 'Supplier',
    lines,
    ...said,
  });
const countReturns = async (): Promise<number> =>
  (await gateway.sql`select from return_requests`).length +
  (await gateway.sql`select from audit_log where action = 'return.create'`).length;

describe('a return is made', () => {
  test('Pending, with the operator’s fields, to the letter', async () => {
    const order = await bench.takeOrder([bench.vendor.vendorId], [5, 3]);
    const [one, two] = order.groups[0]?.lines ?? [];
    const answer = await create(order, linesOf(order, 0, 5, 1));
    expect(answer).toMatchObject({ status: 201, state: 'SUCCESS', details: {} });
    const id = textOf(answer, 'id');
    expect(answer.payload).toStrictEqual({
      id: uuidV7,
      orderGlobalId: order.orderGlobalId,
      returnRequestNumber: expect.stringMatching(/^RR-\d{8}$/),
      status: 'Pending',
      requestedAt: instant,
      receivedAt: null,
      inspectionStartedAt: null,
      inspectionDecidedAt: null,
      inspection: {
        receivedAt: null,
        inspectionStartedAt: null,
        inspectionWindowDeadline: null,
        receivingParty: 'Supplier',
        outcome: null,
        supplierProposedOutcome: null,
        requiresStaffReview: false,
        evidence: [],
      },
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
      vendorId: bench.vendor.vendorId,
      decidedBy: null,
      version: 1,
      workflow: {
        workflowId: `return-inspection/${id}`,
        url: `http://temporal-ui.test/namespaces/default/workflows/return-inspection%2F${id}`,
      },
    });
    expect(await storedReturn(gateway, id)).toMatchObject({
      way: 'Pending',
      audit: ['return.create'],
    });
  });

  test('with one audit entry, one message that starts its workflow, and a number of its own', async () => {
    const order = await bench.takeOrder([bench.vendor.vendorId]);
    const [one, two] = [
      await succeeded(create(order, linesOf(order, 0, 1))),
      await succeeded(create(order, linesOf(order, 0, 1))),
    ];
    expect(Number(textOf(two, 'returnRequestNumber').slice(3))).toBeGreaterThan(
      Number(textOf(one, 'returnRequestNumber').slice(3)),
    );
    const id = textOf(one, 'id');
    const { vendorId } = bench.vendor;
    expect(await gateway.sql`select kind, payload from outbox where subject_id = ${id}`).toEqual([
      {
        kind: 'returnInspection',
        payload: {
          vendorId,
          inspectionStartMs: 24 * 3_600_000,
          inspectionWindowMs: 72 * 3_600_000,
          signal: 'changed',
        },
      },
    ]);
    const audit = await gateway.sql`
      select operator_id, action, subject_type, request_id, before, after from audit_log where subject_id = ${id}`;
    expect(audit).toEqual([
      {
        operatorId: bench.operator.id,
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

  test('for each reason, in any case of its ids, with the vendor named or not', async () => {
    const order = await bench.takeOrder([bench.vendor.vendorId]);
    const { vendorId } = bench.vendor;
    for (const reasonCode of returnReasons) {
      const [line] = linesOf(order, 0, 1);
      const lines = [{ lineId: line?.lineId.toUpperCase() ?? '', quantity: 1, reasonCode }];
      for (const named of [vendorId, vendorId.toUpperCase(), null, undefined]) {
        const { payload } = await succeeded(create(order, lines, { vendorId: named }));
        expect(payload).toMatchObject({
          vendorId,
          lines: [{ scentOrderLineId: line?.lineId, reasonCode }],
        });
      }
    }
  });

  test('of one line for two reasons, as long as both are no more than was ordered', async () => {
    const order = await bench.takeOrder([bench.vendor.vendorId], [5]);
    const lines = [...linesOf(order, 0, 2), ...linesOf(order, 0, 3)];
    const { payload } = await succeeded(create(order, lines));
    expect(payload).toMatchObject({ lines: [{ quantity: 2 }, { quantity: 3 }] });
  });

  test('of the service’s own lines for a sorting point, and of lines of several vendors', async () => {
    const { vendorId } = bench.vendor;
    const other = await newVendor(gateway);
    const order = await bench.takeOrder([null, vendorId, other.vendorId]);
    const toSorting = (lines: Lines) =>
      succeeded(create(order, lines, { destination: 'SortingPoint' }));
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

async function expectFieldErrors(
  order: TakenOrder,
  lines: Lines,
  said: object,
  errors: readonly string[],
): Promise<void> {
  const before = await countReturns();
  const answer = await create(order, lines, said);
  expect(answer).toMatchObject({ status: 400, state: 'VALIDATION_ERRORS', payload: null });
  expect(fieldErrorsOf(answer)).toEqual(errors);
  expect(await countReturns()).toBe(before);
}
const noVendor = ['VendorId not_of_lines'];

describe('a return is refused, and nothing is stored,', () => {
  test('for an unknown order', async () => {
    const order = await bench.takeOrder([bench.vendor.vendorId]);
    const lines = linesOf(order, 0, 1);
    const bare = order.orderGlobalId.slice('ord_'.length);
    for (const orderGlobalId of [
      `ord_${unknownId()}`,
      bare,
      `ORD_${bare.slice(1)}`,
      '',
      'x',
      'ord_',
    ]) {
      await expectFieldErrors(order, lines, { orderGlobalId }, ['OrderGlobalId unknown']);
    }
  });

  test('for an unknown line, and for one of another order: every one is named with its place', async () => {
    const [order, other] = [
      await bench.takeOrder([bench.vendor.vendorId]),
      await bench.takeOrder([bench.vendor.vendorId]),
    ];
    const lines = [
      ...linesOf(order, 0, 1),
      { lineId: unknownId(), quantity: 1, reasonCode: 'Other' },
      ...linesOf(other, 0, 1),
    ];
    await expectFieldErrors(order, lines, {}, [
      'Lines[1].LineId unknown',
      'Lines[2].LineId unknown',
    ]);
    const answer = await create(order, lines);
    expect(answer.details).toMatchObject({
      errors: [{ path: '/lines/1/lineId' }, { path: '/lines/2/lineId' }],
    });
  });

  test('for more than was ordered, also when two entries of a line are so only together', async () => {
    const order = await bench.takeOrder([bench.vendor.vendorId], [5, 5]);
    await expectFieldErrors(order, linesOf(order, 0, 6), {}, ['Lines[0].Quantity too_large']);
    const twice = [...linesOf(order, 0, 3, 5), ...linesOf(order, 0, 3)];
    await expectFieldErrors(order, twice, {}, ['Lines[2].Quantity too_large']);
    const [line] = linesOf(order, 0, 3);
    const shouted = [
      { lineId: line?.lineId.toUpperCase() ?? '', quantity: 3, reasonCode: 'Other' },
    ];
    await expectFieldErrors(order, [...shouted, ...linesOf(order, 0, 3)], {}, [
      'Lines[1].Quantity too_large',
    ]);
  });

  test('for lines of two vendors, or the service’s own, that would go to a supplier', async () => {
    const other = await newVendor(gateway);
    const order = await bench.takeOrder([bench.vendor.vendorId, other.vendorId, null]);
    const [vendors, others, own] = [0, 1, 2].map((group) => linesOf(order, group, 1));
    if (vendors === undefined || others === undefined || own === undefined)
      throw new Error('three groups');
    for (const lines of [[...vendors, ...others], own, [...vendors, ...own]]) {
      await expectFieldErrors(order, lines, {}, noVendor);
      await expectFieldErrors(order, lines, { vendorId: bench.vendor.vendorId }, noVendor);
    }
  });

  test('for another vendor than the lines’, wherever it goes', async () => {
    const other = await newVendor(gateway);
    const order = await bench.takeOrder([bench.vendor.vendorId, other.vendorId, null]);
    const vendors = linesOf(order, 0, 1);
    for (const destination of ['Supplier', 'SortingPoint']) {
      for (const vendorId of [other.vendorId, unknownId()]) {
        await expectFieldErrors(order, vendors, { destination, vendorId }, noVendor);
      }
      const { vendorId } = bench.vendor;
      const own = linesOf(order, 2, 1);
      await expectFieldErrors(order, own, { destination, vendorId }, noVendor);
      await expectFieldErrors(order, [...vendors, ...own], { destination, vendorId }, noVendor);
    }
  });

  test('with a body out of shape: every fault is listed', async () => {
    const order = await bench.takeOrder([bench.vendor.vendorId]);
    const [line] = linesOf(order, 0, 1);
    for (const [said, errors] of [
      [{ destination: 'Vendor' }, ['Destination not_allowed']],
      [{ destination: null }, ['Destination not_allowed']],
      [{ vendorId: 'x' }, ['VendorId invalid_uuid']],
      [{ orderGlobalId: 5 }, ['OrderGlobalId invalid_type']],
      [{ orderGlobalId: null }, ['OrderGlobalId invalid_type']],
      [{ status: 'Approved' }, ['Status unknown_field']],
      [{ lines: [] }, ['Lines too_few']],
      [{ lines: Array.from({ length: 81 }, () => line) }, ['Lines too_many']],
      [{ lines: [{ ...line, quantity: 0 }] }, ['Lines[0].Quantity too_small']],
      [{ lines: [{ ...line, quantity: -1 }] }, ['Lines[0].Quantity too_small']],
      [{ lines: [{ ...line, quantity: 1.5 }] }, ['Lines[0].Quantity invalid_integer']],
      [{ lines: [{ ...line, quantity: '1' }] }, ['Lines[0].Quantity invalid_type']],
      [{ lines: [{ ...line, reasonCode: 'defective' }] }, ['Lines[0].ReasonCode not_allowed']],
      [{ lines: [{ ...line, lineId: 'x' }] }, ['Lines[0].LineId invalid_uuid']],
      [{ lines: [{ ...line, sku: 'x' }] }, ['Lines[0].Sku unknown_field']],
      [
        { destination: 'x', lines: [line, {}] },
        [
          'Destination not_allowed',
          ...['LineId', 'Quantity', 'ReasonCode'].map((name) => `Lines[1].${name} required`),
        ],
      ],
    ] as const) {
      await expectFieldErrors(order, linesOf(order, 0, 1), said, errors);
    }
    expect(fieldErrorsOf(await bench.staff('POST', '', {}))).toEqual([
      'Destination required',
      'Lines required',
      'OrderGlobalId required',
    ]);
  });
});
