import * as v from 'valibot';
import { eventArrives } from './arrival.ts';
import { expect, expectRefusal, payloadOf } from './caller.ts';
import { createOrder } from './order.ts';
import { changeDetails, group, groupPage, orderEvent, type Group } from './shipping-forms.ts';
import type { Stage } from './stage.ts';

/** What was delivered, for those who send it back. */
export type Delivered = { readonly orderGlobalId: string; readonly lineId: string };

type Changes = { readonly groups: readonly Group[]; readonly nextChangedSince: string };

/** An order on its way: the vendor is told of it, syncs, packs, pushes its tracking, ships; and it is delivered. */
export async function shipOrder(stage: Stage): Promise<Delivered> {
  const { step } = stage;
  const { orderGlobalId, ours, waiting, lineId } = await takeOrderOfTwo(stage);

  step('The vendor is told, by a signed event');
  await assignmentArrives(stage, ours);

  step('The operator gives the other shipment to the vendor too, who is told once more');
  const assigned = `/operator/v1/groups/${waiting}/assign`;
  const answer = await stage.asOperator('POST', assigned, { vendorId: stage.vendorId });
  expect(payloadOf(answer, 200, group).status === 'Pending', 'it waits to be packed');
  await assignmentArrives(stage, waiting);

  step('The vendor asks for what has changed, until nothing is left');
  const first = await syncAll(stage, '1970-01-01T00:00:00Z');
  expect(first.groups.length === 2, 'both shipments are its own');

  step('The vendor packs one, pushes its tracking, and ships it');
  await ship(stage, ours);

  step('The operator has heard that it arrived');
  const deliver = await stage.asOperator('PATCH', `/operator/v1/groups/${ours}`, {
    status: 'Delivered',
  });
  expect(payloadOf(deliver, 200, group).deliveredAt !== null, 'it is delivered');

  step('The next sync has it; its sibling may repeat, since their order has changed');
  const second = await syncAll(stage, first.nextChangedSince);
  const delivered = second.groups.find(({ groupId }) => groupId === ours);
  expect(delivered?.status === 'Delivered', 'the sync tells that it is delivered');
  return { orderGlobalId, lineId };
}

/** An order of two shipments: the vendor's, of three pieces, and one that waits for a source. */
async function takeOrderOfTwo(stage: Stage) {
  const { step, vendorId, variantId } = stage;
  step('An order comes in: one shipment is the vendor’s, one waits for a source');
  const { orderGlobalId, groups } = await createOrder(stage, [
    { vendorId, carrier: 'CarrierA', lines: [{ variantId, quantity: 3 }] },
    { sourcing: true, carrier: 'CarrierB', lines: [{ variantId, quantity: 1 }] },
  ]);
  const [ours, waiting] = groups;
  expect(
    ours?.status === 'Pending' && waiting?.status === 'PendingSourcing',
    'one is Pending, one waits',
  );
  return {
    orderGlobalId,
    ours: ours?.groupId ?? '',
    waiting: waiting?.groupId ?? '',
    lineId: ours?.lines[0]?.lineId ?? '',
  };
}

async function assignmentArrives(stage: Stage, groupId: string): Promise<void> {
  const { eventType, data } = await eventArrives(stage, orderEvent, () => 'vendor.order.assigned');
  expect(
    eventType === 'vendor.order.assigned' && data.groupId === groupId,
    'it is about this shipment',
  );
}

/** Every change after an instant: page 1 again and again, each from where the one before ended. */
async function syncAll({ asVendor }: Stage, changedSince: string): Promise<Changes> {
  const groups: Group[] = [];
  for (let since = changedSince; ;) {
    const answer = await asVendor('GET', `/api/v1/scent/orders?pageSize=100&changedSince=${since}`);
    const { items } = payloadOf(answer, 200, groupPage);
    since = v.parse(changeDetails, answer.details).nextChangedSince;
    if (items.length === 0) return { groups, nextChangedSince: since };
    groups.push(...items);
  }
}

async function ship({ asVendor, run }: Stage, groupId: string): Promise<void> {
  const path = `/api/v1/scent/orders/${groupId}`;
  const packed = payloadOf(await asVendor('POST', `${path}/pack`), 200, group);
  expect(packed.status === 'Packed' && packed.packedAt !== null, 'it is packed');

  const wish = { vendorOrderId: `SO-${run}`, trackingRef: 'TRK-1001', carrier: 'Other' };
  expectRefusal(await asVendor('PATCH', path, wish), 400, 'VALIDATION_ERRORS');
  const named = { ...wish, carrierNameOther: 'Desert Couriers' };
  const tracked = payloadOf(await asVendor('PATCH', path, named), 200, group);
  expect(tracked.trackingRef === wish.trackingRef, 'it has its tracking');

  const shipped = payloadOf(await asVendor('POST', `${path}/ship`), 200, group);
  expect(shipped.status === 'Shipped' && shipped.shippedAt !== null, 'it is shipped');
  const again = await asVendor('POST', `${path}/pack`);
  expectRefusal(again, 422, 'BUSINESS_FULFILMENT_GROUP_INVALID_TRANSITION');
}
