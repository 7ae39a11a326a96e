import { expect } from 'vitest';
import { setTimeout as sleep } from 'node:timers/promises';
import { migrate } from '../../../db/core/migrate.ts';
import type { Sql } from '../../../db/core/client.ts';
import { newVariant } from '../../support/api/actors.ts';
import { freshDatabaseTest as test } from '../../support/database/database-test.ts';
import { seedOffer, seedVendor } from '../../support/seeds/seed.ts';

/** A migration folds the stored texts again after a change of what folds them. */

const texts = { rawBrandName: 'Café Łódź', rawProductName: 'العُود ٥٠' };
const variantTexts = { brandName: texts.rawBrandName, productName: texts.rawProductName };

/** Takes a database to a version that folds nothing but letter case. */
async function unfold(sql: Sql): Promise<void> {
  await sql`
    create or replace function fold_text(given text) returns text
    language plpgsql immutable strict parallel safe as $$ begin return lower(given); end $$`;
  await sql`
    update schema_functions set checksum = 'of an earlier version', derived_checksum = null
    where name = 'fold_text.sql'`;
}

/** How many offers and variants a search by folded words finds, and by words of before. */
const findBy = async (sql: Sql, search: string) => {
  const [found] = await sql<[{ offers: number; variants: number; brands: number }]>`
    select
      (select count(*)::int from waiting_offers where words @@ ${search}::text::tsquery) as offers,
      (select count(*)::int from variants where words @@ ${search}::text::tsquery) as variants,
      (select count(*)::int from waiting_offers
        where words @@ $$':brand:cafe lodz'$$::tsquery) as brands`;
  return found;
};

test('folds all that writers store before and during a migration', async ({ database, sql }) => {
  const vendorId = await seedVendor(sql);
  await unfold(sql);
  const write = async () => {
    await newVariant({ sql }, variantTexts);
    await seedOffer(sql, vendorId, texts);
  };
  for (let each = 0; each < 10; each += 1) await write();
  expect(await findBy(sql, `'cafe' & 'عود' & '50'`)).toEqual({ offers: 0, variants: 0, brands: 0 });
  // It folds by the text of before, and ends after the function has been replaced.
  const state = { isMigrating: true, written: 10 };
  const late = sql.begin(async (transaction) => {
    await seedOffer(transaction as unknown as Sql, vendorId, texts);
    await sleep(1500);
  });
  const writing = (async () => {
    while (state.isMigrating) {
      await write();
      state.written += 1;
    }
  })();
  await migrate(database.url, () => undefined);
  state.isMigrating = false;
  await Promise.all([writing, late]);
  const { written } = state;
  expect(written).toBeGreaterThan(10);
  expect(await findBy(sql, `'cafe' & 'lodz' & 'عود' & '50'`)).toEqual({
    offers: written + 1,
    variants: written,
    brands: written + 1,
  });
});

test('writes the words of what waits again after a change of what writes them', async ({
  database,
  sql,
}) => {
  const vendorId = await seedVendor(sql);
  await seedOffer(sql, vendorId, texts);
  // As an earlier version left them.
  await sql`update waiting_offers set words = words_of('Café'), terms = '{cafe}'`;
  await sql`
    update schema_functions set checksum = 'of an earlier version', derived_checksum = null
    where name = 'index_waiting_offer.sql'`;
  await migrate(database.url, () => undefined);
  expect(await findBy(sql, `'lodz'`)).toEqual({ offers: 1, variants: 0, brands: 1 });
  expect(await sql`select terms from waiting_offers`).toEqual([{ terms: null }]);
});
