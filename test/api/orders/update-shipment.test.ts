import { expect } from 'vitest';
import { fieldErrorsOf } from '../../support/api/api.ts';
import {
  changeTimeOf,
  expectGroupUnchanged,
  orderTest as test,
  succeeded,
} from './order-fixture.ts';

// What a vendor stores of a shipment. The rules have their cases in
// `test/domain/orders/fulfilment-shipping.test.ts`.

const full = {
  vendorOrderId: 'V-1',
  trackingRef: 'T-1',
  carrier: 'Other',
  carrierNameOther: 'Own van',
};

test('stores and lists the facts, with a new change time and the same status', async ({
  gateway,
  fixture,
  vendor,
}) => {
  const id = await fixture.groupIn('Pending', vendor);
  const before = await changeTimeOf(gateway, id);
  const answer = await fixture.send(vendor, 'PATCH', `/${id.toUpperCase()}`, full);
  expect(answer).toMatchObject({ status: 200, state: 'SUCCESS', details: {} });
  expect(answer.payload).toMatchObject({ groupId: id, status: 'Pending', ...full });
  const list = await fixture.send(vendor, 'GET', '?pageSize=100');
  expect(list.payload).toMatchObject({ items: expect.arrayContaining([answer.payload]) });
  expect((await changeTimeOf(gateway, id)) > before).toBe(true);
});

test('keeps a field that is absent or null, and clears a blank one', async ({
  fixture,
  vendor,
}) => {
  const id = await fixture.groupIn('Pending', vendor);
  const text = '𝔸é '.repeat(85);
  for (const [body, stored] of [
    [
      { trackingRef: text, carrier: 'CarrierB' },
      { trackingRef: text, carrier: 'CarrierB' },
    ],
    [{ vendorOrderId: text }, { trackingRef: text, vendorOrderId: text }],
    [
      { trackingRef: '', vendorOrderId: null },
      { trackingRef: null, vendorOrderId: text },
    ],
    [
      { vendorOrderId: ' \t ', carrier: null },
      { vendorOrderId: null, carrier: 'CarrierB' },
    ],
  ] as const) {
    const answer = succeeded(await fixture.send(vendor, 'PATCH', `/${id}`, body));
    expect(answer.payload).toMatchObject(stored);
  }
});

test('changes nothing for the stored facts, the change time included', async ({
  gateway,
  fixture,
  vendor,
}) => {
  const id = await fixture.groupIn('Pending', vendor);
  succeeded(await fixture.send(vendor, 'PATCH', `/${id}`, full));
  const nulls = Object.fromEntries(Object.keys(full).map((name) => [name, null]));
  for (const body of [{}, nulls, full, { carrier: 'Other' }]) {
    const call = () => fixture.send(vendor, 'PATCH', `/${id}`, body);
    await expectGroupUnchanged(gateway, id, call, { status: 200, payload: full });
  }
});

test('refuses a malformed body, and stores nothing', async ({ gateway, fixture, vendor }) => {
  const id = await fixture.groupIn('Pending', vendor);
  const long = 'x'.repeat(256);
  for (const [body, ...errors] of [
    [{ carrier: 'Other', carrierNameOther: ' ' }, 'CarrierNameOther required'],
    [{ carrierNameOther: 'Van' }, 'CarrierNameOther not_allowed'],
    [{ carrier: '', trackingRef: 5 }, 'Carrier not_allowed', 'TrackingRef invalid_type'],
    [
      { trackingRef: long, vendorOrderId: long, carrierNameOther: long },
      'CarrierNameOther too_long',
      'TrackingRef too_long',
      'VendorOrderId too_long',
    ],
    [{ status: 'Shipped' }, 'Status unknown_field'],
  ] as const) {
    const call = () => fixture.send(vendor, 'PATCH', `/${id}`, body);
    const answer = await expectGroupUnchanged(gateway, id, call, { status: 400 });
    expect(fieldErrorsOf(answer)).toEqual(errors);
  }
});
