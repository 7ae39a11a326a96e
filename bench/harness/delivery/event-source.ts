import { shipTo } from '../../../scripts/demo/api-calls.ts';
import {
  seedOperator,
  seedSubscription,
  seedVariant,
  seedVendor,
} from '../../../test/support/seeds/seed.ts';
import type { BenchmarkContext } from '../benchmark.ts';
import type { Target } from './target.ts';

const vendors = 50;

/**
 * Vendors with a subscription each, and an operator who creates their orders. Returns how a client
 * creates them: an order has one group and is one event. The token is good for fifteen minutes.
 */
export async function createEventSource(
  { sql, api }: BenchmarkContext,
  { receiverUrl, secretsKey }: { readonly receiverUrl: string; readonly secretsKey: string },
): Promise<() => Target> {
  const vendorIds = await Promise.all(Array.from({ length: vendors }, () => seedVendor(sql)));
  for (const vendorId of vendorIds)
    await seedSubscription(sql, vendorId, receiverUrl, secretsKey, ['vendor.order.assigned']);
  const variantId = await seedVariant(sql);
  const operator = await seedOperator(sql);
  const orders = vendorIds.map((vendorId) => {
    const lines = [{ variantId, quantity: 1 }];
    return { shipTo, groups: [{ vendorId, carrier: 'CarrierA', lines }] };
  });
  return () => ({
    origin: api.url,
    path: '/operator/v1/orders',
    headers: {
      authorization: `Bearer ${api.operatorToken(operator)}`,
      'content-type': 'application/json',
    },
    bodies: orders.map((order) => JSON.stringify(order)),
  });
}
