import { newEvent, type NewEvent } from '../../db/webhooks/webhook-events.ts';
import type { OrderAssignedData } from '../../domain/webhooks/events.ts';
import type { FulfilmentGroup } from '../../domain/orders/fulfilment-group.ts';
import { orderGlobalId } from '../../domain/orders/order-id.ts';
import { orderLine } from './responses/fulfilment-group.ts';

/** The event `vendor.order.assigned` of a group that a vendor has just got (D47). */
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
