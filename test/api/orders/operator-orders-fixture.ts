import { newVendor } from '../support/actors.ts';
import { newOrderFixture, type OrderFixture } from './order-fixture.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';

export const test = gatewayTest
  .extend('fixture', { scope: 'file' }, ({ gateway }) => newOrderFixture(gateway))
  .extend('vendor', { scope: 'file' }, ({ gateway }) => newVendor(gateway));

export const post = (fixture: OrderFixture, body: unknown) =>
  fixture.operate('POST', '/orders', body);

export const line = (
  fixture: OrderFixture,
  quantity: unknown = 1,
  variantId: unknown = fixture.variantId,
) => ({
  variantId,
  quantity,
});
