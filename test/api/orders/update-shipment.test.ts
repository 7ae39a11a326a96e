import { expect } from 'vitest';
import { fieldErrorsOf, unknownId } from '../support/api.ts';
import { changeTimeOf, expectGroupUnchanged, succeeded } from './order-fixture.ts';
import { listed, patch, pending, test } from './vendor-group-shipping-fixture.ts';

// What a vendor stores of a shipment. The rules have their cases in
// `test/domain/orders/fulfilment-shipping.test.ts`.

const full = {
  vendorOrderId: 'V-1',
  trackingRef: 'T-1',
  carrier: 'Other',
  carrierNameOther: 'Own van',
};

test('the facts are stored, listed, and change the change time but not the status', async ({
  gateway,
  fixture,
  vendor,
}) => {
  const id = await pending(fixture, vendor);
  const before = await changeTimeOf(gateway, id);
  const answer = await patch(fixture, vendor, id.toUpperCase(), full);
  expect(answer).toMatchObject({ status: 200, state: 'SUCCESS', details: {} });
  expect(answer.payload).toMatchObject({ groupId: id, status: 'Pending', ...full });
  expect(await listed(fixture, vendor)).toMatchObject({
    items: expect.arrayContaining([answer.payload]),
  });
  expect((await changeTimeOf(gateway, id)) > before).toBe(true);
});

test('a field that is absent or null stays, and a blank one is cleared', async ({
  fixture,
  vendor,
}) => {
  const id = await pending(fixture, vendor);
  succeeded(
    await patch(fixture, vendor, id, { ...full, carrier: 'CarrierB', carrierNameOther: null }),
  );
  const kept = { vendorOrderId: null, trackingRef: '', carrier: null };
  expect((await patch(fixture, vendor, id, kept)).payload).toMatchObject({
    vendorOrderId: 'V-1',
    trackingRef: null,
    carrier: 'CarrierB',
  });
  expect((await patch(fixture, vendor, id, { vendorOrderId: ' \t ' })).payload).toMatchObject({
    vendorOrderId: null,
  });
});

test.for([
  [{}],
  [{ vendorOrderId: null, trackingRef: null, carrier: null, carrierNameOther: null }],
  [full],
  [{ carrier: 'Other' }],
] as const)(
  '%j changes nothing, the change time included',
  async ([body], { gateway, fixture, vendor }) => {
    const id = await pending(fixture, vendor);
    succeeded(await patch(fixture, vendor, id, full));
    await expectGroupUnchanged(gateway, id, () => patch(fixture, vendor, id, body), {
      status: 200,
      payload: full,
    });
  },
);

test('a text has up to 255 characters', async ({ fixture, vendor }) => {
  const id = await pending(fixture, vendor);
  const text = '𝔸é '.repeat(85);
  const given = { trackingRef: text, vendorOrderId: text };
  expect((await patch(fixture, vendor, id, given)).payload).toMatchObject(given);
});

test.for<[unknown, readonly string[]]>([
  [{ carrier: 'Other' }, ['CarrierNameOther required']],
  [{ carrier: 'Other', carrierNameOther: ' ' }, ['CarrierNameOther required']],
  [{ carrierNameOther: 'Van' }, ['CarrierNameOther not_allowed']],
  [{ carrier: '' }, ['Carrier not_allowed']],
  [
    { trackingRef: 5, vendorOrderId: 'a\0' },
    ['TrackingRef invalid_type', 'VendorOrderId invalid_characters'],
  ],
  [
    {
      trackingRef: 'x'.repeat(256),
      vendorOrderId: 'x'.repeat(256),
      carrierNameOther: 'x'.repeat(256),
    },
    ['CarrierNameOther too_long', 'TrackingRef too_long', 'VendorOrderId too_long'],
  ],
  [{ status: 'Shipped', packedAt: null }, ['PackedAt unknown_field', 'Status unknown_field']],
  [[], ['Body invalid_type']],
])('%j is 400 %j and stores nothing', async ([body, errors], { gateway, fixture, vendor }) => {
  const id = await pending(fixture, vendor);
  const answer = await expectGroupUnchanged(gateway, id, () => patch(fixture, vendor, id, body), {
    status: 400,
    state: 'VALIDATION_ERRORS',
  });
  expect(fieldErrorsOf(answer)).toEqual(errors);
  expect((await patch(fixture, vendor, unknownId(), { carrier: 1 })).status).toBe(400);
});
