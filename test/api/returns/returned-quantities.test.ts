import { expect } from 'vitest';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';
import { refusal, textOf, type Answer } from '../support/api.ts';
import { create, linesOf } from './operator-return-create-fixture.ts';
import {
  newReturnFixture,
  succeeded,
  type ReturnFixture,
  type TakenOrder,
} from './return-fixture.ts';

/** D84: the returned quantities of an order's line. */
const test = gatewayTest.extend('returns', ({ gateway }) => newReturnFixture(gateway));

/** What the 422 says of a line of five pieces. */
const exceeded = (returnedQuantity: number, requestedQuantity: number) =>
  refusal('BUSINESS_RETURN_QUANTITY_EXCEEDED', {
    lines: [{ path: '/lines/0/quantity', orderedQuantity: 5, returnedQuantity, requestedQuantity }],
  });
const newOrder = ({ takeOrder, vendor }: ReturnFixture) => takeOrder([vendor.vendorId]);
const requestPieces = async (returns: ReturnFixture, order: TakenOrder, quantity: number) =>
  textOf(await succeeded(create(returns, order, linesOf(order, 0, quantity))), 'id');

test('all open returns of a line together never exceed what was ordered', async ({
  gateway,
  returns,
}) => {
  const order = await newOrder(returns);
  await requestPieces(returns, order, 2);
  await requestPieces(returns, order, 2);
  const count = async () => (await gateway.sql`select from return_requests`).length;
  const before = await count();
  expect(await create(returns, order, linesOf(order, 0, 2))).toMatchObject(exceeded(4, 2));
  // Two entries of one line count together.
  expect(
    await create(
      returns,
      order,
      linesOf(order, 0, 1).flatMap((line) => [line, line]),
    ),
  ).toMatchObject(exceeded(4, 2));
  expect(await count()).toBe(before);
  await requestPieces(returns, order, 1);
  expect(await create(returns, order, linesOf(order, 0, 1))).toMatchObject(exceeded(5, 1));
});

test('a single quantity above the ordered one stays 400, whatever was returned', async ({
  returns,
}) => {
  const order = await newOrder(returns);
  await requestPieces(returns, order, 5);
  const answer = await create(returns, order, linesOf(order, 0, 6));
  expect(answer).toMatchObject(refusal('VALIDATION_ERRORS'));
});

/** The calls that lead a return to a status, and whether it still counts there. */
const roads = [
  ['Rejected', false, ['reject']],
  ['Withdrawn', false, ['withdraw']],
  ['Closed without goods', false, ['approve', 'close']],
  ['Approved', true, ['approve']],
  ['InTransit', true, ['approve', 'in-transit']],
  [
    'InspectionRejected',
    true,
    ['approve', 'in-transit', 'receive', 'start-inspection', 'Rejected'],
  ],
  [
    'Closed after a rejection',
    false,
    ['approve', 'in-transit', 'receive', 'start-inspection', 'Rejected', 'close'],
  ],
  [
    'RefundReleased',
    true,
    ['approve', 'in-transit', 'receive', 'start-inspection', 'AcceptedSound', 'refund-released'],
  ],
] as const;

const steps: Readonly<Record<string, (returns: ReturnFixture, id: string) => Promise<Answer>>> = {
  receive: ({ receive }, id) => receive(id),
  Rejected: ({ decide }, id) => decide(id, 'Rejected'),
  AcceptedSound: ({ decide }, id) => decide(id, 'AcceptedSound'),
};

test.for(roads)('a return that is %s counts: %s', async ([, counts, road], { returns }) => {
  const order = await newOrder(returns);
  const id = await requestPieces(returns, order, 5);
  for (const step of road) {
    const take = steps[step] ?? (({ staff }) => staff('POST', `/${id}/${step}`, {}));
    // oxlint-disable-next-line no-await-in-loop -- each step needs the one before
    await succeeded(take(returns, id));
  }
  const answer = await create(returns, order, linesOf(order, 0, 1));
  if (counts) expect(answer).toMatchObject(exceeded(5, 1));
  else expect(answer).toMatchObject({ status: 201, state: 'SUCCESS' });
});

test('of twelve returns at once for one line, as many succeed as pieces were ordered', async ({
  gateway,
  returns,
}) => {
  const order = await newOrder(returns);
  const answers = await Promise.all(
    Array.from({ length: 12 }, () => create(returns, order, linesOf(order, 0, 1))),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
  for (const answer of answers.filter(({ status }) => status !== 201)) {
    expect(answer).toMatchObject(refusal('BUSINESS_RETURN_QUANTITY_EXCEEDED'));
  }
  const lineId = order.groups[0]?.lines[0]?.lineId ?? '';
  const [row] = await gateway.sql<[{ sum: number }]>`
    select sum(quantity)::int as sum from return_lines where order_line_id = ${lineId}`;
  expect(row.sum).toBe(5);
});
