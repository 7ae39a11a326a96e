import { carriers, type FulfilmentGroup } from '../../../domain/orders/fulfilment-group.ts';
import { groupStatuses } from '../../../domain/orders/fulfilment-status.ts';
import { orderGlobalId } from '../../../domain/orders/order-id.ts';
import { enumeration, field, list, titled } from '../../validation/response-parts.ts';
import { sample } from '../../validation/sample.ts';
import {
  addressText,
  carrierText,
  groupStatusText,
  lineIdText,
  lineSkuText,
  lineVariantText,
  orderGlobalIdText,
  quantityText,
} from '../order-texts.ts';

export const orderLineResponse = titled('OrderLine', {
  lineId: field.id(...lineIdText),
  variantId: field.id(...lineVariantText),
  sku: field.text(...lineSkuText),
  quantity: field.integer(...quantityText),
});

export const groupStatus = enumeration(
  'FulfilmentGroupStatus',
  groupStatuses,
  groupStatusText,
  'Shipped',
);
export const groupId = field.id("The shipment's id.", sample.groupId);

/** The fulfilment group of part 2: no money, no tax, no partner, no customer reference. */
export const fulfilmentGroupResponse = titled('FulfilmentGroup', {
  groupId,
  orderGlobalId: field.text(...orderGlobalIdText),
  status: groupStatus,
  vendorOrderId: field.textOrNull(
    "The vendor's own reference for the shipment; null when the vendor gave none.",
    'SO-2026-0481',
  ),
  trackingRef: field.textOrNull(
    "The carrier's tracking reference; null when there is none yet.",
    'CA123456789SA',
  ),
  carrier: enumeration('Carrier', carriers, carrierText, 'CarrierA'),
  carrierNameOther: field.textOrNull(
    'The name of the carrier `Other`; null with any other carrier.',
    null,
  ),
  packedAt: field.instantOrNull(
    'When the shipment was packed, in UTC; null before that.',
    sample.packedAt,
  ),
  shippedAt: field.instantOrNull(
    'When the shipment was shipped, in UTC; null before that.',
    sample.shippedAt,
  ),
  deliveredAt: field.instantOrNull(
    'When the shipment was delivered, in UTC; null before that.',
    null,
  ),
  shipRecipient: field.text(...addressText.recipient),
  shipLine1: field.text(...addressText.line1),
  shipLine2: field.textOrNull(...addressText.line2),
  shipCity: field.text(...addressText.city),
  shipRegion: field.textOrNull(...addressText.region),
  shipPostalCode: field.textOrNull(...addressText.postalCode),
  shipCountry: field.text(...addressText.country),
  shipPhone: field.text(...addressText.phone),
  lines: list(orderLineResponse, 'The lines of the shipment.'),
});

/** A group in both forms: the serializer leaves out what is not of a form. */
export const fulfilmentGroup = ({ id, orderId, ...group }: FulfilmentGroup) => ({
  ...group,
  groupId: id,
  orderGlobalId: orderGlobalId(orderId),
});
