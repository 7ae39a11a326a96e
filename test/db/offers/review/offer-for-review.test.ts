import { expect } from 'vitest';
import { onSnapshot } from '../../../../db/core/transaction.ts';
import { findOfferForReview } from '../../../../db/offers/review/offer-for-review.ts';
import { databaseTest as test } from '../../../support/database/database-test.ts';
import { entriesReadBy } from '../../../support/database/entries-read.ts';
import { seedManyOffers } from '../../../support/seeds/seed-many-offers.ts';
import { readReviewContext } from '../../../../db/offers/review/review-context.ts';
import { addVendor, pool } from '../../support.ts';

test('reads at most 1,000 offers of the variant (D136)', async ({ database, sql }) => {
  const vendorId = await addVendor(sql);
  const other = await addVendor(sql);
  await seedManyOffers(sql, vendorId, 10_000);
  await seedManyOffers(sql, other, 10_000);
  await sql`
    insert into variants (id, sku, brand_name, product_name, barcode)
    values (gen_random_uuid(), 'S', 'B', 'P', '4006381333931')`;
  await sql.begin(async (transaction) => {
    await transaction`set local statement_timeout = '60s'`;
    await transaction`update offers set barcode = lpad((random() * 1e8)::int::text, 8, '0')`;
    await transaction`
      update offers set variant_id = (select id from variants), barcode = '4006381333931'
      where vendor_id = ${other}`;
  });
  await sql`vacuum (analyze) offers, variants`;
  const [row] = await sql<[{ id: string }]>`
    update offers set variant_id = (select id from variants), vendor_sku = 'S'
    where id = (
      select id from offers where vendor_id = ${vendorId} and awaiting_since is not null limit 1
    ) returning id`;
  const connection = pool(database.url, 1);
  const flags = await entriesReadBy(connection, 'offers', (reader) =>
    onSnapshot(reader, (snapshot) => readReviewContext(snapshot, [row.id], 20)),
  );
  expect(flags).toBeLessThanOrEqual(20);
  const read = await entriesReadBy(connection, 'offers', (reader) =>
    findOfferForReview(reader, row.id, { largePriceChangePercent: 20, decisionUndoMs: 1 }),
  );
  // Each live offer from the index of the variant, which also has those that are not live.
  expect(read).toBeLessThanOrEqual(6200);
});
