import { expect } from 'vitest';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';
import { newVendor } from '../../support/api/actors.ts';
import { itemsOf, refusal, unknownId } from '../../support/api/api.ts';
import { instant } from '../../support/api/matchers.ts';
import { newOrderFixture, shipTo, succeeded } from './order-fixture.ts';

// What operators read of orders. Query parameters have their cases in
// `test/api/validation/query.test.ts`, roles in `test/api/operator/roles.test.ts`.

const test = gatewayTest
  .extend('fixture', { scope: 'file' }, ({ gateway }) => newOrderFixture(gateway))
  .extend('vendor', ({ gateway }) => newVendor(gateway))
  .extend(
    'list',
    ({ fixture }) =>
      async (query: string) =>
        itemsOf(succeeded(await fixture.operate('GET', `/orders?${query}`))),
  );

test('reads an order as it was created, with the address in each group', async ({
  fixture,
  vendor: { vendorId },
  list,
}) => {
  const order = await fixture.take({ vendorId }, { sourcing: true }, { vendorId: null });
  const { orderGlobalId, groups } = order;
  const listed = await list(`vendorId=${vendorId.toUpperCase()}`);
  expect(listed).toStrictEqual([{ ...order, createdAt: instant }]);
  expect(JSON.stringify(listed)).not.toContain(shipTo.phone);
  const answer = await fixture.operate('GET', `/orders/${orderGlobalId}`);
  expect(answer).toMatchObject({
    status: 200,
    payload: {
      orderGlobalId,
      createdAt: listed[0]?.['createdAt'],
      groups: groups.map((group) => ({ ...group, orderGlobalId, shipPhone: shipTo.phone })),
    },
  });
  for (const id of [`ord_${unknownId()}`, unknownId(), 'ord_1', '1'])
    expect(await fixture.operate('GET', `/orders/${id}`)).toMatchObject(refusal('NOT_FOUND_ORDER'));
});

test('lists each order once, by a group with both vendor and status, newest first', async ({
  gateway,
  fixture,
  vendor,
  list,
}) => {
  const { vendorId } = vendor;
  const other = await newVendor(gateway);
  const first = await fixture.take({ vendorId }, { vendorId });
  const second = await fixture.take({ vendorId: other.vendorId }, { vendorId });
  await fixture.send(vendor, 'POST', `/${second.groups[1]?.groupId}/pack`);
  const idsOf = async (query: string) =>
    (await list(query)).map(({ orderGlobalId }) => orderGlobalId);
  const own = `vendorId=${vendorId}`;
  expect(await idsOf(own)).toEqual([second.orderGlobalId, first.orderGlobalId]);
  expect(await idsOf(`${own}&pageSize=1&page=2`)).toEqual([first.orderGlobalId]);
  expect(await idsOf(`${own}&status=Packed`)).toEqual([second.orderGlobalId]);
  expect(await idsOf(`${own}&status=Pending`)).toEqual([first.orderGlobalId]);
  expect(await idsOf(`vendorId=${other.vendorId}&status=Packed`)).toEqual([]);
  expect((await idsOf('')).slice(0, 2)).toEqual([second.orderGlobalId, first.orderGlobalId]);
  const [newest] = await list(own);
  const at = String(newest?.['createdAt']);
  const later = new Date(Date.parse(at) + 1).toISOString();
  expect(await idsOf(`${own}&from=${at}`)).toContain(second.orderGlobalId);
  expect(await idsOf(`${own}&from=${later}`)).toEqual([]);
  expect(await idsOf(`${own}&status=Packed&to=${later}`)).toEqual([second.orderGlobalId]);
  expect(await fixture.operate('GET', `/orders?from=${later}&to=${at}`)).toMatchObject(
    refusal('VALIDATION_INVALID_DATE'),
  );
});
