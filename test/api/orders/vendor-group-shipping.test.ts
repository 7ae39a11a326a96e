import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { capabilities } from '../../../domain/accounts/capabilities.ts';
import { groupStatuses, type GroupStatus } from '../../../domain/orders/fulfilment-status.ts';
import { newVendor, tokenWith, type TestVendor } from '../support/actors.ts';
import {
  changeTimeOf,
  expectGroupUnchanged,
  newOrderBench,
  succeeded,
  type OrderBench,
} from './order-fixture.ts';
import {
  fieldErrorsOf,
  refusal,
  startGateway,
  unknownId,
  type Answer,
  type Gateway,
} from '../support/api.ts';

let gateway: Gateway;
let bench: OrderBench;
let vendor: TestVendor;

beforeAll(async () => {
  gateway = await startGateway();
  bench = await newOrderBench(gateway);
  vendor = await newVendor(gateway);
});
afterAll(() => gateway.close());

const patch = (id: string, body: unknown) => bench.send(vendor, 'PATCH', `/${id}`, body);
const post = (id: string, action: string) => bench.send(vendor, 'POST', `/${id}/${action}`);
const pending = () => bench.groupIn('Pending', vendor);
const listed = async () => (await bench.send(vendor, 'GET', '?pageSize=100')).payload;
const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

describe('what a vendor pushes of a shipment', () => {
  test('is stored, answered in the form of the list, and moves the change time', async () => {
    const id = await pending();
    const before = await changeTimeOf(gateway, id);
    const body = {
      vendorOrderId: 'V-1',
      trackingRef: 'T-1',
      carrier: 'Other',
      carrierNameOther: 'Own van',
    };
    const answer = await patch(id, body);
    expect(answer).toMatchObject({ status: 200, state: 'SUCCESS', details: {} });
    expect(answer.payload).toMatchObject({ groupId: id, status: 'Pending', ...body });
    expect(await listed()).toMatchObject({ items: expect.arrayContaining([answer.payload]) });
    expect((await changeTimeOf(gateway, id)) > before).toBe(true);
  });

  test('is told in part: what is absent or null stays, what is blank is cleared', async () => {
    const id = await pending();
    succeeded(await patch(id, { vendorOrderId: 'V-1', trackingRef: 'T-1', carrier: 'CarrierB' }));
    expect((await patch(id, { trackingRef: 'T-2' })).payload).toMatchObject({
      vendorOrderId: 'V-1',
      trackingRef: 'T-2',
      carrier: 'CarrierB',
    });
    expect(
      (await patch(id, { vendorOrderId: null, trackingRef: '', carrier: null })).payload,
    ).toMatchObject({
      vendorOrderId: 'V-1',
      trackingRef: null,
      carrier: 'CarrierB',
    });
    expect((await patch(id, { vendorOrderId: ' \t ' })).payload).toMatchObject({
      vendorOrderId: null,
    });
  });

  test.each([
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
  ])('changes nothing, the change time included, when it is %s', async (_name, body) => {
    const id = await pending();
    const stored = {
      vendorOrderId: 'V-1',
      trackingRef: 'T-1',
      carrier: 'Other',
      carrierNameOther: 'Van',
    };
    succeeded(await patch(id, stored));
    await expectGroupUnchanged(gateway, id, () => patch(id, body), {
      status: 200,
      payload: stored,
    });
  });

  test('is nothing when a blank clears what is not there', async () => {
    const id = await pending();
    const body = { vendorOrderId: '', trackingRef: ' ', carrierNameOther: '' };
    await expectGroupUnchanged(gateway, id, () => patch(id, body), { status: 200 });
  });

  test('may come in every status, which it does not move', async () => {
    for (const status of groupStatuses.filter((one) => one !== 'PendingSourcing')) {
      const id = await bench.groupIn(status, vendor);
      expect(await patch(id, { trackingRef: `T-${status}` })).toMatchObject({
        status: 200,
        payload: { status, trackingRef: `T-${status}` },
      });
    }
  });

  test('is kept as it was said, to the last of 255 characters', async () => {
    const id = await pending();
    const text = '𝔸é '.repeat(85);
    const answer = await patch(id, { trackingRef: text, vendorOrderId: text });
    expect(answer.payload).toMatchObject({ trackingRef: text, vendorOrderId: text });
    const refused = await patch(id, { trackingRef: `${text}x`, vendorOrderId: `${text}x` });
    expect(fieldErrorsOf(refused)).toEqual(['TrackingRef too_long', 'VendorOrderId too_long']);
  });
});

describe("a carrier's own name", () => {
  test.each<[string, object, object, object | string]>([
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
  ])('%s', async (_name, stored, body, expected) => {
    const id = await pending();
    succeeded(await patch(id, stored));
    if (typeof expected !== 'string') {
      expect(await patch(id, body)).toMatchObject({ status: 200, payload: expected });
      return;
    }
    const answer = await expectGroupUnchanged(gateway, id, () => patch(id, body), {
      status: 400,
      state: 'VALIDATION_ERRORS',
    });
    expect(fieldErrorsOf(answer)).toEqual([expected]);
  });
});

test.each<[unknown, readonly string[]]>([
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
])('a push of %j is refused, and stores nothing', async (body, errors) => {
  const id = await pending();
  const answer = await expectGroupUnchanged(gateway, id, () => patch(id, body), {
    status: 400,
    state: 'VALIDATION_ERRORS',
  });
  expect(fieldErrorsOf(answer)).toEqual(errors);
});

describe('pack and ship', () => {
  test('move a shipment on, each with its date, and the change time with it', async () => {
    const id = await pending();
    const times = [await changeTimeOf(gateway, id)];
    const packed = await post(id, 'pack');
    expect(packed).toMatchObject({
      status: 200,
      details: {},
      payload: {
        groupId: id,
        status: 'Packed',
        packedAt: instant,
        shippedAt: null,
        deliveredAt: null,
      },
    });
    times.push(await changeTimeOf(gateway, id));
    const shipped = await post(id, 'ship');
    expect(shipped).toMatchObject({
      status: 200,
      payload: { ...packed.payload, status: 'Shipped', shippedAt: instant },
    });
    times.push(await changeTimeOf(gateway, id));
    expect(times).toEqual([...new Set(times)].toSorted());
    expect(await listed()).toMatchObject({ items: expect.arrayContaining([shipped.payload]) });
  });

  test('ship may come without pack', async () => {
    const id = await pending();
    expect((await post(id, 'ship')).payload).toMatchObject({ status: 'Shipped', packedAt: null });
  });

  const refused: readonly (readonly [string, readonly GroupStatus[]])[] = [
    ['pack', ['Packed', 'Shipped', 'Delivered', 'Returned', 'Cancelled']],
    ['ship', ['Shipped', 'Delivered', 'Returned', 'Cancelled']],
  ];
  test.each(refused)(
    '%s is refused in every other status, and stores nothing',
    async (action, statuses) => {
      for (const status of statuses) {
        const id = await bench.groupIn(status, vendor);
        const expected = refusal('BUSINESS_FULFILMENT_GROUP_INVALID_TRANSITION', {
          status,
          action,
        });
        await expectGroupUnchanged(gateway, id, () => post(id, action), expected);
      }
    },
  );
});

describe('what is not there for a vendor', () => {
  const calls: readonly (readonly [name: string, send: (id: string) => Promise<Answer>])[] = [
    ['PATCH', (id) => patch(id, { trackingRef: 'T-1' })],
    ['PATCH of nothing', (id) => patch(id, {})],
    ['pack', (id) => post(id, 'pack')],
    ['ship', (id) => post(id, 'ship')],
  ];

  test.each(calls)(
    "%s: a sibling's group, the service's, a waiting one, none at all: one and the same 404",
    async (_name, send) => {
      const sibling = await newVendor(gateway);
      const { groups } = await bench.take(
        { vendorId: sibling.vendorId },
        { vendorId: null },
        { sourcing: true },
        { vendorId: vendor.vendorId },
      );
      const [theirs = '', services = '', waiting = ''] = groups.map(({ groupId }) => groupId);
      for (const id of [theirs, services, waiting]) {
        await expectGroupUnchanged(
          gateway,
          id,
          () => send(id),
          refusal('NOT_FOUND_FULFILMENT_GROUP'),
        );
      }
      for (const id of [unknownId(), 'x', '0', '%00', theirs.slice(1), `${theirs}0`]) {
        expect(await send(id)).toMatchObject(refusal('NOT_FOUND_FULFILMENT_GROUP'));
      }
    },
  );

  test.each(calls)('%s: an id may be written in any letter case', async (_name, send) => {
    const id = await pending();
    expect(await send(id.toUpperCase())).toMatchObject({ status: 200, payload: { groupId: id } });
  });

  test('a malformed push is refused before it is asked whose the group is', async () => {
    const answer = await patch(unknownId(), { carrier: 1 });
    expect(answer).toMatchObject({ status: 400, state: 'VALIDATION_ERRORS' });
  });
});

test('without Orders nothing is pushed or moved, whatever else a credential has', async () => {
  const id = await pending();
  const token = tokenWith(
    gateway,
    vendor,
    capabilities.filter((capability) => capability !== 'Orders'),
  );
  const expected = refusal('FORBIDDEN_CAPABILITY_NOT_GRANTED', { requiredCapability: 'Orders' });
  const by = { ...vendor, token };
  await expectGroupUnchanged(
    gateway,
    id,
    () => bench.send(by, 'PATCH', `/${id}`, { trackingRef: 'T' }),
    expected,
  );
  for (const action of ['pack', 'ship']) {
    await expectGroupUnchanged(
      gateway,
      id,
      () => bench.send(by, 'POST', `/${id}/${action}`),
      expected,
    );
  }
});
