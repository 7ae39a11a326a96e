import { expect } from 'vitest';
import type { GroupStatus } from '../../../domain/orders/fulfilment-status.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';
import { newOperator, newVariant, newVendor, type TestVendor } from '../../support/api/actors.ts';
import {
  call,
  succeeded,
  type ApiResponse,
  type Gateway,
  type Method,
} from '../../support/api/api.ts';
import { checksums } from '../../support/database/all-rows.ts';
import { changeTimes, firstOf } from '../../db/orders/order-rows.ts';

/** The least that an order says of where it goes. */
export const shipTo = {
  recipient: 'Recipient',
  line1: 'Line 1',
  city: 'Riyadh',
  country: 'SA',
  phone: '+966500000000',
} as const;

type TakenGroup = {
  readonly groupId: string;
  readonly vendorId: string | null;
  readonly status: GroupStatus;
  readonly lines: readonly {
    readonly lineId: string;
    readonly variantId: string;
    readonly sku: string;
    readonly quantity: number;
  }[];
};
export type TakenOrder = { readonly orderGlobalId: string; readonly groups: readonly TakenGroup[] };

/** What a group's entry says besides, or instead of, a carrier and one line. */
type GroupGiven = Readonly<Record<string, unknown>>;

/** What an operator sets, one after another, to bring a fresh group there. */
const ways: Readonly<Record<GroupStatus, readonly GroupStatus[]>> = {
  Pending: [],
  PendingSourcing: [],
  Packed: ['Packed'],
  Shipped: ['Shipped'],
  Delivered: ['Shipped', 'Delivered'],
  Returned: ['Shipped', 'Delivered', 'Returned'],
  Cancelled: ['Cancelled'],
};

/** An operator, a variant, and orders in whatever state a test wants, by the routes of the API. */
export async function newOrderFixture(gateway: Gateway) {
  const operator = await newOperator(gateway, ['Operations']);
  const { id: variantId } = await newVariant(gateway);
  /** An operator's call below `/operator/v1`. */
  const operate = (method: Method, path: string, body?: unknown): Promise<ApiResponse> =>
    call(gateway, method, `/operator/v1${path}`, { token: operator.token, body });
  /** The body of an order with these groups. */
  const bodyOf = (...groups: readonly GroupGiven[]) => ({
    shipTo,
    groups: groups.map((given) => ({
      carrier: 'CarrierA',
      lines: [{ variantId, quantity: 1 }],
      ...given,
    })),
  });
  /** Takes an order in, which must succeed. */
  const take = async (...groups: readonly GroupGiven[]): Promise<TakenOrder> =>
    succeeded(await operate('POST', '/orders', bodyOf(...groups))).payload as TakenOrder;
  return {
    operator,
    variantId,
    bodyOf,
    take,
    operate,
    /**
     * Takes an order of one group in, and moves that on the shortest way to the status; returns the
     * group's id.
     */
    groupIn: async (status: GroupStatus, { vendorId }: TestVendor): Promise<string> => {
      const given = status === 'PendingSourcing' ? { sourcing: true } : { vendorId };
      const { groupId } = firstOf((await take(given)).groups);
      for (const next of ways[status])
        succeeded(await operate('PATCH', `/groups/${groupId}`, { status: next }));
      return groupId;
    },
    /** A vendor's call below `/api/v1/scent/orders`. */
    send: (
      vendor: TestVendor,
      method: Method,
      path: string,
      body?: unknown,
    ): Promise<ApiResponse> =>
      call(gateway, method, `/api/v1/scent/orders${path}`, { token: vendor.token, body }),
  };
}

/** Gives a file the calls on orders, and a vendor. */
export const orderTest = gatewayTest
  .extend('fixture', { scope: 'file' }, ({ gateway }) => newOrderFixture(gateway))
  .extend('vendor', { scope: 'file' }, ({ gateway }) => newVendor(gateway));

export { firstOf };

/** When a group's order last changed, with microseconds, as `changedSince` takes it. */
export const changeTimeOf = async ({ sql }: Pick<Gateway, 'sql'>, groupId: string) =>
  firstOf(await changeTimes(sql, [groupId]));

/** Expects a response, and that nothing is stored for it. */
export async function expectUnchanged(
  gateway: Pick<Gateway, 'sql'>,
  calling: () => Promise<ApiResponse>,
  expected: object,
): Promise<ApiResponse> {
  const before = await checksums(gateway);
  const response = await calling();
  expect(response).toMatchObject(expected);
  expect(await checksums(gateway)).toEqual(before);
  return response;
}
