import { expect } from 'vitest';
import type { Sql } from '../../../db/core/client.ts';
import { storeStock } from '../../../db/offers/store-push.ts';
import { databaseTest as test } from '../../support/database/database-test.ts';
import { seedOffer, seedVendor } from '../../support/seeds/seed.ts';

/** What a search finds waiting offers by changes with their identity only. */

/** The words of an offer, and the transaction that wrote them. */
const wordsOf = async (sql: Sql, offerId: string) => {
  const [row] = await sql<{ words: string[]; xmin: string }[]>`
    select tsvector_to_array(words) as words, xmin::text from waiting_offers
    where offer_id = ${offerId}`;
  return row;
};

test('writes no word by a push of stock or of a further staged price', async ({ sql }) => {
  const vendorId = await seedVendor(sql);
  const { id: offerId } = await seedOffer(sql, vendorId);
  const before = await wordsOf(sql, offerId);
  expect(before?.words.length).toBeGreaterThan(0);
  const stock = { declaredInStock: true, declaredStockQuantity: 77 };
  expect(await storeStock(sql, { vendorId, offerId }, stock)).toMatchObject({
    stored: { declaredStockQuantity: 77 },
  });
  await sql`
    update offers set pending_cost_net = coalesce(pending_cost_net, 0) + 1, version = version + 1
    where id = ${offerId}`;
  expect(await wordsOf(sql, offerId)).toEqual(before);
});

test('changes words with an offer’s identity, and deletes them after its wait', async ({ sql }) => {
  const { id } = await seedOffer(sql, await seedVendor(sql));
  const words = async () => (await wordsOf(sql, id))?.words ?? [];
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

test('shows terms to an API of an earlier version, whose functions write none', async ({ sql }) => {
  const { id } = await seedOffer(sql, await seedVendor(sql), { rawBrandName: 'Maison' });
  const terms = async () => {
    const rows = await sql<{ term: string }[]>`
      select term from waiting_terms join waiting_offers using (offer_id, awaiting_since)
      where offer_id = ${id} order by term`;
    return rows.map(({ term }) => term);
  };
  const own = (await wordsOf(sql, id))?.words.toSorted();
  expect(own).toContain(':brand:maison');
  expect(await terms()).toEqual(own);
  await sql`update waiting_offers set terms = '{one,two}' where offer_id = ${id}`;
  await sql`insert into waiting_terms (term, awaiting_since, offer_id) values ('three', now(), ${id})`;
  await sql`delete from waiting_terms where offer_id = ${id}`;
  expect(await terms()).toEqual(['one', 'two']);
});
