import { newEvent, type NewEvent } from '../../db/webhooks/webhook-events.ts';
import type { FulfilmentGroup } from '../../domain/orders/fulfilment-group.ts';
import type { GroupStatus } from '../../domain/orders/fulfilment-status.ts';
import { orderGlobalId } from '../../domain/orders/order-id.ts';
import type { OrderAssignedData, OrderChangedData } from '../../domain/webhooks/events.ts';

type Group = Pick<FulfilmentGroup, 'id' | 'orderId' | 'status' | 'lines'>;

/** The event `vendor.order.assigned` of a group that a vendor has just got. */
export function orderAssignedEvent(group: Group, vendorId: string, occurredAt: Date): NewEvent {
  const data: OrderAssignedData = {
    groupId: group.id,
    orderGlobalId: orderGlobalId(group.orderId),
    status: group.status,
    lines: group.lines.map(({ lineId, variantId, sku, quantity }) => ({
      lineId,
      variantId,
      sku,
      quantity,
    })),
  };
  return newEvent({ eventType: 'vendor.order.assigned', vendorId, occurredAt, data });
}

/** Only operators move a shipment to these statuses. */
const statusesByOperators: readonly GroupStatus[] = ['Delivered', 'Cancelled', 'Returned'];

/** The events of a group's change: it became a vendor's, or an operator moved it. */
export function groupEvents(
  before: FulfilmentGroup,
  after: FulfilmentGroup,
  occurredAt: Date,
): readonly NewEvent[] {
  const { vendorId, status } = after;
  if (vendorId === null) return [];
  if (before.vendorId !== vendorId) return [orderAssignedEvent(after, vendorId, occurredAt)];
  if (before.status === status || !statusesByOperators.includes(status)) return [];
  const data: OrderChangedData = {
    groupId: after.id,
    orderGlobalId: orderGlobalId(after.orderId),
    previousStatus: before.status,
    status,
  };
  return [newEvent({ eventType: 'vendor.order.changed', vendorId, occurredAt, data })];
}
