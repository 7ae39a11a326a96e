import { describe, expect } from 'vitest';
import { groupStatuses } from '../../../domain/orders/fulfilment-status.ts';
import { changeTimeOf, expectGroupUnchanged, succeeded } from './order-fixture.ts';
import { fieldErrorsOf } from '../support/api.ts';
import { test, patch, pending, listed } from './vendor-group-shipping-fixture.ts';

describe('what a vendor pushes of a shipment', () => {
  test('is stored, answered in the form of the list, and moves the change time', async ({
    gateway,
    fixture,
    vendor,
  }) => {
    const id = await pending(fixture, vendor);
    const before = await changeTimeOf(gateway, id);
    const body = {
      vendorOrderId: 'V-1',
      trackingRef: 'T-1',
      carrier: 'Other',
      carrierNameOther: 'Own van',
    };
    const answer = await patch(fixture, vendor, id, body);
    expect(answer).toMatchObject({ status: 200, state: 'SUCCESS', details: {} });
    expect(answer.payload).toMatchObject({ groupId: id, status: 'Pending', ...body });
    expect(await listed(fixture, vendor)).toMatchObject({
      items: expect.arrayContaining([answer.payload]),
    });
    expect((await changeTimeOf(gateway, id)) > before).toBe(true);
  });

  test('is partial: an absent or null field stays, a blank one is cleared', async ({
    fixture,
    vendor,
  }) => {
    const id = await pending(fixture, vendor);
    succeeded(
      await patch(fixture, vendor, id, {
        vendorOrderId: 'V-1',
        trackingRef: 'T-1',
        carrier: 'CarrierB',
      }),
    );
    expect((await patch(fixture, vendor, id, { trackingRef: 'T-2' })).payload).toMatchObject({
      vendorOrderId: 'V-1',
      trackingRef: 'T-2',
      carrier: 'CarrierB',
    });
    expect(
      (await patch(fixture, vendor, id, { vendorOrderId: null, trackingRef: '', carrier: null }))
        .payload,
    ).toMatchObject({
      vendorOrderId: 'V-1',
      trackingRef: null,
      carrier: 'CarrierB',
    });
    expect((await patch(fixture, vendor, id, { vendorOrderId: ' \t ' })).payload).toMatchObject({
      vendorOrderId: null,
    });
  });

  test.for([
    ['an empty object', {}],
    [
      'nothing but nulls',
      { vendorOrderId: null, trackingRef: null, carrier: null, carrierNameOther: null },
    ],
    [
      'what is stored',
      { vendorOrderId: 'V-1', trackingRef: 'T-1', carrier: 'Other', carrierNameOther: 'Van' },
    ],
    ['the stored carrier alone', { carrier: 'Other' }],
    ['the stored name alone', { carrierNameOther: 'Van' }],
  ] as const)(
    'changes nothing, the change time included, when it is %s',
    async ([_name, body], { gateway, fixture, vendor }) => {
      const id = await pending(fixture, vendor);
      const stored = {
        vendorOrderId: 'V-1',
        trackingRef: 'T-1',
        carrier: 'Other',
        carrierNameOther: 'Van',
      };
      succeeded(await patch(fixture, vendor, id, stored));
      await expectGroupUnchanged(gateway, id, () => patch(fixture, vendor, id, body), {
        status: 200,
        payload: stored,
      });
    },
  );

  test('is nothing when a blank clears what is not there', async ({ gateway, fixture, vendor }) => {
    const id = await pending(fixture, vendor);
    const body = { vendorOrderId: '', trackingRef: ' ', carrierNameOther: '' };
    await expectGroupUnchanged(gateway, id, () => patch(fixture, vendor, id, body), {
      status: 200,
    });
  });

  test('may come in every status, which it does not move', async ({ fixture, vendor }) => {
    for (const status of groupStatuses.filter((one) => one !== 'PendingSourcing')) {
      const id = await fixture.groupIn(status, vendor);
      expect(await patch(fixture, vendor, id, { trackingRef: `T-${status}` })).toMatchObject({
        status: 200,
        payload: { status, trackingRef: `T-${status}` },
      });
    }
  });

  test('is kept as it was said, to the last of 255 characters', async ({ fixture, vendor }) => {
    const id = await pending(fixture, vendor);
    const text = '𝔸é '.repeat(85);
    const answer = await patch(fixture, vendor, id, { trackingRef: text, vendorOrderId: text });
    expect(answer.payload).toMatchObject({ trackingRef: text, vendorOrderId: text });
    const refused = await patch(fixture, vendor, id, {
      trackingRef: `${text}x`,
      vendorOrderId: `${text}x`,
    });
    expect(fieldErrorsOf(refused)).toEqual(['TrackingRef too_long', 'VendorOrderId too_long']);
  });
});

describe("a carrier's own name", () => {
  test.for<[string, object, object, object | string]>([
    [
      'goes with Other',
      {},
      { carrier: 'Other', carrierNameOther: 'Van' },
      { carrierNameOther: 'Van' },
    ],
    ['is needed with Other', {}, { carrier: 'Other' }, 'CarrierNameOther required'],
    [
      'is needed with Other, and null is none',
      {},
      { carrier: 'Other', carrierNameOther: null },
      'CarrierNameOther required',
    ],
    [
      'is needed with Other, and blank is none',
      {},
      { carrier: 'Other', carrierNameOther: ' ' },
      'CarrierNameOther required',
    ],
    [
      'goes with no other carrier',
      {},
      { carrier: 'CarrierB', carrierNameOther: 'Van' },
      'CarrierNameOther not_allowed',
    ],
    [
      'goes with no other carrier that is stored',
      {},
      { carrierNameOther: 'Van' },
      'CarrierNameOther not_allowed',
    ],
    [
      'may be changed alone',
      { carrier: 'Other', carrierNameOther: 'Van' },
      { carrierNameOther: 'Bike' },
      { carrier: 'Other', carrierNameOther: 'Bike' },
    ],
    [
      'is not to be cleared while the carrier is Other',
      { carrier: 'Other', carrierNameOther: 'Van' },
      { carrierNameOther: '' },
      'CarrierNameOther required',
    ],
    [
      'goes with Other when another carrier comes',
      { carrier: 'Other', carrierNameOther: 'Van' },
      { carrier: 'CarrierC' },
      { carrier: 'CarrierC', carrierNameOther: null },
    ],
    [
      'cannot be changed along with another carrier',
      { carrier: 'Other', carrierNameOther: 'Van' },
      { carrier: 'CarrierC', carrierNameOther: 'Bike' },
      'CarrierNameOther not_allowed',
    ],
  ] as const)('%s', async ([_name, stored, body, expected], { gateway, fixture, vendor }) => {
    const id = await pending(fixture, vendor);
    succeeded(await patch(fixture, vendor, id, stored));
    if (typeof expected !== 'string') {
      expect(await patch(fixture, vendor, id, body)).toMatchObject({
        status: 200,
        payload: expected,
      });
      return;
    }
    const answer = await expectGroupUnchanged(gateway, id, () => patch(fixture, vendor, id, body), {
      status: 400,
      state: 'VALIDATION_ERRORS',
    });
    expect(fieldErrorsOf(answer)).toEqual([expected]);
  });
});

test.for<[unknown, readonly string[]]>([
  [{ carrier: 'carrierA' }, ['Carrier not_allowed']],
  [{ carrier: '' }, ['Carrier not_allowed']],
  [
    { trackingRef: 5, vendorOrderId: false },
    ['TrackingRef invalid_type', 'VendorOrderId invalid_type'],
  ],
  [{ trackingRef: 'a\0' }, ['TrackingRef invalid_characters']],
  [{ status: 'Shipped' }, ['Status unknown_field']],
  [{ packedAt: null, shipPhone: '1' }, ['PackedAt unknown_field', 'ShipPhone unknown_field']],
  [[], ['Body invalid_type']],
] as const)(
  'a push of %j is refused, and stores nothing',
  async ([body, errors], { gateway, fixture, vendor }) => {
    const id = await pending(fixture, vendor);
    const answer = await expectGroupUnchanged(gateway, id, () => patch(fixture, vendor, id, body), {
      status: 400,
      state: 'VALIDATION_ERRORS',
    });
    expect(fieldErrorsOf(answer)).toEqual(errors);
  },
);
