import { expect } from 'vitest';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';
import { refusal, textOf } from '../../support/api/api.ts';
import type { TakenOrder } from '../orders/order-fixture.ts';
import {
  create,
  linesOf,
  newReturnFixture,
  succeeded,
  type ReturnFixture,
} from './return-fixture.ts';

// The returned quantities of an order's line (D84).
const test = gatewayTest.extend('returns', ({ gateway }) => newReturnFixture(gateway));

/** The refusal for a line of five pieces. */
const exceeded = (returnedQuantity: number, requestedQuantity: number) =>
  refusal('BUSINESS_RETURN_QUANTITY_EXCEEDED', {
    lines: [{ path: '/lines/0/quantity', orderedQuantity: 5, returnedQuantity, requestedQuantity }],
  });
const newOrder = ({ takeOrder, vendor }: ReturnFixture) => takeOrder([vendor.vendorId]);
const requestPieces = async (returns: ReturnFixture, order: TakenOrder, quantity: number) =>
  textOf(await succeeded(create(returns, order, linesOf(order, 0, quantity))), 'id');

test('bounds the open returns of a line by its quantity', async ({ gateway, returns }) => {
  const order = await newOrder(returns);
  await requestPieces(returns, order, 2);
  await requestPieces(returns, order, 2);
  const count = async () => (await gateway.sql`select from return_requests`).length;
  const before = await count();
  expect(await create(returns, order, linesOf(order, 0, 2))).toMatchObject(exceeded(4, 2));
  // Two entries of one line count together.
  const twice = [...linesOf(order, 0, 1), ...linesOf(order, 0, 1)];
  expect(await create(returns, order, twice)).toMatchObject(exceeded(4, 2));
  expect(await count()).toBe(before);
  await requestPieces(returns, order, 1);
  expect(await create(returns, order, linesOf(order, 0, 1))).toMatchObject(exceeded(5, 1));
  // More than was ordered stays a fault of the body.
  const answer = await create(returns, order, linesOf(order, 0, 6));
  expect(answer).toMatchObject(refusal('VALIDATION_ERRORS'));
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
])('a return that is %s counts: %s', async ([, counts, way], { returns }) => {
  const order = await newOrder(returns);
  const id = await requestPieces(returns, order, 5);
  for (const step of way) {
    const [path, outcome] = step.split(' ');
    const move = () => returns.staff('POST', `/${id}/${path}`, { outcome });
    await succeeded(path === 'received' ? returns.receive(id) : move());
  }
  const answer = await create(returns, order, linesOf(order, 0, 1));
  expect(answer).toMatchObject(counts ? exceeded(5, 1) : { status: 201, state: 'SUCCESS' });
});

test('bounds twelve concurrent returns by five pieces', async ({ gateway, returns }) => {
  const order = await newOrder(returns);
  const answers = await Promise.all(
    Array.from({ length: 12 }, () => create(returns, order, linesOf(order, 0, 1))),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
  for (const answer of answers.filter(({ status }) => status !== 201))
    expect(answer).toMatchObject(refusal('BUSINESS_RETURN_QUANTITY_EXCEEDED'));
  const lineId = order.groups[0]?.lines[0]?.lineId ?? '';
  const [row] = await gateway.sql<[{ sum: number }]>`
    select sum(quantity)::int as sum from return_lines where order_line_id = ${lineId}`;
  expect(row.sum).toBe(5);
});
