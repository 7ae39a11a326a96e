import { describe, expect } from 'vitest';
import { capabilities } from '../../../domain/accounts/capabilities.ts';
import { type GroupStatus } from '../../../domain/orders/fulfilment-status.ts';
import { newVendor, tokenWith, type TestVendor } from '../support/actors.ts';
import { changeTimeOf, expectGroupUnchanged, type OrderBench } from './order-fixture.ts';
import { refusal, unknownId, type Answer } from '../support/api.ts';
import { test, patch, pending, listed } from './vendor-group-shipping-fixture.ts';

const post = (bench: OrderBench, vendor: TestVendor, id: string, action: string) =>
  bench.send(vendor, 'POST', `/${id}/${action}`);
const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

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
