import { expect } from 'vitest';
import { groupStatuses } from '../../../domain/orders/fulfilment-status.ts';
import { setVariantActive } from '../../../db/offers/variants.ts';
import { newVendor, type TestVendor } from '../../support/api/actors.ts';
import { itemsOf, refusal, succeeded, type ApiResponse } from '../../support/api/api.ts';
import { uuid } from '../../support/api/matchers.ts';
import { changeTimeOf, firstOf, orderTest, type TakenOrder } from './order-fixture.ts';

// The vendors' list of shipments, and its delta by changedSince and nextChangedSince (D37, D38,
// D67). Other vendors' groups have their cases in `test/api/isolation*.test.ts`.

const test = orderTest
  /** Groups of the vendor: one in each status, and two of one order. */
  .extend('groupIds', { scope: 'file', auto: true }, async ({ fixture, vendor }) => {
    const made: string[] = [];
    for (const status of groupStatuses) {
      const id = await fixture.groupIn(status, vendor);
      if (status !== 'PendingSourcing') made.push(id);
    }
    const { vendorId } = vendor;
    const pair = await fixture.take({ vendorId }, { vendorId: null }, { vendorId });
    const own = pair.groups.filter((group) => group.vendorId === vendorId);
    return [...made, ...own.map(({ groupId }) => groupId)];
  })
  .extend(
    'list',
    ({ fixture, vendor }) =>
      (query = '', by: TestVendor = vendor) =>
        fixture.send(by, 'GET', query),
  );

const idsOf = (response: ApiResponse) =>
  itemsOf(succeeded(response)).map(({ groupId }) => String(groupId));
const since = (instant: string, more = ''): string =>
  `?changedSince=${encodeURIComponent(instant)}${more}`;
const longAgo = '2000-01-01T00:00:00Z';
const nextOf = (response: ApiResponse): string => String(response.details['nextChangedSince']);

test('shows exactly these fields, none of money, also of an inactive variant', async ({
  gateway,
  fixture,
  list,
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
  await setVariantActive(gateway.sql, variantId, false);
  const response = await list('', theirs);
  await setVariantActive(gateway.sql, variantId, true);
  expect(response).toMatchObject({ status: 200, state: 'SUCCESS', details: {} });
  const shipped = Object.entries(address).map(([name, text]) => [
    `ship${name.charAt(0).toUpperCase()}${name.slice(1)}`,
    text,
  ]);
  expect(response.payload).toStrictEqual({
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

test.for(groupStatuses)('filters by the status %s, with its total', async (status, { list }) => {
  const response = await list(`?status=${status}&pageSize=100`);
  const all = itemsOf(await list('?pageSize=100')).filter((item) => item['status'] === status);
  expect(itemsOf(response)).toEqual(all);
  expect(all.length > 0).toBe(status !== 'PendingSourcing');
  expect(response.payload).toMatchObject({ pagination: { totalCount: all.length } });
  const changed = await list(`${since(longAgo)}&status=${status}`);
  expect(idsOf(changed).toSorted()).toEqual(all.map((item) => String(item['groupId'])).toSorted());
});

test('sorts by the time of the order and then by id, page by page', async ({ groupIds, list }) => {
  const all = idsOf(await list('?pageSize=100'));
  expect(all).toEqual(groupIds);
  const pages = await Promise.all(
    all.map(async (_id, index) => list(`?pageSize=1&page=${index + 1}`)),
  );
  expect(pages.flatMap(idsOf)).toEqual(all);
  const totalCount = all.length;
  expect((await list('?pageSize=3&page=2')).payload).toMatchObject({
    pagination: { page: 2, pageSize: 3, totalCount, totalPages: Math.ceil(totalCount / 3) },
  });
  expect(await list('?page=99')).toMatchObject({
    payload: { items: [], pagination: { page: 99, totalCount, totalPages: 1 } },
    details: {},
  });
});

test('refuses unknown parameters', async ({ list }) => {
  const allowedParameters = ['page', 'pageSize', 'status', 'changedSince'];
  expect(await list('?page=0&include=history')).toMatchObject(
    refusal('VALIDATION_UNKNOWN_QUERY_PARAMETER', { allowedParameters }),
  );
});

test('refuses a changedSince without an offset', async ({ list }) => {
  expect(await list('?changedSince=2026-03-01T10:00:00')).toMatchObject(
    refusal('VALIDATION_INVALID_DATE', { parameter: 'changedSince' }),
  );
});

test('lists by change time, strictly after the instant, to the microsecond', async ({
  gateway,
  fixture,
  list,
}) => {
  const theirs = await newVendor(gateway);
  const ids: string[] = [];
  for (let count = 0; count < 3; count += 1)
    ids.push(firstOf((await fixture.take({ vendorId: theirs.vendorId })).groups).groupId);
  const [first = '', second = '', third = ''] = ids;
  succeeded(await fixture.send(theirs, 'POST', `/${first}/pack`));
  expect(idsOf(await list('', theirs))).toEqual([first, second, third]);
  expect(idsOf(await list(since(longAgo), theirs))).toEqual([second, third, first]);

  const at = await changeTimeOf(gateway, third);
  const response = await list(since(at), theirs);
  expect(idsOf(response)).toEqual([first]);
  expect(response.payload).toMatchObject({ pagination: { totalCount: 1, totalPages: 1 } });
  await gateway.sql`
    update fulfilment_groups set order_changed_at = order_changed_at + interval '1 microsecond'
    where id = ${third}`;
  expect(idsOf(await list(since(at), theirs))).toEqual([third, first]);
  expect(nextOf(await list(since(longAgo, '&pageSize=2'), theirs))).toBe(
    await changeTimeOf(gateway, third),
  );
});

test('returns as nextChangedSince the page’s latest change, or the asked instant if empty', async ({
  gateway,
  list,
}) => {
  const all = idsOf(await list(since(longAgo, '&pageSize=100')));
  const times = await Promise.all(all.map((id) => changeTimeOf(gateway, id)));
  const asked = '2999-12-31T23:59:59.000001Z';
  for (const [query, ids, nextChangedSince] of [
    [since(longAgo, '&pageSize=2'), all.slice(0, 2), times[1]],
    [since(longAgo, '&pageSize=2&page=2'), all.slice(2, 4), times[3]],
    [since(asked), [], asked],
    [since(longAgo, '&page=99'), [], '2000-01-01T00:00:00.000000Z'],
    [since(longAgo, '&status=PendingSourcing'), [], '2000-01-01T00:00:00.000000Z'],
  ] as const) {
    const page = await list(query);
    expect(idsOf(page)).toEqual(ids);
    expect(page.details).toStrictEqual({ nextChangedSince });
  }
});

test.for([1, 3, 100])(
  'lists each group once by following nextChangedSince in pages of %s, then none',
  async (pageSize, { list, groupIds }) => {
    const all = idsOf(await list(since(longAgo, '&pageSize=100')));
    const followed: string[] = [];
    let next = longAgo;
    for (let calls = 0; calls <= all.length; calls += 1) {
      const response = await list(since(next, `&pageSize=${pageSize}`));
      followed.push(...idsOf(response));
      next = nextOf(response);
    }
    expect(followed).toEqual(all);
    expect(followed.toSorted()).toEqual(groupIds.toSorted());
    expect(nextOf(await list(since(next)))).toBe(next);
  },
);

test('lists an unchanged group again after its order changes, not after another order', async ({
  gateway,
  fixture,
  list,
}) => {
  const [own, sibling] = [await newVendor(gateway), await newVendor(gateway)];
  const shared = await fixture.take({ vendorId: own.vendorId }, { vendorId: sibling.vendorId });
  const apart = firstOf((await fixture.take({ vendorId: sibling.vendorId })).groups).groupId;
  const [mine = '', theirs = ''] = shared.groups.map(({ groupId }) => groupId);
  const before = await list(since(longAgo), own);
  succeeded(await fixture.send(sibling, 'POST', `/${apart}/pack`));
  expect(idsOf(await list(since(nextOf(before)), own))).toEqual([]);
  succeeded(await fixture.send(sibling, 'POST', `/${theirs}/ship`));
  const after = await list(since(nextOf(before)), own);
  expect(idsOf(after)).toEqual([mine]);
  expect(itemsOf(after)).toEqual(itemsOf(before));
  expect(idsOf(await list(since(nextOf(after)), own))).toEqual([]);
});
