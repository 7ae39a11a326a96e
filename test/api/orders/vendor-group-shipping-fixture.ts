import { newVendor, type TestVendor } from '../support/actors.ts';
import { newOrderBench, type OrderBench } from './order-fixture.ts';
import { gatewayTest } from '../../support/gateway-test.ts';

export const test = gatewayTest
  .extend('bench', { scope: 'file' }, ({ gateway }) => newOrderBench(gateway))
  .extend('vendor', { scope: 'file' }, ({ gateway }) => newVendor(gateway));

export const patch = (bench: OrderBench, vendor: TestVendor, id: string, body: unknown) =>
  bench.send(vendor, 'PATCH', `/${id}`, body);

export const pending = (bench: OrderBench, vendor: TestVendor) => bench.groupIn('Pending', vendor);

export const listed = async (bench: OrderBench, vendor: TestVendor) =>
  (await bench.send(vendor, 'GET', '?pageSize=100')).payload;
