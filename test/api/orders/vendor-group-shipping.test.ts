import { describe, expect } from 'vitest';
import { capabilities } from '../../../domain/accounts/capabilities.ts';
import { type GroupStatus } from '../../../domain/orders/fulfilment-status.ts';
import { newVendor, tokenWith, type TestVendor } from '../support/actors.ts';
import { changeTimeOf, expectGroupUnchanged, type OrderFixture } from './order-fixture.ts';
import { refusal, unknownId, type Answer } from '../support/api.ts';
import { test, patch, pending, listed } from './vendor-group-shipping-fixture.ts';
import { instant } from '../support/matchers.ts';

const post = (fixture: OrderFixture, vendor: TestVendor, id: string, action: string) =>
  fixture.send(vendor, 'POST', `/${id}/${action}`);

describe('pack and ship', () => {
  test('move a shipment on, each with its date, and the change time with it', async ({
    gateway,
    fixture,
    vendor,
  }) => {
    const id = await pending(fixture, vendor);
    const times = [await changeTimeOf(gateway, id)];
    const packed = await post(fixture, vendor, id, 'pack');
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
    const shipped = await post(fixture, vendor, id, 'ship');
    expect(shipped).toMatchObject({
      status: 200,
      payload: { ...packed.payload, status: 'Shipped', shippedAt: instant },
    });
    times.push(await changeTimeOf(gateway, id));
    expect(times).toEqual([...new Set(times)].toSorted());
    expect(await listed(fixture, vendor)).toMatchObject({
      items: expect.arrayContaining([shipped.payload]),
    });
  });

  test('ship may come without pack', async ({ fixture, vendor }) => {
    const id = await pending(fixture, vendor);
    expect((await post(fixture, vendor, id, 'ship')).payload).toMatchObject({
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
    async ([action, statuses], { gateway, fixture, vendor }) => {
      for (const status of statuses) {
        const id = await fixture.groupIn(status, vendor);
        const expected = refusal('BUSINESS_FULFILMENT_GROUP_INVALID_TRANSITION', {
          status,
          action,
        });
        await expectGroupUnchanged(gateway, id, () => post(fixture, vendor, id, action), expected);
      }
    },
  );
});

const callNames = ['PATCH', 'PATCH of nothing', 'pack', 'ship'] as const;
const send = (
  fixture: OrderFixture,
  vendor: TestVendor,
  name: (typeof callNames)[number],
  id: string,
): Promise<Answer> => {
  if (name === 'PATCH') return patch(fixture, vendor, id, { trackingRef: 'T-1' });
  return name === 'PATCH of nothing'
    ? patch(fixture, vendor, id, {})
    : post(fixture, vendor, id, name);
};

describe('what is not there for a vendor', () => {
  test.for(callNames)(
    "%s: a sibling's group, the service's, a waiting one, none at all: one and the same 404",
    async (name, { gateway, fixture, vendor }) => {
      const sibling = await newVendor(gateway);
      const { groups } = await fixture.take(
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
          () => send(fixture, vendor, name, id),
          refusal('NOT_FOUND_FULFILMENT_GROUP'),
        );
      }
      for (const id of [unknownId(), 'x', '0', '%00', theirs.slice(1), `${theirs}0`]) {
        expect(await send(fixture, vendor, name, id)).toMatchObject(
          refusal('NOT_FOUND_FULFILMENT_GROUP'),
        );
      }
    },
  );

  test.for(callNames)(
    '%s: an id may be written in any letter case',
    async (name, { fixture, vendor }) => {
      const id = await pending(fixture, vendor);
      expect(await send(fixture, vendor, name, id.toUpperCase())).toMatchObject({
        status: 200,
        payload: { groupId: id },
      });
    },
  );

  test('a malformed push is refused before it is asked whose the group is', async ({
    fixture,
    vendor,
  }) => {
    const answer = await patch(fixture, vendor, unknownId(), { carrier: 1 });
    expect(answer).toMatchObject({ status: 400, state: 'VALIDATION_ERRORS' });
  });
});

test('without Orders nothing is pushed or moved, whatever else a credential has', async ({
  gateway,
  fixture,
  vendor,
}) => {
  const id = await pending(fixture, vendor);
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
    () => fixture.send(by, 'PATCH', `/${id}`, { trackingRef: 'T' }),
    expected,
  );
  for (const action of ['pack', 'ship']) {
    await expectGroupUnchanged(
      gateway,
      id,
      () => fixture.send(by, 'POST', `/${id}/${action}`),
      expected,
    );
  }
});
