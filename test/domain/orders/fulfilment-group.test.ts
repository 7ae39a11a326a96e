import { expect, test } from 'vitest';
import { fail, fieldError, invalid, ok } from '../../../domain/errors.ts';
import {
  assignGroup,
  carriers,
  changeShipping,
  moveGroup,
  setGroupStatus,
  type FulfilmentGroup,
  type ShippingChange,
} from '../../../domain/orders/fulfilment-group.ts';
import {
  groupActions,
  groupStatuses,
  type GroupStatus,
} from '../../../domain/orders/fulfilment-status.ts';
import { deepFrozen, now } from '../offers/offer-builders.ts';

const group: FulfilmentGroup = {
  id: 'group-1',
  orderId: 'order-1',
  vendorId: 'vendor-1',
  status: 'Pending',
  vendorOrderId: null,
  trackingRef: null,
  carrier: 'CarrierA',
  carrierNameOther: null,
  packedAt: null,
  shippedAt: null,
  deliveredAt: null,
  shipRecipient: 'Recipient',
  shipLine1: 'Street 1',
  shipLine2: null,
  shipCity: 'City',
  shipRegion: null,
  shipPostalCode: null,
  shipCountry: 'SA',
  shipPhone: '+966500000000',
  lines: [{ lineId: 'line-1', variantId: 'variant-1', sku: 'SKU', quantity: 2 }],
};
const before = new Date(now.getTime() - 1);
const earlier = { packedAt: before, shippedAt: before, deliveredAt: before };

/** What each move leads to and writes. */
const moves = {
  pack: { status: 'Packed', packedAt: now },
  ship: { status: 'Shipped', shippedAt: now },
  deliver: { status: 'Delivered', deliveredAt: now },
  cancel: { status: 'Cancelled' },
  return: { status: 'Returned' },
} as const;
type Move = keyof typeof moves;

/** D39 by hand: the actions from each of the seven statuses of part 2. All others are refused. */
const allowed: Readonly<Record<GroupStatus, readonly (Move | 'assign')[]>> = {
  Pending: ['pack', 'ship', 'cancel'],
  Packed: ['ship', 'cancel'],
  Shipped: ['deliver'],
  Delivered: ['return'],
  Cancelled: [],
  Returned: [],
  PendingSourcing: ['assign', 'cancel'],
};

test('has the statuses, actions and carriers of the specification', () => {
  expect(groupStatuses).toEqual(Object.keys(allowed));
  expect(groupActions).toEqual(['assign', ...Object.keys(moves)]);
  expect(carriers).toEqual(['CarrierA', 'CarrierB', 'CarrierC', 'Other']);
});

test.each(groupStatuses)(
  'moves a %s group by an action or to a status, and writes nothing else (D39)',
  (status) => {
    const refused = (action: string) =>
      fail('BUSINESS_FULFILMENT_GROUP_INVALID_TRANSITION', { status, action });
    for (const vendorId of ['vendor-1', null])
      for (const times of [{}, earlier]) {
        const given = deepFrozen({ ...group, status, vendorId, ...times });
        for (const action of Object.keys(moves) as Move[]) {
          const after = allowed[status].includes(action)
            ? ok({ ...given, ...moves[action] })
            : refused(action);
          expect(moveGroup(given, action, now)).toEqual(after);
          expect(setGroupStatus(given, moves[action].status, now)).toEqual(after);
        }
        for (const wanted of ['Pending', 'PendingSourcing'] as const)
          expect(setGroupStatus(given, wanted, now)).toEqual(refused(`set ${wanted}`));
        expect(assignGroup(given, 'vendor-2')).toEqual(
          allowed[status].includes('assign')
            ? ok({ ...given, status: 'Pending', vendorId: 'vendor-2' })
            : refused('assign'),
        );
      }
  },
);

const named = { carrier: 'Other', carrierNameOther: 'Camel Express' } as const;
const full = { vendorOrderId: 'V-1', trackingRef: 'T-1' };
const all = { ...full, ...named };
const carrierA = { carrier: 'CarrierA', carrierNameOther: null } as const;
const carrierB = { carrier: 'CarrierB', carrierNameOther: null } as const;
const dhow = { carrierNameOther: 'Dhow' };

test.each<[Partial<FulfilmentGroup>, ShippingChange, Partial<FulfilmentGroup>]>([
  [{}, { vendorOrderId: 'V-1' }, { vendorOrderId: 'V-1' }],
  [full, { vendorOrderId: 'V-2' }, { vendorOrderId: 'V-2' }],
  [full, { vendorOrderId: null }, { vendorOrderId: null }],
  [{}, { trackingRef: 'T-1' }, { trackingRef: 'T-1' }],
  [full, { trackingRef: null }, { trackingRef: null }],
  [{}, { carrier: 'CarrierC' }, { carrier: 'CarrierC' }],
  [{}, carrierB, carrierB],
  [{}, named, named],
  [named, dhow, dhow],
  [named, { ...named, ...dhow }, dhow],
  // A known carrier clears the name.
  [named, { carrier: 'CarrierA' }, carrierA],
  [named, carrierB, carrierB],
  [named, { trackingRef: 'T-2' }, { trackingRef: 'T-2' }],
  [{}, all, all],
  // A stored carrier Other without a name.
  [{ carrier: 'Other' }, { trackingRef: 'T-1' }, { trackingRef: 'T-1' }],
])('changes %j by %j to %j, in any status', (given, change, after) => {
  for (const status of groupStatuses) {
    const changed = deepFrozen({ ...group, ...given, status });
    expect(changeShipping(changed, change)).toEqual(ok({ ...changed, ...after }));
  }
});

test.each<[Partial<FulfilmentGroup>, ShippingChange]>([
  [full, {}],
  [full, full],
  [{}, { vendorOrderId: null, trackingRef: null }],
  [{}, { carrier: 'CarrierA' }],
  [{}, { carrierNameOther: null }],
  [named, { carrier: 'Other' }],
  [named, { carrierNameOther: 'Camel Express' }],
  [all, all],
])('returns the same group for %j with %j', (given, change) => {
  const unchanged = deepFrozen({ ...group, ...given });
  const result = changeShipping(unchanged, change);
  expect(result.ok && result.value).toBe(unchanged);
});

const required = ['required', 'is required when the carrier is Other'] as const;
const notAllowed = ['not_allowed', 'is allowed only when the carrier is Other'] as const;

test.each<[Partial<FulfilmentGroup>, ShippingChange, typeof required | typeof notAllowed]>([
  [{}, { carrier: 'Other' }, required],
  [{}, { carrier: 'Other', carrierNameOther: null }, required],
  [named, { carrierNameOther: null }, required],
  [named, { carrier: 'Other', carrierNameOther: null }, required],
  [{ carrier: 'Other' }, { carrier: 'Other' }, required],
  [{}, dhow, notAllowed],
  [{}, { carrier: 'CarrierB', ...dhow }, notAllowed],
  [named, { carrier: 'CarrierA', ...dhow }, notAllowed],
  [named, { ...named, carrier: 'CarrierA' }, notAllowed],
])('refuses %j with %j: %j', (given, change, [code, message]) => {
  expect(changeShipping({ ...group, ...given }, change)).toEqual(
    invalid(fieldError('carrierNameOther', code, message)),
  );
});
