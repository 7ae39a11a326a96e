import { expect } from 'vitest';
import { fieldErrorsOf, itemsOf, refusal, succeeded, type Method } from '../../support/api/api.ts';
import { instant } from '../../support/api/matchers.ts';
import { changeTimeOf, expectUnchanged, orderTest } from './order-fixture.ts';

// A vendor packs, ships, updates and reads one of its own shipments (D140). The rules have their
// cases in `test/domain/orders`.

const test = orderTest
  .extend(
    'send',
    ({ fixture, vendor }) =>
      (method: Method, path: string, body?: unknown) =>
        fixture.send(vendor, method, path, body),
  )
  .extend('pending', ({ fixture, vendor }) => fixture.groupIn('Pending', vendor));

const full = {
  vendorOrderId: 'V-1',
  trackingRef: 'T-1',
  carrier: 'Other',
  carrierNameOther: 'x'.repeat(255),
};

test('returns the changed shipment as it is read and listed, with a new change time', async ({
  gateway,
  send,
  pending: id,
}) => {
  const none = { packedAt: null, shippedAt: null, deliveredAt: null };
  let before = await changeTimeOf(gateway, id);
  let expected: object = { groupId: id, status: 'Pending', ...none };
  for (const [method, path, body, change] of [
    ['PATCH', '', full, full],
    ['POST', '/pack', undefined, { status: 'Packed', packedAt: instant }],
    ['POST', '/ship', undefined, { status: 'Shipped', shippedAt: instant }],
  ] as const) {
    const response = await send(method, `/${id.toUpperCase()}${path}`, body);
    expected = { ...expected, ...change };
    expect(response).toMatchObject({ status: 200, details: {}, payload: expected });
    const read = await send('GET', `/${id.toUpperCase()}`);
    expect(read).toMatchObject({ status: 200, details: {} });
    expect(read.payload).toStrictEqual(response.payload);
    expect(itemsOf(await send('GET', '?pageSize=100'))).toContainEqual(response.payload);
    const after = await changeTimeOf(gateway, id);
    expect(after > before).toBe(true);
    before = after;
  }
});

test('keeps a field that is absent or null, clears a blank one', async ({ send, pending: id }) => {
  const text = '𝔸é '.repeat(85);
  for (const [body, stored] of [
    [{ trackingRef: text, carrier: 'CarrierB' }, [null, text, 'CarrierB']],
    [{ vendorOrderId: text }, [text, text, 'CarrierB']],
    [{ trackingRef: '', vendorOrderId: null }, [text, null, 'CarrierB']],
    [{ vendorOrderId: ' \t ', carrier: null }, [null, null, 'CarrierB']],
  ] as const) {
    const { payload } = succeeded(await send('PATCH', `/${id}`, body));
    expect([payload?.['vendorOrderId'], payload?.['trackingRef'], payload?.['carrier']]).toEqual(
      stored,
    );
  }
});

const long = 'x'.repeat(256);

test.for<[object, ...string[]]>([
  [{ carrier: 'Other', carrierNameOther: ' ' }, 'CarrierNameOther required'],
  [{ carrierNameOther: 'Van' }, 'CarrierNameOther not_allowed'],
  [{ carrier: '', trackingRef: 5 }, 'Carrier not_allowed', 'TrackingRef invalid_type'],
  [{ trackingRef: long, vendorOrderId: long }, 'TrackingRef too_long', 'VendorOrderId too_long'],
  [{ carrierNameOther: long }, 'CarrierNameOther too_long'],
  [
    { carrier: 'CarrierA', carrierNameOther: 'Van', trackingRef: 5 },
    'CarrierNameOther not_allowed',
    'TrackingRef invalid_type',
  ],
  [
    { carrier: 'Other', carrierNameOther: '', vendorOrderId: 5 },
    'CarrierNameOther required',
    'VendorOrderId invalid_type',
  ],
  [{ status: 'Shipped' }, 'Status unknown_field'],
])(
  'refuses the update %o, and stores nothing',
  async ([body, ...errors], { gateway, send, pending: id }) => {
    const update = () => send('PATCH', `/${id}`, body);
    const response = await expectUnchanged(gateway, update, { status: 400 });
    expect(fieldErrorsOf(response)).toEqual(errors);
  },
);

test('refuses a name that contradicts the carrier before it looks for the shipment', async ({
  send,
}) => {
  const body = { carrier: 'CarrierA', carrierNameOther: 'Van' };
  const response = await send('PATCH', '/unknown', body);
  expect(fieldErrorsOf(response)).toEqual(['CarrierNameOther not_allowed']);
});

test('carries out either a vendor’s ship or an operator’s concurrent cancel, in 20 rounds', async ({
  gateway,
  fixture,
  vendor,
  send,
}) => {
  for (let round = 0; round < 20; round += 1) {
    const id = await fixture.groupIn('Pending', vendor);
    const ship = () => send('POST', `/${id}/ship`);
    const cancel = () => fixture.operate('PATCH', `/groups/${id}`, { status: 'Cancelled' });
    const calls = round % 2 === 0 ? [ship, cancel] : [cancel, ship];
    const responses = await Promise.all(calls.map((make) => make()));
    const [made, ...others] = responses.filter((response) => response.status === 200);
    expect(others).toEqual([]);
    const status = made?.payload?.['status'];
    expect(responses.find((response) => response !== made)).toMatchObject(
      refusal('BUSINESS_FULFILMENT_GROUP_INVALID_TRANSITION', { status }),
    );
    const isShipped = status === 'Shipped';
    const rows = await gateway.sql`
      select status, shipped_at is not null as is_shipped,
        (select count(*)::int from audit_log where subject_id = ${id}) as entries
      from fulfilment_groups where id = ${id}`;
    expect(rows).toEqual([{ status, isShipped, entries: isShipped ? 0 : 1 }]);
  }
});

test('packs once by twenty concurrent calls, and keeps concurrent updates', async ({
  send,
  pending: id,
}) => {
  const twenty = Array.from({ length: 20 }, (_, index) => index);
  const push = async (body: unknown) => succeeded(await send('PATCH', `/${id}`, body));
  const [packs] = await Promise.all([
    Promise.all(twenty.map(() => send('POST', `/${id}/pack`))),
    Promise.all(twenty.map((index) => push({ trackingRef: `T-${index}` }))),
    Promise.all(twenty.map((index) => push({ vendorOrderId: `V-${index}` }))),
  ]);
  expect(packs.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(packs.filter(({ status }) => status === 422)).toHaveLength(19);
  expect((await send('PATCH', `/${id}`, {})).payload).toMatchObject({
    status: 'Packed',
    trackingRef: expect.stringMatching(/^T-/),
    vendorOrderId: expect.stringMatching(/^V-/),
  });
});
