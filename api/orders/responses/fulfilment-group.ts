import * as v from 'valibot';
import {
  carriers,
  type FulfilmentGroup,
  type OrderLine,
} from '../../../domain/orders/fulfilment-group.ts';
import { groupStatuses } from '../../../domain/orders/fulfilment-status.ts';
import { orderGlobalId } from '../../../domain/orders/order-id.ts';
import { id, instant, integer, isoOrNull, orNull } from '../../validation/response-parts.ts';

export const orderLineResponse = v.object({
  lineId: id,
  variantId: id,
  sku: v.string(),
  quantity: integer,
});

export const orderLine = ({ lineId, variantId, sku, quantity }: OrderLine) => ({
  lineId,
  variantId,
  sku,
  quantity,
});

/** The fulfilment group of part 2: no money, no tax, no partner, no customer reference. */
export const fulfilmentGroupResponse = v.object({
  groupId: id,
  orderGlobalId: v.string(),
  status: v.picklist(groupStatuses),
  vendorOrderId: orNull(v.string()),
  trackingRef: orNull(v.string()),
  carrier: v.picklist(carriers),
  carrierNameOther: orNull(v.string()),
  packedAt: orNull(instant),
  shippedAt: orNull(instant),
  deliveredAt: orNull(instant),
  shipRecipient: v.string(),
  shipLine1: v.string(),
  shipLine2: orNull(v.string()),
  shipCity: v.string(),
  shipRegion: orNull(v.string()),
  shipPostalCode: orNull(v.string()),
  shipCountry: v.string(),
  shipPhone: v.string(),
  lines: v.array(orderLineResponse),
});

export const fulfilmentGroup = (
  group: FulfilmentGroup,
): v.InferInput<typeof fulfilmentGroupResponse> => ({
  groupId: group.id,
  orderGlobalId: orderGlobalId(group.orderId),
  status: group.status,
  vendorOrderId: group.vendorOrderId,
  trackingRef: group.trackingRef,
  carrier: group.carrier,
  carrierNameOther: group.carrierNameOther,
  packedAt: isoOrNull(group.packedAt),
  shippedAt: isoOrNull(group.shippedAt),
  deliveredAt: isoOrNull(group.deliveredAt),
  shipRecipient: group.shipTo.recipient,
  shipLine1: group.shipTo.line1,
  shipLine2: group.shipTo.line2,
  shipCity: group.shipTo.city,
  shipRegion: group.shipTo.region,
  shipPostalCode: group.shipTo.postalCode,
  shipCountry: group.shipTo.country,
  shipPhone: group.shipTo.phone,
  lines: group.lines.map(orderLine),
});
