import { newVendor } from '../support/actors.ts';
import { newOrderBench, type OrderBench } from './order-fixture.ts';
import { gatewayTest } from '../../support/gateway-test.ts';

export const test = gatewayTest
  .extend('bench', { scope: 'file' }, ({ gateway }) => newOrderBench(gateway))
  .extend('vendor', { scope: 'file' }, ({ gateway }) => newVendor(gateway));

export const post = (bench: OrderBench, body: unknown) => bench.operate('POST', '/orders', body);

export const line = (
  bench: OrderBench,
  quantity: unknown = 1,
  variantId: unknown = bench.variantId,
) => ({
  variantId,
  quantity,
});
