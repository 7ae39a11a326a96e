import { fail, fieldError, invalid, ok, type Result } from '../errors.ts';
import {
  actionTowards,
  findGroupTransition,
  type GroupAction,
  type GroupStatus,
} from './fulfilment-status.ts';

export const carriers = ['CarrierA', 'CarrierB', 'CarrierC', 'Other'] as const;
export type Carrier = (typeof carriers)[number];

/** A line of a group. `sku` is the variant's, active or not. */
export type OrderLine = {
  readonly lineId: string;
  readonly variantId: string;
  readonly sku: string;
  readonly quantity: number;
};

/** The address of an order. Personal data: only the record and the vendor's responses hold it. */
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

/** The same, with the names that a group has for it. */
export type ShippingAddress = {
  readonly [TPart in keyof ShipTo as `ship${Capitalize<TPart>}`]: ShipTo[TPart];
};

/** The part of an order that one vendor ships, or the service itself (`vendorId` null). */
export type FulfilmentGroup = ShippingAddress & {
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
  readonly lines: readonly OrderLine[];
};

const refused = (group: FulfilmentGroup, action: string): Result<never> =>
  fail('BUSINESS_FULFILMENT_GROUP_INVALID_TRANSITION', { status: group.status, action });

/** The group after an action. Fails with BUSINESS_FULFILMENT_GROUP_INVALID_TRANSITION. */
export function moveGroup(
  group: FulfilmentGroup,
  action: Exclude<GroupAction, 'assign'>,
  now: Date,
): Result<FulfilmentGroup> {
  const transition = findGroupTransition(group.status, action);
  if (transition === null) return refused(group, action);
  const { to: status, sets } = transition;
  return ok({ ...group, status, ...(sets === null ? {} : { [sets]: now }) });
}

/** The group with the status that an operator sets; a status that no action leads to is refused. */
export function setGroupStatus(
  group: FulfilmentGroup,
  status: GroupStatus,
  now: Date,
): Result<FulfilmentGroup> {
  const action = actionTowards(status);
  return action === null ? refused(group, `set ${status}`) : moveGroup(group, action, now);
}

/** The group of a vendor, from PendingSourcing. */
export function assignGroup(group: FulfilmentGroup, vendorId: string): Result<FulfilmentGroup> {
  const transition = findGroupTransition(group.status, 'assign');
  if (transition === null) return refused(group, 'assign');
  return ok({ ...group, vendorId, status: transition.to });
}

/** Changed shipping details. Absent keeps a field; null clears a text, and keeps the carrier. */
export type ShippingChange = {
  readonly vendorOrderId?: string | null | undefined;
  readonly trackingRef?: string | null | undefined;
  readonly carrier?: Carrier | null | undefined;
  readonly carrierNameOther?: string | null | undefined;
};

const shippingFields = ['vendorOrderId', 'trackingRef', 'carrier', 'carrierNameOther'] as const;
const nameRequired = fieldError(
  'carrierNameOther',
  'required',
  'is required when the carrier is Other',
);
const nameNotAllowed = fieldError(
  'carrierNameOther',
  'not_allowed',
  'is allowed only when the carrier is Other',
);

/**
 * The group with other shipping details, in any status; the same object when nothing changes. The
 * carrier `Other` requires a name, and no other carrier allows one: VALIDATION_ERRORS on
 * CarrierNameOther. Another carrier clears a stored name.
 */
export function changeShipping(
  group: FulfilmentGroup,
  change: ShippingChange,
): Result<FulfilmentGroup> {
  const { vendorOrderId = group.vendorOrderId, trackingRef = group.trackingRef } = change;
  const carrier = change.carrier ?? group.carrier;
  const isOther = carrier === 'Other';
  const { carrierNameOther = isOther ? group.carrierNameOther : null } = change;
  const changesCarrier =
    typeof change.carrier === 'string' || change.carrierNameOther !== undefined;
  if (changesCarrier && isOther && carrierNameOther === null) return invalid(nameRequired);
  if (!isOther && carrierNameOther !== null) return invalid(nameNotAllowed);
  const after: FulfilmentGroup = {
    ...group,
    vendorOrderId,
    trackingRef,
    carrier,
    carrierNameOther,
  };
  return ok(shippingFields.every((name) => after[name] === group[name]) ? group : after);
}
