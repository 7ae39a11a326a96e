import { newReturnFixture, type ReturnFixture, type TakenOrder } from './return-fixture.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';

export const test = gatewayTest.extend('fixture', ({ gateway }) => newReturnFixture(gateway));

export type Lines = readonly {
  readonly lineId: string;
  readonly quantity: number;
  readonly reasonCode: string;
}[];

/** Lines of an order's group, each of so many pieces. */
export const linesOf = (
  { groups }: TakenOrder,
  group: number,
  ...quantities: readonly number[]
): Lines =>
  quantities.map((quantity, place) => ({
    lineId: groups[group]?.lines[place]?.lineId ?? '',
    quantity,
    reasonCode: 'Defective',
  }));

export const create = (
  fixture: ReturnFixture,
  order: TakenOrder,
  lines: Lines,
  said: object = {},
) =>
  fixture.staff('POST', '', {
    orderGlobalId: order.orderGlobalId,
    destination: 'Supplier',
    lines,
    ...said,
  });
