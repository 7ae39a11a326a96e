import * as v from 'valibot';
import { createOrder } from '../../../scripts/demo/api-calls.ts';
import type { Delivered } from '../../../scripts/demo/orders.ts';
import type { VendorContext } from './clients.ts';

/** Creates orders with fulfilment groups in every status. */
export async function createOrders(context: VendorContext, copies: number) {
  const orders = [];
  while (orders.length < copies) orders.push(await createFixtureOrder(context));
  return {
    pending: orders.flatMap(({ pending }) => pending),
    sourcing: orders.map(({ sourcing }) => sourcing),
    groups: orders.flatMap(({ groups }) => groups),
    delivered: orders.map(({ delivered }) => delivered),
  };
}

async function createFixtureOrder({ vendorId, variantId, vendor, operator }: VendorContext) {
  const group = { vendorId, carrier: 'CarrierA', lines: [{ variantId, quantity: 1000 }] };
  const waiting = { sourcing: true, carrier: 'CarrierB', lines: [{ variantId, quantity: 1 }] };
  const order = await createOrder(operator, [group, group, group, group, group, group, waiting]);
  const groups = order.groups.map(({ groupId }) => groupId);
  const [packed = '', shipped = '', toDeliver = '', cancelled = '', ...rest] = groups;
  const move = (id: string, action: string) =>
    vendor.expect(`POST /api/v1/scent/orders/${id}/${action}`, v.unknown());
  const setStatus = (id: string, status: string) =>
    operator.expect(`PATCH /operator/v1/groups/${id}`, v.unknown(), { body: { status } });
  await move(packed, 'pack');
  await move(shipped, 'ship');
  await move(toDeliver, 'ship');
  await setStatus(toDeliver, 'Delivered');
  await setStatus(cancelled, 'Cancelled');
  const delivered: Delivered = {
    orderGlobalId: order.orderGlobalId,
    lineId: order.groups[2]?.lines[0]?.lineId ?? '',
  };
  return { groups, pending: rest.slice(0, -1), sourcing: rest.at(-1) ?? '', delivered };
}
