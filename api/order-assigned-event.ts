import { newEvent, type NewEvent } from '../db/events.ts';
import type { OrderAssignedData } from '../domain/events.ts';
import type { FulfilmentGroup } from '../domain/fulfilment-group.ts';
import { orderGlobalId } from '../domain/order-id.ts';
import { orderLine } from './forms/fulfilment-group.ts';

/** `vendor.order.assigned` of a group that has just become a vendor's (D47). */
export function orderAssignedEvent(
  group: Pick<FulfilmentGroup, 'id' | 'orderId' | 'status' | 'lines'>,
  vendorId: string,
  occurredAt: Date,
): NewEvent {
  const data: OrderAssignedData = {
    groupId: group.id,
    orderGlobalId: orderGlobalId(group.orderId),
    status: group.status,
    lines: group.lines.map(orderLine),
  };
  return newEvent({ eventType: 'vendor.order.assigned', vendorId, occurredAt, data });
}
