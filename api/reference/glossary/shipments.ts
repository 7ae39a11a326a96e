import { inForms, meanings, type Glossary } from './entry.ts';
import { story } from './story.ts';

const status = meanings('Where the shipment stands.', {
  Pending: 'assigned, to be packed.',
  Packed: 'packed, to be shipped.',
  Shipped: 'handed to the carrier.',
  Delivered: 'with the customer.',
  Cancelled: 'called off before it shipped.',
  Returned: 'delivered, and back again.',
  PendingSourcing: 'waits for a vendor to be assigned.',
});
const carrier = 'Who carries it. `Other` goes with `carrierNameOther`.';
const id = { description: "The shipment's id.", example: story.groupId };

/** Fulfilment groups: what of an order ships together. */
export const shipmentsGlossary: Glossary = {
  groupId: id,
  'path.orders.groupId': id,
  'path.groups.id': { description: "The group's id.", example: story.groupId },
  orderGlobalId: {
    description:
      "The service's own id of the order, `ord_` and a uuid; never a partner's reference.",
    example: story.orderGlobalId,
  },
  ...inForms(['FulfilmentGroup', 'OperatorGroup'], 'status', {
    description: status,
    example: 'Shipped',
  }),
  'groups.status': { description: status, example: 'Pending' },
  'updateGroup.status': {
    description: `The status to move to; left out or null, it stays. ${status}`,
    example: 'Delivered',
  },
  'listShipments.status': {
    description: `Only shipments in this status. ${status}`,
    example: 'Pending',
  },
  vendorOrderId: {
    description: "The vendor's own reference for the shipment; null when none was told.",
    example: 'SO-2026-0481',
  },
  trackingRef: {
    description: "The carrier's tracking reference; null when none was told.",
    example: 'CA123456789SA',
  },
  carrier: { description: carrier, example: 'CarrierA' },
  carrierNameOther: {
    description: 'The name of a carrier that is `Other`; null with every other one.',
    example: null,
  },
  'updateShipment.carrier': {
    description: `${carrier} Left out or null, it stays.`,
    example: 'CarrierA',
  },
  'updateGroup.carrier': {
    description: `${carrier} Left out or null, it stays.`,
    example: 'CarrierA',
  },
  packedAt: { description: 'When it was packed, in UTC; null before that.', example: story.packed },
  shippedAt: {
    description: 'When it was shipped, in UTC; null before that.',
    example: story.shipped,
  },
  deliveredAt: { description: 'When it was delivered, in UTC; null before that.', example: null },
  shipRecipient: { description: 'Who receives it.', example: 'Noura Al-Harbi' },
  shipLine1: { description: 'First line of the address.', example: '7421 King Fahd Road' },
  shipLine2: {
    description: 'Second line of the address; null when there is none.',
    example: 'Apartment 12',
  },
  shipCity: { description: 'City.', example: 'Riyadh' },
  shipRegion: { description: 'Region; null when there is none.', example: 'Riyadh Province' },
  shipPostalCode: { description: 'Postal code; null when there is none.', example: '12271' },
  shipCountry: { description: 'Country.', example: 'SA' },
  shipPhone: { description: 'Phone number of the recipient.', example: '+966501234567' },
  lines: { description: 'What is in it.' },
  lineId: { description: "The id of the order's line.", example: story.lineId },
  'lines.variantId': {
    description: 'The variant of the catalog that was ordered.',
    example: story.variantId,
  },
  sku: {
    description: "The variant's SKU in the catalog, also when the variant is no longer active.",
    example: story.sku,
  },
  quantity: { description: 'Pieces.', example: 1 },
};
