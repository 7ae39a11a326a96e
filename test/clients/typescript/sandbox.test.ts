import { expect } from 'vitest';
import { registerSandboxVendor } from '../../../clients/typescript/src/resources/sandbox.ts';
import { createVendorClient } from '../../../clients/typescript/src/client.ts';
import { clientTest, collect } from './client-fixture.ts';

// `test/systems/cli/sandbox.test.ts` has what each method of `vendor.sandbox` calls, and
// docs/http/sandbox.http the answers to these calls.

const test = clientTest.extend('overrides', { scope: 'file' }, { environment: 'Sandbox' });

test('registers a vendor that changes its agreement and lists its sandbox credential', async ({
  clients: { baseUrl },
}) => {
  const { credential } = await registerSandboxVendor(
    { baseUrl },
    { name: 'Amber House', pricingModel: 'CostPlusMargin' },
  );
  const { clientId, clientSecret } = credential;
  const vendor = createVendorClient({ baseUrl, clientId, clientSecret, environment: 'Sandbox' });
  const agreement = { pricingModel: 'PercentageOfSale', commissionPercent: 15 } as const;
  expect(await vendor.sandbox.changeAgreement(agreement)).toMatchObject({
    pricingModel: { model: 2 },
  });
  expect(await collect(vendor.credentials.list())).toMatchObject([{ environment: 'Sandbox' }]);
});
