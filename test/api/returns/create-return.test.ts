import { expect } from 'vitest';
import { newVendor } from '../../support/api/actors.ts';
import { fieldErrorsOf, refusal, textOf, unknownId } from '../../support/api/api.ts';
import { instant, uuidV7, workflowOf } from '../../support/api/matchers.ts';
import { checksums } from '../../support/database/all-rows.ts';
import type { TakenOrder } from '../orders/order-fixture.ts';
import {
  returnTest as test,
  storedReturn,
  succeeded,
  type ReturnFixture,
} from './return-fixture.ts';

// The body has its cases in `return-body.test.ts`.

/** Lines of an order's group, one for each quantity. */
const linesOf = ({ groups }: TakenOrder, group: number, ...quantities: readonly number[]) =>
  quantities.map((quantity, index) => ({
    lineId: groups[group]?.lines[index]?.lineId ?? '',
    quantity,
    reasonCode: 'Defective',
  }));

/** A call that creates a return to a supplier, or as `given`. */
const create = (
  { staff }: ReturnFixture,
  { orderGlobalId }: TakenOrder,
  lines: readonly object[],
  given: object = {},
) => staff('POST', '', { orderGlobalId, destination: 'Supplier', lines, ...given });

test('stores a Pending return, an audit entry and a message', async ({ gateway, fixture }) => {
  const { vendorId } = fixture.vendor;
  const order = await fixture.takeOrder([vendorId], [5, 3]);
  const response = await create(fixture, order, linesOf(order, 0, 5, 1));
  expect(response).toMatchObject({ status: 201, state: 'SUCCESS', details: {} });
  const id = textOf(response, 'id');
  const own = {
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
    lines: [5, 1].map((quantity, index) => {
      const { lineId, variantId, sku } = order.groups[0]?.lines[index] ?? {};
      return { scentOrderLineId: lineId, variantId, sku, quantity, reasonCode: 'Defective' };
    }),
  };
  expect(response.payload).toStrictEqual({
    ...own,
    destination: 'Supplier',
    vendorId,
    decidedBy: null,
    decision: null,
    silenceOutcome: null,
    silenceAt: null,
    version: 1,
    workflow: workflowOf(`return-inspection/${id}`),
  });
  await gateway.sql`update variants set is_active = false`;
  const seen = await fixture.send('GET', `/${id.toUpperCase()}`);
  expect(seen).toMatchObject({ status: 200, state: 'SUCCESS', details: {} });
  expect(seen.payload).toStrictEqual(own);
  expect((await storedReturn(gateway, id)).way).toBe('Pending');
  expect(await gateway.sql`select kind, payload from outbox where subject_id = ${id}`).toEqual([
    {
      kind: 'returnInspection',
      payload: {
        vendorId,
        returnNumber: textOf(response, 'returnRequestNumber'),
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
  const unset = { outcome: null, proposedOutcome: null, requiresStaffReview: false };
  expect(audit).toEqual([
    {
      operatorId: fixture.operator.id,
      action: 'return.create',
      subjectType: 'return',
      requestId: response.headers['x-request-id'],
      before: null,
      after: { status: 'Pending', version: 1, ...unset, destination: 'Supplier', vendorId },
    },
  ]);
});

test('accepts two reasons for one line', async ({ fixture }) => {
  const { vendorId } = fixture.vendor;
  const order = await fixture.takeOrder([vendorId], [5]);
  const lines = [...linesOf(order, 0, 2), ...linesOf(order, 0, 1)];
  const made = await succeeded(create(fixture, order, lines, { vendorId: vendorId.toUpperCase() }));
  expect(made.payload).toMatchObject({ vendorId, lines: [{ quantity: 2 }, { quantity: 1 }] });
});

test('numbers returns in order', async ({ fixture }) => {
  const order = await fixture.takeOrder([fixture.vendor.vendorId], [5]);
  const [one, two] = [
    await succeeded(create(fixture, order, linesOf(order, 0, 2))),
    await succeeded(create(fixture, order, linesOf(order, 0, 1))),
  ];
  const numberOf = (response: typeof one) =>
    Number(textOf(response, 'returnRequestNumber').slice(3));
  expect(numberOf(two)).toBeGreaterThan(numberOf(one));
});

test.for<readonly [string, readonly number[], boolean]>([
  ["the service's own lines", [0], false],
  ["a vendor's lines", [1], true],
  ['lines of several vendors', [1, 2, 0], false],
])('sends %s to a sorting point', async ([, groups, isVendors], { gateway, fixture }) => {
  const { vendorId } = fixture.vendor;
  const order = await fixture.takeOrder([null, vendorId, (await newVendor(gateway)).vendorId]);
  const lines = groups.flatMap((group) => linesOf(order, group, 1));
  const response = await succeeded(create(fixture, order, lines, { destination: 'SortingPoint' }));
  expect(response.payload).toMatchObject({
    destination: 'SortingPoint',
    vendorId: isVendors ? vendorId : null,
    inspection: { receivingParty: 'SortingPoint' },
  });
});

type Asked = {
  readonly order: TakenOrder;
  readonly otherOrder: TakenOrder;
  readonly other: string;
  readonly vendor: string;
};
const unknownLine = { lineId: unknownId(), quantity: 6, reasonCode: 'Other' };
const toSortingPoint = { destination: 'SortingPoint' };
const notOfLines = 'VendorId not_of_lines';

test.for<readonly [string, (asked: Asked) => object, ...errors: readonly string[]]>([
  ['an unknown order', () => ({ orderGlobalId: `ord_${unknownId()}` }), 'OrderGlobalId unknown'],
  [
    'unknown lines and lines of another order',
    ({ order, otherOrder }) => ({
      lines: [...linesOf(order, 0, 1), ...linesOf(otherOrder, 0, 1), unknownLine],
    }),
    'Lines[1].LineId unknown',
    'Lines[2].LineId unknown',
  ],
  [
    'too many pieces',
    ({ order }) => ({ lines: linesOf(order, 0, 6) }),
    'Lines[0].Quantity too_large',
  ],
  [
    'too many pieces of two entries together',
    ({ order }) => ({ lines: [...linesOf(order, 0, 3, 5), ...linesOf(order, 0, 3)] }),
    'Lines[2].Quantity too_large',
  ],
  [
    'lines of two vendors',
    ({ order }) => ({ lines: [...linesOf(order, 0, 1), ...linesOf(order, 1, 1)] }),
    notOfLines,
  ],
  ["the service's lines", ({ order }) => ({ lines: linesOf(order, 2, 1) }), notOfLines],
  [
    "another vendor's lines to a sorting point",
    ({ other: vendorId }) => ({ ...toSortingPoint, vendorId }),
    notOfLines,
  ],
  [
    "the service's lines as a vendor's to a sorting point",
    ({ order, vendor: vendorId }) => {
      const lines = [...linesOf(order, 0, 1), ...linesOf(order, 2, 1)];
      return { ...toSortingPoint, vendorId, lines };
    },
    notOfLines,
  ],
])('refuses %s, and stores nothing', async ([, given, ...errors], { gateway, fixture }) => {
  const { vendorId: vendor } = fixture.vendor;
  const { vendorId: other } = await newVendor(gateway);
  const order = await fixture.takeOrder([vendor, other, null], [5, 5]);
  const otherOrder = await fixture.takeOrder([vendor]);
  const before = await checksums(gateway);
  const body = given({ order, otherOrder, other, vendor });
  const response = await create(fixture, order, linesOf(order, 0, 1), body);
  expect(response).toMatchObject({ status: 400, state: 'VALIDATION_ERRORS', payload: null });
  expect(fieldErrorsOf(response)).toEqual(errors);
  expect(await checksums(gateway)).toEqual(before);
});

// The returned quantities of an order's line (D84).

/** The refusal for a line of five pieces. */
const exceeded = (returnedQuantity: number, requestedQuantity: number) =>
  refusal('BUSINESS_RETURN_QUANTITY_EXCEEDED', {
    lines: [{ path: '/lines/0/quantity', orderedQuantity: 5, returnedQuantity, requestedQuantity }],
  });
const newOrder = ({ takeOrder, vendor }: ReturnFixture) => takeOrder([vendor.vendorId]);
const requestPieces = async (fixture: ReturnFixture, order: TakenOrder, quantity: number) =>
  textOf(await succeeded(create(fixture, order, linesOf(order, 0, quantity))), 'id');

test('limits the open returns of a line to its quantity', async ({ gateway, fixture }) => {
  const order = await newOrder(fixture);
  await requestPieces(fixture, order, 2);
  await requestPieces(fixture, order, 2);
  const count = async () => (await gateway.sql`select from return_requests`).length;
  const before = await count();
  expect(await create(fixture, order, linesOf(order, 0, 2))).toMatchObject(exceeded(4, 2));
  // Two entries of one line count together.
  const twice = [...linesOf(order, 0, 1), ...linesOf(order, 0, 1)];
  expect(await create(fixture, order, twice)).toMatchObject(exceeded(4, 2));
  expect(await count()).toBe(before);
  await requestPieces(fixture, order, 1);
  expect(await create(fixture, order, linesOf(order, 0, 1))).toMatchObject(exceeded(5, 1));
  // More than was ordered stays a fault of the body.
  const response = await create(fixture, order, linesOf(order, 0, 6));
  expect(response).toMatchObject(refusal('VALIDATION_ERRORS'));
});

const toInspection = ['approve', 'in-transit', 'received', 'start-inspection'];

test.for<[string, counts: boolean, way: readonly string[]]>([
  ['Rejected', false, ['reject']],
  ['Withdrawn', false, ['withdraw']],
  ['Closed without goods', false, ['approve', 'close']],
  ['InTransit', true, ['approve', 'in-transit']],
  ['InspectionRejected', true, [...toInspection, 'decide Rejected']],
  ['Closed after a rejection', false, [...toInspection, 'decide Rejected', 'close']],
  ['RefundReleased', true, [...toInspection, 'decide AcceptedSound', 'refund-released']],
])('counts a return that is %s: %s', async ([, counts, way], { fixture }) => {
  const order = await newOrder(fixture);
  const id = await requestPieces(fixture, order, 5);
  for (const step of way) {
    const [path, outcome] = step.split(' ');
    const move = () => fixture.staff('POST', `/${id}/${path}`, { outcome });
    await succeeded(path === 'received' ? fixture.receive(id) : move());
  }
  const response = await create(fixture, order, linesOf(order, 0, 1));
  expect(response).toMatchObject(counts ? exceeded(5, 1) : { status: 201, state: 'SUCCESS' });
});

test('limits twelve concurrent returns to five pieces', async ({ gateway, fixture }) => {
  const order = await newOrder(fixture);
  const responses = await Promise.all(
    Array.from({ length: 12 }, () => create(fixture, order, linesOf(order, 0, 1))),
  );
  expect(responses.filter(({ status }) => status === 201)).toHaveLength(5);
  for (const response of responses.filter(({ status }) => status !== 201))
    expect(response).toMatchObject(refusal('BUSINESS_RETURN_QUANTITY_EXCEEDED'));
  const lineId = order.groups[0]?.lines[0]?.lineId ?? '';
  const [row] = await gateway.sql<[{ sum: number }]>`
    select sum(quantity)::int as sum from return_lines where order_line_id = ${lineId}`;
  expect(row.sum).toBe(5);
});
