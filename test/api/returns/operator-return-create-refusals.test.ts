import { describe, expect } from 'vitest';
import { newVendor } from '../support/actors.ts';
import { type ReturnFixture, type TakenOrder } from './return-fixture.ts';
import { fieldErrorsOf, unknownId, type Gateway } from '../support/api.ts';
import { test, type Lines, linesOf, create } from './operator-return-create-fixture.ts';

const countReturns = async (gateway: Gateway): Promise<number> =>
  (await gateway.sql`select from return_requests`).length +
  (await gateway.sql`select from audit_log where action = 'return.create'`).length;

async function expectFieldErrors(
  gateway: Gateway,
  fixture: ReturnFixture,
  order: TakenOrder,
  lines: Lines,
  said: object,
  errors: readonly string[],
): Promise<void> {
  const before = await countReturns(gateway);
  const answer = await create(fixture, order, lines, said);
  expect(answer).toMatchObject({ status: 400, state: 'VALIDATION_ERRORS', payload: null });
  expect(fieldErrorsOf(answer)).toEqual(errors);
  expect(await countReturns(gateway)).toBe(before);
}
const noVendor = ['VendorId not_of_lines'];

describe('a return is refused, and nothing is stored,', () => {
  test('for an unknown order', async ({ gateway, fixture }) => {
    const order = await fixture.takeOrder([fixture.vendor.vendorId]);
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
      await expectFieldErrors(gateway, fixture, order, lines, { orderGlobalId }, [
        'OrderGlobalId unknown',
      ]);
    }
  });

  test('for an unknown line and one of another order: every one is named with its place', async ({
    gateway,
    fixture,
  }) => {
    const [order, other] = [
      await fixture.takeOrder([fixture.vendor.vendorId]),
      await fixture.takeOrder([fixture.vendor.vendorId]),
    ];
    const lines = [
      ...linesOf(order, 0, 1),
      { lineId: unknownId(), quantity: 1, reasonCode: 'Other' },
      ...linesOf(other, 0, 1),
    ];
    await expectFieldErrors(gateway, fixture, order, lines, {}, [
      'Lines[1].LineId unknown',
      'Lines[2].LineId unknown',
    ]);
    const answer = await create(fixture, order, lines);
    expect(answer.details).toMatchObject({
      errors: [{ path: '/lines/1/lineId' }, { path: '/lines/2/lineId' }],
    });
  });

  test('for more than was ordered, also when two entries of a line are so only together', async ({
    gateway,
    fixture,
  }) => {
    const order = await fixture.takeOrder([fixture.vendor.vendorId], [5, 5]);
    await expectFieldErrors(gateway, fixture, order, linesOf(order, 0, 6), {}, [
      'Lines[0].Quantity too_large',
    ]);
    const twice = [...linesOf(order, 0, 3, 5), ...linesOf(order, 0, 3)];
    await expectFieldErrors(gateway, fixture, order, twice, {}, ['Lines[2].Quantity too_large']);
    const [line] = linesOf(order, 0, 3);
    const shouted = [
      { lineId: line?.lineId.toUpperCase() ?? '', quantity: 3, reasonCode: 'Other' },
    ];
    await expectFieldErrors(gateway, fixture, order, [...shouted, ...linesOf(order, 0, 3)], {}, [
      'Lines[1].Quantity too_large',
    ]);
  });

  test('for lines of two vendors, or the service’s own, that would go to a supplier', async ({
    gateway,
    fixture,
  }) => {
    const other = await newVendor(gateway);
    const order = await fixture.takeOrder([fixture.vendor.vendorId, other.vendorId, null]);
    const [vendors, others, own] = [0, 1, 2].map((group) => linesOf(order, group, 1));
    if (vendors === undefined || others === undefined || own === undefined)
      throw new Error('three groups');
    for (const lines of [[...vendors, ...others], own, [...vendors, ...own]]) {
      await expectFieldErrors(gateway, fixture, order, lines, {}, noVendor);
      await expectFieldErrors(
        gateway,
        fixture,
        order,
        lines,
        { vendorId: fixture.vendor.vendorId },
        noVendor,
      );
    }
  });

  test('for another vendor than the lines’, to each destination', async ({ gateway, fixture }) => {
    const other = await newVendor(gateway);
    const order = await fixture.takeOrder([fixture.vendor.vendorId, other.vendorId, null]);
    const vendors = linesOf(order, 0, 1);
    for (const destination of ['Supplier', 'SortingPoint']) {
      for (const vendorId of [other.vendorId, unknownId()]) {
        await expectFieldErrors(
          gateway,
          fixture,
          order,
          vendors,
          { destination, vendorId },
          noVendor,
        );
      }
      const { vendorId } = fixture.vendor;
      const own = linesOf(order, 2, 1);
      await expectFieldErrors(gateway, fixture, order, own, { destination, vendorId }, noVendor);
      await expectFieldErrors(
        gateway,
        fixture,
        order,
        [...vendors, ...own],
        { destination, vendorId },
        noVendor,
      );
    }
  });

  test('with a body out of shape: every fault is listed', async ({ gateway, fixture }) => {
    const order = await fixture.takeOrder([fixture.vendor.vendorId]);
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
      await expectFieldErrors(gateway, fixture, order, linesOf(order, 0, 1), said, errors);
    }
    expect(fieldErrorsOf(await fixture.staff('POST', '', {}))).toEqual([
      'Destination required',
      'Lines required',
      'OrderGlobalId required',
    ]);
  });
});
