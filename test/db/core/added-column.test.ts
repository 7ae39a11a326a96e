import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect, type Sql } from '../../../db/core/client.ts';
import { findAnyOffer, lockAnyOffer } from '../../../db/offers/offers.ts';
import { lockVendor } from '../../../db/accounts/vendors.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { seedOffer, seedVendor } from '../../support/seed.ts';

/** Migrations only add, so that the version before can run beside the new one: these hold it to that. */

let database: TestDatabase;
let sql: Sql;

beforeAll(async () => {
  database = await createTestDatabase();
  sql = connect(database.url, { max: 1, name: 'test' });
});
afterAll(async () => {
  await sql.end({ timeout: 5 });
  await database.drop();
});

test('a column that a later version adds harms neither new rows nor statements already prepared', async () => {
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
