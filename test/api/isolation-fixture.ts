import { newOfferFixture } from './offers/offer-fixture.ts';
import { newOwner } from './support/owner.ts';
import { gatewayTest } from '../support/gateway/gateway-test.ts';

/** Tests with two vendors: an owner of things of each kind, and a stranger. */
export const isolationTest = gatewayTest
  .extend(
    'stranger',
    { scope: 'file' },
    async ({ gateway }) => (await newOfferFixture(gateway)).vendor,
  )
  .extend('things', { scope: 'file' }, ({ gateway, stranger }) => newOwner(gateway, stranger))
  .extend('owner', { scope: 'file' }, ({ things }) => things.vendor);
