import { newVendor, type TestVendor } from '../support/actors.ts';
import { newOrderFixture, type OrderFixture } from './order-fixture.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';

export const test = gatewayTest
  .extend('fixture', { scope: 'file' }, ({ gateway }) => newOrderFixture(gateway))
  .extend('vendor', { scope: 'file' }, ({ gateway }) => newVendor(gateway));

export const patch = (fixture: OrderFixture, vendor: TestVendor, id: string, body: unknown) =>
  fixture.send(vendor, 'PATCH', `/${id}`, body);

export const post = (fixture: OrderFixture, vendor: TestVendor, id: string, action: string) =>
  fixture.send(vendor, 'POST', `/${id}/${action}`);

export const pending = (fixture: OrderFixture, vendor: TestVendor) =>
  fixture.groupIn('Pending', vendor);

export const listed = async (fixture: OrderFixture, vendor: TestVendor) =>
  (await fixture.send(vendor, 'GET', '?pageSize=100')).payload;
