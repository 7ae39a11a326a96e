import type { FulfilmentGroup } from '../../../domain/orders/fulfilment-group.ts';
import type { GroupAction, GroupStatus } from '../../../domain/orders/fulfilment-status.ts';

export const packedAt = new Date('2026-02-11T08:00:00.000Z');
export const shippedAt = new Date('2026-02-12T08:00:00.000Z');
export const deliveredAt = new Date('2026-02-14T08:00:00.000Z');

const packed = { packedAt };
const shipped = { ...packed, shippedAt };
const delivered = { ...shipped, deliveredAt };
const typical: Readonly<Record<GroupStatus, Partial<FulfilmentGroup>>> = {
  Pending: {},
  Packed: packed,
  Shipped: shipped,
  Delivered: delivered,
  Cancelled: {},
  Returned: delivered,
  PendingSourcing: { vendorId: null },
};

/** A group in a status, with what it brings; it was packed on its way. */
export const groupIn = (
  status: GroupStatus,
  given: Partial<FulfilmentGroup> = {},
): FulfilmentGroup => ({
  id: 'group-1',
  orderId: 'order-1',
  vendorId: 'vendor-1',
  status,
  vendorOrderId: null,
  trackingRef: null,
  carrier: 'CarrierA',
  carrierNameOther: null,
  packedAt: null,
  shippedAt: null,
  deliveredAt: null,
  shipTo: {
    recipient: 'Recipient',
    line1: 'Street 1',
    line2: null,
    city: 'City',
    region: null,
    postalCode: null,
    country: 'SA',
    phone: '+966500000000',
  },
  lines: [{ lineId: 'line-1', variantId: 'variant-1', sku: 'SKU', quantity: 2 }],
  ...typical[status],
  ...given,
});

/** D39 once more, by hand: what leads from each status, and where to. All else is refused. */
export const movesOfD39: Readonly<
  Record<GroupStatus, Readonly<Partial<Record<GroupAction, GroupStatus>>>>
> = {
  Pending: { pack: 'Packed', ship: 'Shipped', cancel: 'Cancelled' },
  Packed: { ship: 'Shipped', cancel: 'Cancelled' },
  Shipped: { deliver: 'Delivered' },
  Delivered: { return: 'Returned' },
  Cancelled: {},
  Returned: {},
  PendingSourcing: { assign: 'Pending', cancel: 'Cancelled' },
};

/** The seven statuses of the specification's part 2. */
export const groupStatusesOfPart2: readonly GroupStatus[] = [
  'Pending',
  'Packed',
  'Shipped',
  'Delivered',
  'Cancelled',
  'Returned',
  'PendingSourcing',
];
export const movesBesidesAssign = ['pack', 'ship', 'deliver', 'cancel', 'return'] as const;

export const invalidGroupTransition = 'BUSINESS_FULFILMENT_GROUP_INVALID_TRANSITION';
