import { newOfferFixture } from './offers/offer-fixture.ts';
import { newOwner } from '../support/api/owner.ts';
import { gatewayTest } from '../support/gateway/gateway-test.ts';

/**
 * Tests with two vendors: an owner of things of each kind, and another vendor. In a sandbox, which
 * has every route.
 */
export const isolationTest = gatewayTest
  .extend('overrides', { scope: 'file' }, { environment: 'Sandbox' })
  .extend(
    'otherVendor',
    { scope: 'file' },
    async ({ gateway }) => (await newOfferFixture(gateway)).vendor,
  )
  .extend('things', { scope: 'file' }, ({ gateway, otherVendor }) => newOwner(gateway, otherVendor))
  .extend('owner', { scope: 'file' }, ({ things }) => things.vendor);
