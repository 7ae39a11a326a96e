import { describeValues } from '../validation/described.ts';
import { sample } from '../validation/sample.ts';

/** Descriptions and examples of orders' fields that requests, responses and filters share. */

export const groupStatusText = describeValues("The shipment's status.", {
  Pending: 'assigned to a vendor; to be packed.',
  Packed: 'packed; to be shipped.',
  Shipped: 'handed to the carrier.',
  Delivered: 'delivered to the customer.',
  Cancelled: 'cancelled before it was shipped.',
  Returned: 'returned after delivery.',
  PendingSourcing: 'waits for a vendor to be assigned.',
});
export const carrierText = 'The carrier. `Other` requires `carrierNameOther`.';

export const orderGlobalIdText = [
  "The service's own id of the order: `ord_` and a uuid. It is never a partner's reference.",
  sample.orderGlobalId,
] as const;
export const lineIdText = ["The id of the order's line.", sample.lineId] as const;
export const lineVariantText = [
  'The variant of the catalogue that was ordered.',
  sample.variantId,
] as const;
export const lineSkuText = [
  "The variant's SKU in the catalogue, also after the variant was deactivated.",
  sample.sku,
] as const;
export const quantityText = ['The number of pieces.', 1] as const;
export const groupVendorText = [
  "The vendor that ships the group; null for the service's own group and for one that waits for " +
    'a vendor.',
  sample.vendorId,
] as const;

/** Description and example of each part of an address, by its name in a request. */
export const addressText = {
  recipient: ['The name of the recipient.', 'Noura Al-Harbi'],
  line1: ['The first line of the address.', '7421 King Fahd Road'],
  line2: ['The second line of the address; null when there is none.', 'Apartment 12'],
  city: ['The city.', 'Riyadh'],
  region: ['The region; null when there is none.', 'Riyadh Province'],
  postalCode: ['The postal code; null when there is none.', '12271'],
  country: ['The country.', 'SA'],
  phone: ["The recipient's phone number.", '+966501234567'],
} as const;
