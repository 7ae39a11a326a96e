import { newOfferFixture } from './offers/offer-fixture.ts';
import { newOwner } from './support/owner.ts';
import { gatewayTest } from '../support/gateway/gateway-test.ts';

/** Tests with two vendors: an owner of things of each kind, and another vendor. */
export const isolationTest = gatewayTest
  .extend(
    'otherVendor',
    { scope: 'file' },
    async ({ gateway }) => (await newOfferFixture(gateway)).vendor,
  )
  .extend('things', { scope: 'file' }, ({ gateway, otherVendor }) => newOwner(gateway, otherVendor))
  .extend('owner', { scope: 'file' }, ({ things }) => things.vendor);
