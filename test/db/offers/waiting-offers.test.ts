import { expect } from 'vitest';
import type { Sql } from '../../../db/core/client.ts';
import { storeStock } from '../../../db/offers/pushes/store-stock.ts';
import { databaseTest as test } from '../../support/database/database-test.ts';
import { seedOffer, seedVendor } from '../../support/seeds/seed.ts';

/** What a search finds waiting offers by changes with their identity only. */

/** The terms of an offer, each with the transaction that wrote it. */
const termsOf = (sql: Sql, offerId: string) =>
  sql<{ term: string; xmin: string }[]>`
    select term, xmin::text from waiting_terms where offer_id = ${offerId} order by term`;

test('writes no term by a push of stock or of a further staged price', async ({ sql }) => {
  const vendorId = await seedVendor(sql);
  const { id: offerId } = await seedOffer(sql, vendorId);
  const before = await termsOf(sql, offerId);
  expect(before.length).toBeGreaterThan(0);
  const stock = { declaredInStock: true, declaredStockQuantity: 77 };
  expect(await storeStock(sql, { vendorId, offerId, ...stock })).toMatchObject({
    isRefused: false,
    offer: { declaredStockQuantity: 77 },
  });
  await sql`
    update offers set pending_cost_net = coalesce(pending_cost_net, 0) + 1, version = version + 1
    where id = ${offerId}`;
  expect(await termsOf(sql, offerId)).toEqual(before);
});

test('changes terms with an offer’s identity, and deletes them after its wait', async ({ sql }) => {
  const { id } = await seedOffer(sql, await seedVendor(sql));
  const words = async () => (await termsOf(sql, id)).map(({ term }) => term);
  await sql`
    update offers set raw_brand_name = 'Maison Été', barcode = '96385074' where id = ${id}`;
  const named = await words();
  expect(named).toEqual(
    expect.arrayContaining(['maison', 'ete', ':brand:maison ete', ':barcode:00000096385074']),
  );
  const since = '2026-01-01T00:00:00Z';
  await sql`update offers set awaiting_since = ${since} where id = ${id}`;
  expect(await words()).toEqual(named);
  await sql`update offers set awaiting_since = null where id = ${id}`;
  expect(await words()).toEqual([]);
  await sql`update offers set awaiting_since = ${since} where id = ${id}`;
  expect(await words()).toEqual(named);
  await sql`delete from offer_status_changes where offer_id = ${id}`;
  await sql`delete from offers where id = ${id}`;
  expect(await words()).toEqual([]);
});
