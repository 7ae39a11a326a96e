import { describe, expect } from 'vitest';
import { groupStatuses } from '../../../domain/orders/fulfilment-status.ts';
import { newVariant, newVendor, type TestVendor } from '../../support/api/actors.ts';
import { firstOf, succeeded, type OrderFixture, type TakenOrder } from './order-fixture.ts';
import { itemsOf, refusal } from '../../support/api/api.ts';
import { uuid } from '../../support/api/matchers.ts';
import { setVariantActive } from '../../../db/offers/variants.ts';
import { groupListTest as test, list, idsOf, since, longAgo } from './vendor-group-list-fixture.ts';

/** Which of its three dates the vendor's first group in a status has. */
const dates = async (fixture: OrderFixture, vendor: TestVendor, status: string) => {
  const { packedAt, shippedAt, deliveredAt } = firstOf(
    itemsOf(await list(fixture, vendor, `?status=${status}`)),
  );
  return [packedAt, shippedAt, deliveredAt].map((date) => date !== null);
};

describe('an item', () => {
  test('has these fields and nothing of money, tax, partner or customer', async ({
    gateway,
    fixture,
    vendor,
  }) => {
    const theirs = await newVendor(gateway);
    const address = {
      recipient: 'Amal',
      line1: 'Street 1',
      line2: 'Floor 2',
      city: 'Jeddah',
      region: 'Makkah',
      postalCode: '23218',
      country: 'SA',
      phone: '+966500000001',
    };
    const { variantId } = fixture;
    const carrier = { carrier: 'Other', carrierNameOther: 'Own van' };
    const quantities = [3, 1].map((quantity) => ({ variantId, quantity }));
    const group = { vendorId: theirs.vendorId, ...carrier, lines: quantities };
    const body = { shipTo: address, groups: [group] };
    const taken = succeeded(await fixture.operate('POST', '/orders', body)).payload as TakenOrder;
    const { groupId, lines } = firstOf(taken.groups);
    const answer = await list(fixture, vendor, '', theirs);
    expect(answer).toMatchObject({ status: 200, state: 'SUCCESS', details: {} });
    const shipped = Object.entries(address).map(([name, text]) => [
      `ship${name.charAt(0).toUpperCase()}${name.slice(1)}`,
      text,
    ]);
    expect(answer.payload).toStrictEqual({
      items: [
        {
          groupId,
          orderGlobalId: taken.orderGlobalId,
          status: 'Pending',
          vendorOrderId: null,
          trackingRef: null,
          ...carrier,
          packedAt: null,
          shippedAt: null,
          deliveredAt: null,
          ...Object.fromEntries(shipped),
          lines,
        },
      ],
      pagination: { page: 1, pageSize: 20, totalCount: 1, totalPages: 1 },
    });
    expect(lines).toStrictEqual(
      quantities.map((line) => ({ ...line, lineId: uuid, sku: expect.any(String) })),
    );
  });

  test('has the times of the moves that were made', async ({ fixture, vendor }) => {
    expect(await dates(fixture, vendor, 'Pending')).toEqual([false, false, false]);
    expect(await dates(fixture, vendor, 'Packed')).toEqual([true, false, false]);
    expect(await dates(fixture, vendor, 'Shipped')).toEqual([false, true, false]);
    expect(await dates(fixture, vendor, 'Delivered')).toEqual([false, true, true]);
  });

  test("has a line's sku whether its variant is active or not", async ({
    gateway,
    fixture,
    vendor,
  }) => {
    const theirs = await newVendor(gateway);
    const gone = await newVariant(gateway, { sku: 'SKU-gone' });
    const never = await newVariant(gateway, { sku: 'SKU-never', isActive: false });
    const lines = [gone, never].map(({ id }) => ({ variantId: id, quantity: 1 }));
    await fixture.take({ vendorId: theirs.vendorId, lines });
    await setVariantActive(gateway.sql, gone.id, false);
    const [group] = itemsOf(await list(fixture, vendor, '', theirs));
    expect(group?.['lines']).toMatchObject([{ sku: 'SKU-gone' }, { sku: 'SKU-never' }]);
  });
});

describe('the groups', () => {
  test("are the vendor's own: never a sibling's, the service's, or one in sourcing", async ({
    gateway,
    fixture,
    vendor,
    groupIds,
  }) => {
    const sibling = await newVendor(gateway);
    const { vendorId } = vendor;
    const { groups } = await fixture.take(
      { vendorId: sibling.vendorId },
      { vendorId: null },
      { sourcing: true },
      { vendorId },
    );
    const [theirs, services, waiting, own] = groups.map(({ groupId }) => groupId);
    groupIds.push(own ?? '');
    for (const query of ['', since(longAgo), '?status=Pending', '?status=PendingSourcing']) {
      const answer = await list(fixture, vendor, query);
      for (const id of [theirs, services, waiting, sibling.vendorId])
        expect(answer.text).not.toContain(id);
    }
    expect(idsOf(await list(fixture, vendor, '?pageSize=100'))).toEqual(groupIds);
    expect(idsOf(await list(fixture, vendor, '', sibling))).toEqual([theirs]);
    expect(idsOf(await list(fixture, vendor, since(longAgo), sibling))).toEqual([theirs]);
  });

  test('with a status are those in it, and the total is theirs', async ({ fixture, vendor }) => {
    for (const status of groupStatuses) {
      const answer = await list(fixture, vendor, `?status=${status}&pageSize=100`);
      const all = itemsOf(await list(fixture, vendor, '?pageSize=100')).filter(
        (item) => item['status'] === status,
      );
      expect(itemsOf(answer)).toEqual(all);
      expect(all.length).toBe(status === 'PendingSourcing' ? 0 : Math.max(1, all.length));
      expect(answer.payload).toMatchObject({ pagination: { totalCount: all.length } });
      const changed = await list(fixture, vendor, `${since(longAgo)}&status=${status}`);
      expect(new Set(idsOf(changed))).toEqual(new Set(all.map(({ groupId }) => groupId)));
    }
  });

  test('are paged, in the order in which their orders came and then by id', async ({
    fixture,
    vendor,
    groupIds,
  }) => {
    const all = idsOf(await list(fixture, vendor, '?pageSize=100'));
    expect(all).toEqual(groupIds);
    const pages = await Promise.all(
      all.map(async (_id, index) => list(fixture, vendor, `?pageSize=1&page=${index + 1}`)),
    );
    expect(pages.flatMap(idsOf)).toEqual(all);
    expect((await list(fixture, vendor, '?pageSize=3&page=2')).payload).toMatchObject({
      pagination: {
        page: 2,
        pageSize: 3,
        totalCount: all.length,
        totalPages: Math.ceil(all.length / 3),
      },
    });
    expect(await list(fixture, vendor, '?page=99')).toMatchObject({
      payload: { items: [], pagination: { page: 99, totalCount: all.length, totalPages: 1 } },
      details: {},
    });
  });
});

test('refuses other parameters than these, and a time without an offset', async ({
  fixture,
  vendor,
}) => {
  const allowedParameters = ['page', 'pageSize', 'status', 'changedSince'];
  expect(await list(fixture, vendor, '?page=0&include=history')).toMatchObject(
    refusal('VALIDATION_UNKNOWN_QUERY_PARAMETER', { allowedParameters }),
  );
  expect(await list(fixture, vendor, '?changedSince=2026-03-01T10:00:00')).toMatchObject(
    refusal('VALIDATION_INVALID_DATE', { parameter: 'changedSince' }),
  );
});
