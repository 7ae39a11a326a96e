import { newReturnBench, type ReturnBench, type TakenOrder } from './return-fixture.ts';
import { gatewayTest } from '../../support/gateway-test.ts';

export const test = gatewayTest.extend('bench', ({ gateway }) => newReturnBench(gateway));

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

export const create = (bench: ReturnBench, order: TakenOrder, lines: Lines, said: object = {}) =>
  bench.staff('POST', '', {
    orderGlobalId: order.orderGlobalId,
    destination: 'Supplier',
    lines,
    ...said,
  });
