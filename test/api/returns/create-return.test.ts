import { expect } from 'vitest';
import { newVendor } from '../../support/api/actors.ts';
import { fieldErrorsOf, textOf, unknownId } from '../../support/api/api.ts';
import { runsUrlOf, uuidV7 } from '../../support/api/matchers.ts';
import { checksums } from '../commands/creations.ts';
import type { TakenOrder } from '../orders/order-fixture.ts';
import {
  create,
  linesOf,
  newReturnPayload,
  returnTest as test,
  storedReturn,
  succeeded,
} from './return-fixture.ts';

// The body has its cases in `return-body.test.ts`.

test('stores a Pending return, an audit entry and a message', async ({ gateway, fixture }) => {
  const { vendorId } = fixture.vendor;
  const order = await fixture.takeOrder([vendorId], [5, 3]);
  const answer = await create(fixture, order, linesOf(order, 0, 5, 1));
  expect(answer).toMatchObject({ status: 201, state: 'SUCCESS', details: {} });
  const id = textOf(answer, 'id');
  const workflowId = `return-inspection/${id}`;
  expect(answer.payload).toStrictEqual({
    id: uuidV7,
    orderGlobalId: order.orderGlobalId,
    ...newReturnPayload,
    lines: [5, 1].map((quantity, index) => {
      const { lineId, variantId, sku } = order.groups[0]?.lines[index] ?? {};
      return { scentOrderLineId: lineId, variantId, sku, quantity, reasonCode: 'Defective' };
    }),
    destination: 'Supplier',
    vendorId,
    decidedBy: null,
    decision: null,
    silenceOutcome: null,
    silenceAt: null,
    version: 1,
    workflow: {
      workflowId,
      url: `http://temporal-ui.test/namespaces/default/workflows/return-inspection%2F${id}`,
      runsUrl: runsUrlOf(workflowId),
    },
  });
  expect((await storedReturn(gateway, id)).way).toBe('Pending');
  expect(await gateway.sql`select kind, payload from outbox where subject_id = ${id}`).toEqual([
    {
      kind: 'returnInspection',
      payload: {
        vendorId,
        returnNumber: textOf(answer, 'returnRequestNumber'),
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
      requestId: answer.headers['x-request-id'],
      before: null,
      after: { status: 'Pending', version: 1, ...unset, destination: 'Supplier', vendorId },
    },
  ]);
});

test('accepts two reasons for one line, and numbers in order', async ({ fixture }) => {
  const { vendorId } = fixture.vendor;
  const order = await fixture.takeOrder([vendorId], [5]);
  const lines = [...linesOf(order, 0, 2), ...linesOf(order, 0, 1)];
  const [one, two] = [
    await succeeded(create(fixture, order, lines, { vendorId: vendorId.toUpperCase() })),
    await succeeded(create(fixture, order, linesOf(order, 0, 1))),
  ];
  expect(one.payload).toMatchObject({ vendorId, lines: [{ quantity: 2 }, { quantity: 1 }] });
  const numberOf = (answer: typeof one) => Number(textOf(answer, 'returnRequestNumber').slice(3));
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
  const answer = await succeeded(create(fixture, order, lines, { destination: 'SortingPoint' }));
  expect(answer.payload).toMatchObject({
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
  ...['ord_', 'ORD_'].map((prefix): [string, () => object, string] => [
    `an unknown order of the prefix ${prefix}`,
    () => ({ orderGlobalId: prefix + unknownId() }),
    'OrderGlobalId unknown',
  ]),
  [
    'unknown lines and those of another order',
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
  const answer = await create(fixture, order, linesOf(order, 0, 1), body);
  expect(answer).toMatchObject({ status: 400, state: 'VALIDATION_ERRORS', payload: null });
  expect(fieldErrorsOf(answer)).toEqual(errors);
  expect(await checksums(gateway)).toEqual(before);
});
