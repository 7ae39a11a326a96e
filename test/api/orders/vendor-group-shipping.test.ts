import { describe, expect } from 'vitest';
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
import { fieldErrorsOf, refusal, unknownId, type Answer } from '../support/api.ts';
import { gatewayTest } from '../../support/gateway-test.ts';

const test = gatewayTest
  .extend('bench', { scope: 'file' }, ({ gateway }) => newOrderBench(gateway))
  .extend('vendor', { scope: 'file' }, ({ gateway }) => newVendor(gateway));

const patch = (bench: OrderBench, vendor: TestVendor, id: string, body: unknown) =>
  bench.send(vendor, 'PATCH', `/${id}`, body);
const post = (bench: OrderBench, vendor: TestVendor, id: string, action: string) =>
  bench.send(vendor, 'POST', `/${id}/${action}`);
const pending = (bench: OrderBench, vendor: TestVendor) => bench.groupIn('Pending', vendor);
const listed = async (bench: OrderBench, vendor: TestVendor) =>
  (await bench.send(vendor, 'GET', '?pageSize=100')).payload;
const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

describe('what a vendor pushes of a shipment', () => {
  test('is stored, answered in the form of the list, and moves the change time', async ({
    gateway,
    bench,
    vendor,
  }) => {
    const id = await pending(bench, vendor);
    const before = await changeTimeOf(gateway, id);
    const body = {
      vendorOrderId: 'V-1',
      trackingRef: 'T-1',
      carrier: 'Other',
      carrierNameOther: 'Own van',
    };
    const answer = await patch(bench, vendor, id, body);
    expect(answer).toMatchObject({ status: 200, state: 'SUCCESS', details: {} });
    expect(answer.payload).toMatchObject({ groupId: id, status: 'Pending', ...body });
    expect(await listed(bench, vendor)).toMatchObject({
      items: expect.arrayContaining([answer.payload]),
    });
    expect((await changeTimeOf(gateway, id)) > before).toBe(true);
  });

  test('is told in part: what is absent or null stays, what is blank is cleared', async ({
    bench,
    vendor,
  }) => {
    const id = await pending(bench, vendor);
    succeeded(
      await patch(bench, vendor, id, {
        vendorOrderId: 'V-1',
        trackingRef: 'T-1',
        carrier: 'CarrierB',
      }),
    );
    expect((await patch(bench, vendor, id, { trackingRef: 'T-2' })).payload).toMatchObject({
      vendorOrderId: 'V-1',
      trackingRef: 'T-2',
      carrier: 'CarrierB',
    });
    expect(
      (await patch(bench, vendor, id, { vendorOrderId: null, trackingRef: '', carrier: null }))
        .payload,
    ).toMatchObject({
      vendorOrderId: 'V-1',
      trackingRef: null,
      carrier: 'CarrierB',
    });
    expect((await patch(bench, vendor, id, { vendorOrderId: ' \t ' })).payload).toMatchObject({
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
    async ([_name, body], { gateway, bench, vendor }) => {
      const id = await pending(bench, vendor);
      const stored = {
        vendorOrderId: 'V-1',
        trackingRef: 'T-1',
        carrier: 'Other',
        carrierNameOther: 'Van',
      };
      succeeded(await patch(bench, vendor, id, stored));
      await expectGroupUnchanged(gateway, id, () => patch(bench, vendor, id, body), {
        status: 200,
        payload: stored,
      });
    },
  );

  test('is nothing when a blank clears what is not there', async ({ gateway, bench, vendor }) => {
    const id = await pending(bench, vendor);
    const body = { vendorOrderId: '', trackingRef: ' ', carrierNameOther: '' };
    await expectGroupUnchanged(gateway, id, () => patch(bench, vendor, id, body), { status: 200 });
  });

  test('may come in every status, which it does not move', async ({ bench, vendor }) => {
    for (const status of groupStatuses.filter((one) => one !== 'PendingSourcing')) {
      const id = await bench.groupIn(status, vendor);
      expect(await patch(bench, vendor, id, { trackingRef: `T-${status}` })).toMatchObject({
        status: 200,
        payload: { status, trackingRef: `T-${status}` },
      });
    }
  });

  test('is kept as it was said, to the last of 255 characters', async ({ bench, vendor }) => {
    const id = await pending(bench, vendor);
    const text = '𝔸é '.repeat(85);
    const answer = await patch(bench, vendor, id, { trackingRef: text, vendorOrderId: text });
    expect(answer.payload).toMatchObject({ trackingRef: text, vendorOrderId: text });
    const refused = await patch(bench, vendor, id, {
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
  ] as const)('%s', async ([_name, stored, body, expected], { gateway, bench, vendor }) => {
    const id = await pending(bench, vendor);
    succeeded(await patch(bench, vendor, id, stored));
    if (typeof expected !== 'string') {
      expect(await patch(bench, vendor, id, body)).toMatchObject({
        status: 200,
        payload: expected,
      });
      return;
    }
    const answer = await expectGroupUnchanged(gateway, id, () => patch(bench, vendor, id, body), {
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
  async ([body, errors], { gateway, bench, vendor }) => {
    const id = await pending(bench, vendor);
    const answer = await expectGroupUnchanged(gateway, id, () => patch(bench, vendor, id, body), {
      status: 400,
      state: 'VALIDATION_ERRORS',
    });
    expect(fieldErrorsOf(answer)).toEqual(errors);
  },
);

describe('pack and ship', () => {
  test('move a shipment on, each with its date, and the change time with it', async ({
    gateway,
    bench,
    vendor,
  }) => {
    const id = await pending(bench, vendor);
    const times = [await changeTimeOf(gateway, id)];
    const packed = await post(bench, vendor, id, 'pack');
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
    const shipped = await post(bench, vendor, id, 'ship');
    expect(shipped).toMatchObject({
      status: 200,
      payload: { ...packed.payload, status: 'Shipped', shippedAt: instant },
    });
    times.push(await changeTimeOf(gateway, id));
    expect(times).toEqual([...new Set(times)].toSorted());
    expect(await listed(bench, vendor)).toMatchObject({
      items: expect.arrayContaining([shipped.payload]),
    });
  });

  test('ship may come without pack', async ({ bench, vendor }) => {
    const id = await pending(bench, vendor);
    expect((await post(bench, vendor, id, 'ship')).payload).toMatchObject({
      status: 'Shipped',
      packedAt: null,
    });
  });

  const refused: readonly (readonly [string, readonly GroupStatus[]])[] = [
    ['pack', ['Packed', 'Shipped', 'Delivered', 'Returned', 'Cancelled']],
    ['ship', ['Shipped', 'Delivered', 'Returned', 'Cancelled']],
  ];
  test.for(refused)(
    '%s is refused in every other status, and stores nothing',
    async ([action, statuses], { gateway, bench, vendor }) => {
      for (const status of statuses) {
        const id = await bench.groupIn(status, vendor);
        const expected = refusal('BUSINESS_FULFILMENT_GROUP_INVALID_TRANSITION', {
          status,
          action,
        });
        await expectGroupUnchanged(gateway, id, () => post(bench, vendor, id, action), expected);
      }
    },
  );
});

const callNames = ['PATCH', 'PATCH of nothing', 'pack', 'ship'] as const;
const send = (
  bench: OrderBench,
  vendor: TestVendor,
  name: (typeof callNames)[number],
  id: string,
): Promise<Answer> => {
  if (name === 'PATCH') return patch(bench, vendor, id, { trackingRef: 'T-1' });
  return name === 'PATCH of nothing' ? patch(bench, vendor, id, {}) : post(bench, vendor, id, name);
};

describe('what is not there for a vendor', () => {
  test.for(callNames)(
    "%s: a sibling's group, the service's, a waiting one, none at all: one and the same 404",
    async (name, { gateway, bench, vendor }) => {
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
          () => send(bench, vendor, name, id),
          refusal('NOT_FOUND_FULFILMENT_GROUP'),
        );
      }
      for (const id of [unknownId(), 'x', '0', '%00', theirs.slice(1), `${theirs}0`]) {
        expect(await send(bench, vendor, name, id)).toMatchObject(
          refusal('NOT_FOUND_FULFILMENT_GROUP'),
        );
      }
    },
  );

  test.for(callNames)(
    '%s: an id may be written in any letter case',
    async (name, { bench, vendor }) => {
      const id = await pending(bench, vendor);
      expect(await send(bench, vendor, name, id.toUpperCase())).toMatchObject({
        status: 200,
        payload: { groupId: id },
      });
    },
  );

  test('a malformed push is refused before it is asked whose the group is', async ({
    bench,
    vendor,
  }) => {
    const answer = await patch(bench, vendor, unknownId(), { carrier: 1 });
    expect(answer).toMatchObject({ status: 400, state: 'VALIDATION_ERRORS' });
  });
});

test('without Orders nothing is pushed or moved, whatever else a credential has', async ({
  gateway,
  bench,
  vendor,
}) => {
  const id = await pending(bench, vendor);
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
