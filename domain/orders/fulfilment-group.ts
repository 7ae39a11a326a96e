import { fail, fieldError, invalid, ok, type Result } from '../errors.ts';
import {
  actionTowards,
  findGroupTransition,
  type GroupAction,
  type GroupStatus,
} from './fulfilment-status.ts';

export const carriers = ['CarrierA', 'CarrierB', 'CarrierC', 'Other'] as const;
export type Carrier = (typeof carriers)[number];

/** One thing to ship. `sku` is the variant's, whatever its state. */
export type OrderLine = {
  readonly lineId: string;
  readonly variantId: string;
  readonly sku: string;
  readonly quantity: number;
};

/** Where an order goes. Personal data: it stays in the record and in the vendor's own answers. */
export type ShipTo = {
  readonly recipient: string;
  readonly line1: string;
  readonly line2: string | null;
  readonly city: string;
  readonly region: string | null;
  readonly postalCode: string | null;
  readonly country: string;
  readonly phone: string;
};

/** A shipment: the part of an order that one vendor fulfils, or the service itself (`vendorId` null). */
export type FulfilmentGroup = {
  readonly id: string;
  readonly orderId: string;
  readonly vendorId: string | null;
  readonly status: GroupStatus;
  readonly vendorOrderId: string | null;
  readonly trackingRef: string | null;
  readonly carrier: Carrier;
  readonly carrierNameOther: string | null;
  readonly packedAt: Date | null;
  readonly shippedAt: Date | null;
  readonly deliveredAt: Date | null;
  readonly shipTo: ShipTo;
  readonly lines: readonly OrderLine[];
};

const dated: Readonly<Record<GroupAction, 'packedAt' | 'shippedAt' | 'deliveredAt' | null>> = {
  assign: null,
  pack: 'packedAt',
  ship: 'shippedAt',
  deliver: 'deliveredAt',
  cancel: null,
  return: null,
};

const refused = (group: FulfilmentGroup, action: string): Result<never> =>
  fail('BUSINESS_FULFILMENT_GROUP_INVALID_TRANSITION', { status: group.status, action });

/** The group after an action (D39). Fails with BUSINESS_FULFILMENT_GROUP_INVALID_TRANSITION. */
export function moveGroup(
  group: FulfilmentGroup,
  action: Exclude<GroupAction, 'assign'>,
  now: Date,
): Result<FulfilmentGroup> {
  const transition = findGroupTransition(group.status, action);
  if (transition === null) return refused(group, action);
  const field = dated[action];
  return ok({ ...group, status: transition.to, ...(field === null ? {} : { [field]: now }) });
}

/** The same by the status that an operator sets; one that no action leads to is refused. */
export function setGroupStatus(
  group: FulfilmentGroup,
  status: GroupStatus,
  now: Date,
): Result<FulfilmentGroup> {
  const action = actionTowards(status);
  return action === null ? refused(group, `set ${status}`) : moveGroup(group, action, now);
}

/** A group that waits for a source becomes a vendor's. */
export function assignGroup(group: FulfilmentGroup, vendorId: string): Result<FulfilmentGroup> {
  const transition = findGroupTransition(group.status, 'assign');
  if (transition === null) return refused(group, 'assign');
  return ok({ ...group, vendorId, status: transition.to });
}

/** What is said of the way a group travels. Absent: left as it is. A null text is cleared. */
export type ShippingChange = {
  readonly vendorOrderId?: string | null;
  readonly trackingRef?: string | null;
  readonly carrier?: Carrier;
  readonly carrierNameOther?: string | null;
};

/**
 * The group with other shipping facts, in whatever status it is; the very same group when nothing changes. A carrier's
 * name goes with `Other` only, and `Other` with a name: VALIDATION_ERRORS on CarrierNameOther.
 */
export function changeShipping(
  group: FulfilmentGroup,
  change: ShippingChange,
): Result<FulfilmentGroup> {
  const { carrier = group.carrier } = change;
  const isOther = carrier === 'Other';
  const name =
    change.carrierNameOther === undefined && isOther
      ? group.carrierNameOther
      : change.carrierNameOther;
  const saysCarrier = change.carrier !== undefined || change.carrierNameOther !== undefined;
  if (saysCarrier && isOther && (name ?? null) === null) {
    return invalid(
      fieldError('carrierNameOther', 'required', 'is required when the carrier is Other'),
    );
  }
  if (!isOther && (name ?? null) !== null) {
    return invalid(
      fieldError('carrierNameOther', 'not_allowed', 'goes with the carrier Other only'),
    );
  }
  const after: FulfilmentGroup = {
    ...group,
    vendorOrderId: change.vendorOrderId === undefined ? group.vendorOrderId : change.vendorOrderId,
    trackingRef: change.trackingRef === undefined ? group.trackingRef : change.trackingRef,
    carrier,
    carrierNameOther: isOther ? (name ?? null) : null,
  };
  const isSame =
    after.vendorOrderId === group.vendorOrderId &&
    after.trackingRef === group.trackingRef &&
    after.carrier === group.carrier &&
    after.carrierNameOther === group.carrierNameOther;
  return ok(isSame ? group : after);
}
