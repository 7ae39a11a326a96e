import * as v from 'valibot';
import { pageOf } from '../../api/http/envelope.ts';
import { fulfilmentGroupResponse } from '../../api/orders/responses/fulfilment-group.ts';
import { operatorGroupResponse } from '../../api/orders/responses/operator-group.ts';
import { createOrder } from './api-calls.ts';
import { expect } from './api-client.ts';
import type { DemoContext } from './context.ts';
import { orderEvent, receiveEvent } from './events.ts';

/** A delivered order line, for returns. */
export type Delivered = { readonly orderGlobalId: string; readonly lineId: string };

type Group = v.InferOutput<typeof fulfilmentGroupResponse>;
type Changes = { readonly groups: readonly Group[]; readonly nextChangedSince: string };

const groupPage = pageOf(fulfilmentGroupResponse);
/** The next page of changes begins at this instant. */
const changeDetails = v.object({ nextChangedSince: v.string() });

/** An order of two groups: the vendor receives both, ships one, and it is delivered. */
export async function shipOrder(context: DemoContext): Promise<Delivered> {
  const { step, operator, vendorId, variantId } = context;
  step('An order comes in: one group is the vendor’s, one waits for a source');
  const { orderGlobalId, groups } = await createOrder(operator, [
    { vendorId, carrier: 'CarrierA', lines: [{ variantId, quantity: 3 }] },
    { sourcing: true, carrier: 'CarrierB', lines: [{ variantId, quantity: 1 }] },
  ]);
  const statuses = groups.map(({ status }) => status).join(', ');
  expect(statuses === 'Pending, PendingSourcing', 'one group is Pending, one waits for a source');
  const [ours = '', waiting = ''] = groups.map(({ groupId }) => groupId);

  step('A signed event assigns it to the vendor');
  await receiveAssignment(context, ours);

  step('The operator assigns the other group to the vendor too: a second event');
  await operator.expect(`POST /operator/v1/groups/${waiting}/assign`, operatorGroupResponse, {
    body: { vendorId },
    values: { status: 'Pending' },
  });
  await receiveAssignment(context, waiting);

  step('The vendor reads what has changed, page by page');
  const first = await readChanges(context, '1970-01-01T00:00:00Z');
  expect(first.groups.length === 2, 'both groups are the vendor’s');

  step('The vendor packs one, pushes its tracking and ships it');
  await ship(context, ours);

  step('The operator reports that it was delivered');
  const report = `PATCH /operator/v1/groups/${ours}`;
  const { deliveredAt } = await operator.expect(report, operatorGroupResponse, {
    body: { status: 'Delivered' },
  });
  expect(deliveredAt !== null, 'it is delivered');

  step('The next read of changes has it; the other group of the order may be there too');
  const second = await readChanges(context, first.nextChangedSince);
  const delivered = second.groups.find(({ groupId }) => groupId === ours);
  expect(delivered?.status === 'Delivered', 'the changes have the status Delivered');
  return { orderGlobalId, lineId: groups[0]?.lines[0]?.lineId ?? '' };
}

async function receiveAssignment(context: DemoContext, groupId: string): Promise<void> {
  const label = 'vendor.order.assigned';
  const { eventType } = await receiveEvent(context, orderEvent, label, { groupId });
  expect(eventType === label, `the event is ${label}`);
}

/** Reads every change after an instant; each page begins where the one before ended. */
async function readChanges({ vendor }: DemoContext, changedSince: string): Promise<Changes> {
  const groups: Group[] = [];
  for (let since = changedSince; ;) {
    const request = `GET /api/v1/scent/orders?pageSize=100&changedSince=${since}`;
    const { status, payload, details } = await vendor.call(request);
    expect(status === 200, `${request} answers 200, not ${status}`);
    const { items } = v.parse(groupPage, payload);
    since = v.parse(changeDetails, details).nextChangedSince;
    if (items.length === 0) return { groups, nextChangedSince: since };
    groups.push(...items);
  }
}

async function ship({ vendor, suffix }: DemoContext, groupId: string): Promise<void> {
  const path = `/api/v1/scent/orders/${groupId}`;
  const packed = await vendor.expect(`POST ${path}/pack`, fulfilmentGroupResponse, {
    values: { status: 'Packed' },
  });
  expect(packed.packedAt !== null, 'it has the time of packing');

  const tracking = { vendorOrderId: `SO-${suffix}`, trackingRef: 'TRK-1001', carrier: 'Other' };
  await vendor.expectRefusal(`PATCH ${path}`, '400 VALIDATION_ERRORS', { body: tracking });
  await vendor.expect(`PATCH ${path}`, fulfilmentGroupResponse, {
    body: { ...tracking, carrierNameOther: 'Desert Couriers' },
    values: { trackingRef: tracking.trackingRef },
  });

  const { shippedAt } = await vendor.expect(`POST ${path}/ship`, fulfilmentGroupResponse, {
    values: { status: 'Shipped' },
  });
  expect(shippedAt !== null, 'it has the time of shipping');
  const refusal = '422 BUSINESS_FULFILMENT_GROUP_INVALID_TRANSITION';
  await vendor.expectRefusal(`POST ${path}/pack`, refusal);
}
