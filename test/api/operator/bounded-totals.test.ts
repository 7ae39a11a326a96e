import { expect } from 'vitest';
import { seedGroups } from '../../../bench/harness/seed-groups.ts';
import { operatorTotalMax } from '../../../api/http/envelope.ts';
import { call, itemsOf, type Gateway } from '../../support/api/api.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';
import { newOperator, newVariant, newVendor } from '../../support/api/actors.ts';

/**
 * Operators' lists are exact to 10,000 items and say so beyond; vendors' lists are exact (D181).
 */

const more = operatorTotalMax + 5;

const test = gatewayTest
  .extend('vendor', { scope: 'file' }, async ({ gateway }) => {
    const vendor = await newVendor(gateway);
    const { id: variantId } = await newVariant(gateway);
    await seedGroups(
      { patientSql: gateway.sql },
      { vendorId: vendor.vendorId, variantId, count: more },
    );
    await gateway.sql`analyze`;
    return vendor;
  })
  .extend('operator', { scope: 'file' }, ({ gateway }) => newOperator(gateway));

const list = (gateway: Gateway, token: string, query: string) =>
  call(gateway, 'GET', `/operator/v1/orders?pageSize=100&${query}`, { token });

const bounded = { pageSize: 100, totalCount: operatorTotalMax, totalPages: 100 };

test.for(['', 'vendorId', 'status=Delivered', 'from=2000-01-01T00:00:00Z'])(
  'names 10,000 as a lower bound of a longer list: %s',
  async (filter, { gateway, operator, vendor }) => {
    const token = operator.token;
    if (filter.startsWith('status'))
      await gateway.sql`update fulfilment_groups set status = 'Delivered' where status = 'Pending'`;
    const query = filter === 'vendorId' ? `vendorId=${vendor.vendorId}` : filter;
    const first = await list(gateway, token, query);
    expect(first.details).toEqual({ totalIsLowerBound: true });
    expect(first.payload?.['pagination']).toEqual({ page: 1, ...bounded });
    const later = await list(gateway, token, `${query}&page=101`);
    expect(itemsOf(later)).toHaveLength(more - operatorTotalMax);
    expect(later.payload?.['pagination']).toEqual({ page: 101, ...bounded });
    expect(itemsOf(await list(gateway, token, `${query}&page=102`))).toEqual([]);
  },
);

test('says nothing of a bound for a list of 10,000', async ({ gateway, operator, vendor }) => {
  const [{ at }] = await gateway.sql<[{ at: Date }]>`
    select created_at as at from orders
    where id in (select order_id from fulfilment_groups where vendor_id = ${vendor.vendorId})
    order by created_at offset ${more - operatorTotalMax} limit 1`;
  const exact = await list(gateway, operator.token, `from=${at.toISOString()}`);
  expect(exact.details).toEqual({});
  expect(exact.payload?.['pagination']).toEqual({ page: 1, ...bounded });
});

test("counts a vendor's own list to its end", async ({ gateway, vendor }) => {
  const own = await call(gateway, 'GET', '/api/v1/scent/orders', { token: vendor.token });
  expect(own.details).toEqual({});
  expect(own.payload?.['pagination']).toMatchObject({ totalCount: more });
});
