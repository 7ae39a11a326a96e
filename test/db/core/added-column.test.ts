import { expect } from 'vitest';
import { findAnyOffer, lockAnyOffer } from '../../../db/offers/offers.ts';
import { lockVendor } from '../../../db/accounts/vendors.ts';
import { seedOffer, seedVendor } from '../../support/seeds/seed.ts';
import { databaseTest as test } from '../../support/database/database-test.ts';
/**
 * Migrations only add, so that the version before can run beside the new one: these hold it to
 * that.
 */

test('a column of a later version harms nothing', async ({ sql }) => {
  const vendorId = await seedVendor(sql);
  const lock = async () => {
    const offer = await seedOffer(sql, vendorId);
    await sql.begin(async (transaction) => {
      expect(await lockVendor(transaction, vendorId)).not.toBeNull();
      expect(await lockAnyOffer(transaction, offer.id)).not.toBeNull();
    });
    return findAnyOffer(sql, offer.id);
  };
  await lock();
  await sql`alter table offers add column added boolean not null default true`;
  await sql`alter table vendors add column added text`;
  expect(await lock()).toMatchObject({ status: 'PendingMatch' });
});
