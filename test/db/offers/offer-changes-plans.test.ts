import { expect } from 'vitest';
import { listOffers } from '../../../db/offers/lists/offer-list.ts';
import { databaseTest as test } from '../../support/database/database-test.ts';
import { seedOffer } from '../../support/seeds/seed.ts';
import { addVendor, pool } from '../support.ts';

// A plan for any status reads all of a vendor's offers where few have the requested one.
test('a list of many changes with a status is planned for that status, each time', async ({
  database,
  sql,
}) => {
  const vendorId = await addVendor(sql);
  const { status } = await seedOffer(sql, vendorId);
  for (let offer = 1; offer < 3; offer += 1) await seedOffer(sql, vendorId);
  const connection = pool(database.url, 1);
  const filter = {
    status,
    vendorSku: null,
    vendorExternalId: null,
    createdFrom: null,
    createdTo: null,
    tokenId: 'token',
    changedSince: '2000-01-01T00:00:00.000000Z',
  };
  for (let page = 1; page <= 12; page += 1)
    await listOffers(connection, vendorId, filter, { page: page === 1 ? 1 : 2, pageSize: 1 });
  const [plans] = await connection`
    select sum(custom_plans)::int as custom, sum(generic_plans)::int as generic
    from pg_prepared_statements where statement like ${'%superseded_at%'}`;
  expect(plans).toEqual({ custom: 11, generic: 0 });
});
