import { expect, test } from 'vitest';
import {
  changeShipping,
  type FulfilmentGroup,
  type ShippingChange,
} from '../../../domain/orders/fulfilment-group.ts';
import { deepFrozen, expectFailure, expectValue } from '../offers/offer-builders.ts';
import { groupIn, groupStatusesOfPart2 } from './group-builders.ts';

const named = { carrier: 'Other', carrierNameOther: 'Camel Express' } as const;
const full = { vendorOrderId: 'V-1', trackingRef: 'T-1' };

const changed = (given: Partial<FulfilmentGroup>, change: ShippingChange) => {
  const before = deepFrozen(groupIn('Pending', given));
  return { before, result: changeShipping(before, change) };
};

type Case = readonly [
  what: string,
  given: Partial<FulfilmentGroup>,
  change: ShippingChange,
  after: Partial<FulfilmentGroup>,
];

test.each<Case>([
  ['a reference of the vendor’s own', {}, { vendorOrderId: 'V-1' }, { vendorOrderId: 'V-1' }],
  ['another reference', full, { vendorOrderId: 'V-2' }, { vendorOrderId: 'V-2' }],
  ['no reference any more', full, { vendorOrderId: null }, { vendorOrderId: null }],
  ['a tracking reference', {}, { trackingRef: 'T-1' }, { trackingRef: 'T-1' }],
  ['no tracking reference any more', full, { trackingRef: null }, { trackingRef: null }],
  ['another carrier', {}, { carrier: 'CarrierC' }, { carrier: 'CarrierC' }],
  [
    'another carrier, and no name',
    {},
    { carrier: 'CarrierB', carrierNameOther: null },
    { carrier: 'CarrierB' },
  ],
  ['a carrier of another name', {}, named, named],
  ['another name', named, { carrierNameOther: 'Dhow' }, { carrierNameOther: 'Dhow' }],
  [
    'another name, with the same carrier',
    named,
    { ...named, carrierNameOther: 'Dhow' },
    { carrierNameOther: 'Dhow' },
  ],
  [
    'a known carrier, which drops the name',
    named,
    { carrier: 'CarrierA' },
    { carrier: 'CarrierA', carrierNameOther: null },
  ],
  [
    'a known carrier, the name cleared with it',
    named,
    { carrier: 'CarrierB', carrierNameOther: null },
    { carrier: 'CarrierB', carrierNameOther: null },
  ],
  ['a reference beside a name', named, { trackingRef: 'T-2' }, { trackingRef: 'T-2' }],
  ['everything at once', {}, { ...full, ...named }, { ...full, ...named }],
])('%s is stored, and nothing else changes', (_what, given, change, after) => {
  const { before, result } = changed(given, change);
  expect(expectValue(result)).toEqual({ ...before, ...after });
});

test.each<readonly [string, Partial<FulfilmentGroup>, ShippingChange]>([
  ['nothing', full, {}],
  ['the same references', full, full],
  ['no references where there are none', {}, { vendorOrderId: null, trackingRef: null }],
  ['the same carrier', {}, { carrier: 'CarrierA' }],
  ['no name where a carrier is known', {}, { carrierNameOther: null }],
  ['Other again, which keeps its name', named, { carrier: 'Other' }],
  ['the same name', named, { carrierNameOther: 'Camel Express' }],
  ['everything as it is', { ...full, ...named }, { ...full, ...named }],
])('%s changes nothing and returns the same group', (_what, given, change) => {
  const { before, result } = changed(given, change);
  expect(expectValue(result)).toBe(before);
});

const refusal = (code: string, message: string) => ({
  code: 'VALIDATION_ERRORS',
  details: { errors: [{ field: 'CarrierNameOther', path: '/carrierNameOther', code, message }] },
});

test.each<readonly [string, Partial<FulfilmentGroup>, ShippingChange]>([
  ['without one', {}, { carrier: 'Other' }],
  ['with none', {}, { carrier: 'Other', carrierNameOther: null }],
  ['whose name is cleared', named, { carrierNameOther: null }],
  ['sent again, whose name is cleared', named, { carrier: 'Other', carrierNameOther: null }],
])('a carrier Other has a name: one %s is refused', (_what, given, change) => {
  const { result } = changed(given, change);
  expect(expectFailure(result)).toEqual(
    refusal('required', 'is required when the carrier is Other'),
  );
});

test.each<readonly [string, Partial<FulfilmentGroup>, ShippingChange]>([
  ['that it has', {}, { carrierNameOther: 'Dhow' }],
  ['that it gets', {}, { carrier: 'CarrierB', carrierNameOther: 'Dhow' }],
  ['that it gets instead of Other', named, { carrier: 'CarrierA', carrierNameOther: 'Dhow' }],
  ['with the name that Other had', named, { ...named, carrier: 'CarrierA' }],
])(
  'a name goes with Other only: beside a known carrier %s it is refused',
  (_what, given, change) => {
    const { result } = changed(given, change);
    expect(expectFailure(result)).toEqual(
      refusal('not_allowed', 'is allowed only when the carrier is Other'),
    );
  },
);

test('a carrier Other without a name asks for one only if the carrier is sent', () => {
  const given = { carrier: 'Other' } as const;
  const { before, result } = changed(given, { trackingRef: 'T-1' });
  expect(expectValue(result)).toEqual({ ...before, trackingRef: 'T-1' });
  expect(expectFailure(changed(given, { carrier: 'Other' }).result).code).toBe('VALIDATION_ERRORS');
});

test.each(groupStatusesOfPart2)('a %s group takes other facts and keeps its status', (status) => {
  const before = deepFrozen(groupIn(status));
  const facts = { ...full, ...named };
  expect(expectValue(changeShipping(before, facts))).toEqual({ ...before, ...facts });
});
