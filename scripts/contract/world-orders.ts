import * as v from 'valibot';
import { payloadOf } from '../demo/caller.ts';
import { createOrder } from '../demo/order.ts';
import type { VendorStage } from './world.ts';

/** What was delivered, for those who send it back. */
export type Delivered = { readonly orderGlobalId: string; readonly lineId: string };

/** Orders of shipments in every status. */
export async function makeOrders(stage: VendorStage, copies: number) {
  const orders = [];
  while (orders.length < copies) orders.push(await makeOrder(stage));
  return {
    pending: orders.flatMap(({ pending }) => pending),
    sourcing: orders.map(({ sourcing }) => sourcing),
    groups: orders.flatMap(({ groups }) => groups),
    delivered: orders.map(({ delivered }) => delivered),
  };
}

async function makeOrder(stage: VendorStage) {
  const { vendorId, variantId } = stage;
  const group = { vendorId, carrier: 'CarrierA', lines: [{ variantId, quantity: 1000 }] };
  const waiting = { sourcing: true, carrier: 'CarrierB', lines: [{ variantId, quantity: 1 }] };
  const taken = await createOrder(stage, [group, group, group, group, group, group, waiting]);
  const groups = taken.groups.map(({ groupId }) => groupId);
  const [packed = '', shipped = '', delivered = '', cancelled = '', ...rest] = groups;
  const move = async (id: string, action: string) =>
    done(await stage.asVendor('POST', `/api/v1/scent/orders/${id}/${action}`));
  const set = async (id: string, status: string) =>
    done(await stage.asOperator('PATCH', `/operator/v1/groups/${id}`, { status }));
  await move(packed, 'pack');
  await move(shipped, 'ship');
  await move(delivered, 'ship');
  await set(delivered, 'Delivered');
  await set(cancelled, 'Cancelled');
  const lineId = taken.groups[2]?.lines[0]?.lineId ?? '';
  return {
    groups,
    pending: rest.slice(0, -1),
    sourcing: rest.at(-1) ?? '',
    delivered: { orderGlobalId: taken.orderGlobalId, lineId },
  };
}

const done = (answer: Parameters<typeof payloadOf>[0]): unknown =>
  payloadOf(answer, 200, v.unknown());
