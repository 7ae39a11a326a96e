import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { groupStatuses } from '../../../domain/orders/fulfilment-status.ts';
import { newOperator, newVariant, newVendor, type TestVendor } from '../support/actors.ts';
import { firstOf, newOrderBench, succeeded, type OrderBench } from './order-fixture.ts';
import { call, itemsOf, startGateway, type Answer, type Gateway } from '../support/api.ts';

let gateway: Gateway;
let bench: OrderBench;
/** With one group in each status that a vendor's can have, and two more in one order. */
let vendor: TestVendor;
let groupIds: readonly string[];

beforeAll(async () => {
  gateway = await startGateway();
  bench = await newOrderBench(gateway);
  vendor = await newVendor(gateway);
  const made: string[] = [];
  for (const status of groupStatuses) {
    const id = await bench.groupIn(status, vendor);
    if (status !== 'PendingSourcing') made.push(id);
  }
  const { vendorId } = vendor;
  const pair = await bench.take({ vendorId }, { vendorId: null }, { vendorId });
  groupIds = [...made, ...pair.groups.filter(isOwn).map(({ groupId }) => groupId)];
});
afterAll(() => gateway.close());

const isOwn = ({ vendorId }: { readonly vendorId: string | null }) => vendorId === vendor.vendorId;
const list = (query = '', by: TestVendor = vendor) => bench.send(by, 'GET', query);
const idsOf = (answer: Answer) => itemsOf(succeeded(answer)).map(({ groupId }) => groupId);
const since = (instant: string, more = '') => `?changedSince=${encodeURIComponent(instant)}${more}`;
const longAgo = '2000-01-01T00:00:00Z';
/** Which of its three dates the vendor's first group in a status has. */
const dates = async (status: string) => {
  const { packedAt, shippedAt, deliveredAt } = firstOf(itemsOf(await list(`?status=${status}`)));
  return [packedAt, shippedAt, deliveredAt].map((date) => date !== null);
};

describe('what an answer holds', () => {
  test('is a group to the letter: nothing of money, tax, partner or customer', async () => {
    const theirs = await newVendor(gateway);
    const body = {
      shipTo: {
        recipient: 'Amal',
        line1: 'Street 1',
        line2: 'Floor 2',
        city: 'Jeddah',
        region: 'Makkah',
        postalCode: '23218',
        country: 'SA',
        phone: '+966500000001',
      },
      groups: [
        {
          vendorId: theirs.vendorId,
          carrier: 'Other',
          carrierNameOther: 'Own van',
          lines: [
            { variantId: bench.variantId, quantity: 3 },
            { variantId: bench.variantId, quantity: 1 },
          ],
        },
      ],
    };
    const taken = succeeded(await bench.operate('POST', '/orders', body)).payload as Record<
      string,
      unknown
    >;
    const { groupId, lines } = firstOf(taken['groups'] as readonly Record<string, unknown>[]);
    const { status, payload, state, details } = await list('', theirs);
    expect({ status, payload, state, details }).toStrictEqual({
      status: 200,
      state: 'SUCCESS',
      payload: {
        items: [
          {
            groupId,
            orderGlobalId: taken['orderGlobalId'],
            status: 'Pending',
            vendorOrderId: null,
            trackingRef: null,
            carrier: 'Other',
            carrierNameOther: 'Own van',
            packedAt: null,
            shippedAt: null,
            deliveredAt: null,
            shipRecipient: 'Amal',
            shipLine1: 'Street 1',
            shipLine2: 'Floor 2',
            shipCity: 'Jeddah',
            shipRegion: 'Makkah',
            shipPostalCode: '23218',
            shipCountry: 'SA',
            shipPhone: '+966500000001',
            lines,
          },
        ],
        pagination: { page: 1, pageSize: 20, totalCount: 1, totalPages: 1 },
      },
      details: {},
    });
    expect(lines).toStrictEqual([
      expect.objectContaining({ variantId: bench.variantId, quantity: 3 }),
      expect.objectContaining({ variantId: bench.variantId, quantity: 1 }),
    ]);
    for (const line of lines as readonly object[]) {
      expect(Object.keys(line).toSorted()).toEqual(['lineId', 'quantity', 'sku', 'variantId']);
    }
  });

  test('is dated as far as the group has come', async () => {
    expect(await dates('Pending')).toEqual([false, false, false]);
    expect(await dates('Packed')).toEqual([true, false, false]);
    expect(await dates('Shipped')).toEqual([false, true, false]);
    expect(await dates('Delivered')).toEqual([false, true, true]);
  });

  test("is a line's sku whether its variant is active or not", async () => {
    const theirs = await newVendor(gateway);
    const variants = [
      await newVariant(gateway, { sku: 'SKU-gone' }),
      await newVariant(gateway, { sku: 'SKU-never', isActive: false }),
    ];
    const lines = variants.map(({ id }) => ({ variantId: id, quantity: 1 }));
    await bench.take({ vendorId: theirs.vendorId, lines });
    const admin = await newOperator(gateway);
    succeeded(
      await call(gateway, 'PATCH', `/operator/v1/variants/${firstOf(variants).id}/active`, {
        token: admin.token,
        body: { isActive: false },
      }),
    );
    const [group] = itemsOf(await list('', theirs));
    expect(group?.['lines']).toMatchObject([{ sku: 'SKU-gone' }, { sku: 'SKU-never' }]);
  });
});

describe('which groups there are', () => {
  test("are the vendor's own: never a sibling's, the service's, or one that waits for a source", async () => {
    const sibling = await newVendor(gateway);
    const { vendorId } = vendor;
    const { groups } = await bench.take(
      { vendorId: sibling.vendorId },
      { vendorId: null },
      { sourcing: true },
      { vendorId },
    );
    const [theirs, services, waiting, own] = groups.map(({ groupId }) => groupId);
    groupIds = [...groupIds, own ?? ''];
    for (const query of ['', since(longAgo), '?status=Pending', '?status=PendingSourcing']) {
      const answer = await list(query);
      for (const id of [theirs, services, waiting, sibling.vendorId])
        expect(answer.text).not.toContain(id);
    }
    expect(idsOf(await list('?pageSize=100'))).toEqual(groupIds);
    expect(idsOf(await list('', sibling))).toEqual([theirs]);
    expect(idsOf(await list(since(longAgo), sibling))).toEqual([theirs]);
  });

  test('with a status are those in it, and the total is theirs', async () => {
    for (const status of groupStatuses) {
      const answer = await list(`?status=${status}&pageSize=100`);
      const all = itemsOf(await list('?pageSize=100')).filter((item) => item['status'] === status);
      expect(itemsOf(answer)).toEqual(all);
      expect(all.length).toBe(status === 'PendingSourcing' ? 0 : Math.max(1, all.length));
      expect(answer.payload).toMatchObject({ pagination: { totalCount: all.length } });
      const changed = await list(`${since(longAgo)}&status=${status}`);
      expect(new Set(idsOf(changed))).toEqual(new Set(all.map(({ groupId }) => groupId)));
    }
  });

  test('are paged, in the order in which their orders came and then by id', async () => {
    const all = idsOf(await list('?pageSize=100'));
    expect(all).toEqual(groupIds);
    const pages = await Promise.all(
      all.map(async (_id, index) => list(`?pageSize=1&page=${index + 1}`)),
    );
    expect(pages.flatMap(idsOf)).toEqual(all);
    expect((await list('?pageSize=3&page=2')).payload).toMatchObject({
      pagination: {
        page: 2,
        pageSize: 3,
        totalCount: all.length,
        totalPages: Math.ceil(all.length / 3),
      },
    });
    const beyond = await list('?page=99');
    expect(beyond).toMatchObject({
      status: 200,
      payload: {
        items: [],
        pagination: { page: 99, pageSize: 20, totalCount: all.length, totalPages: 1 },
      },
      details: {},
    });
  });

  test('are nobody else’s for a vendor that has none', async () => {
    const { payload, details } = await list('', await newVendor(gateway));
    const pagination = { page: 1, pageSize: 20, totalCount: 0, totalPages: 0 };
    expect({ payload, details }).toStrictEqual({ payload: { items: [], pagination }, details: {} });
  });
});
