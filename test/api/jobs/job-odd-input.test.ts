import { expect } from 'vitest';
import { gatewayTest as test } from '../../support/gateway/gateway-test.ts';
import { newVendor } from '../../support/api/actors.ts';
import { perfume, resultsOf, runJob, startJob } from './job-fixture.ts';

// Of input that no client should send, only the item at fault fails.

const unstorable = { NUL: 'a\u0000b', 'a lone surrogate': 'a\ud800b' };

test.for(Object.entries(unstorable))(
  'an unknown field with %s in its name fails alone',
  async ([, name], { gateway }) => {
    const vendor = await newVendor(gateway);

    const id = await startJob(gateway, vendor, 'createOffers', [{ [name]: 1 }, perfume('a')]);
    await runJob(gateway, id);

    const results = await resultsOf(gateway, vendor, id);
    expect(results.map(({ httpStatus }) => httpStatus)).toEqual([400, 201]);
    expect(results[0]?.details['errors']).toContainEqual(
      expect.objectContaining({ field: 'A\ufffdb', path: '/a\ufffdb' }),
    );
  },
);

test.for(Object.entries(unstorable))(
  'an edit that names its offer by a vendorExternalId with %s fails alone',
  async ([, vendorExternalId], { gateway }) => {
    const vendor = await newVendor(gateway);

    const id = await startJob(gateway, vendor, 'updateOffers', [
      { vendorExternalId, declaredInStock: true },
      { vendorExternalId, rawDescription: 'x' },
      { vendorExternalId: 'x'.repeat(300), declaredInStock: true },
    ]);
    await runJob(gateway, id);

    const results = await resultsOf(gateway, vendor, id);
    expect(results.map(({ httpStatus }) => httpStatus)).toEqual([400, 400, 400]);
    for (const { details } of results)
      expect(details['errors']).toContainEqual(
        expect.objectContaining({ field: 'VendorExternalId' }),
      );
  },
);
