import type { Sql } from '../core/client.ts';
import type { RowCheck } from './scan.ts';

/** Variants that a search does not find by their words, folded as they are now. */
export const unfoundVariants: RowCheck = {
  source: 'variants',
  pageSize: 1000,
  wrong: (sql) => sql`
    select id, 'is not found by its words' as text from page join variants using (id)
    where folded_brand is distinct from fold_name(brand_name)
      or words is distinct from words_of(
        brand_name || ' ' || product_name || ' ' || coalesce(concentration, '') || ' ' || sku
      )`,
};

/** Folds the texts of variants again: their trigger does. Returns how many. */
export async function foldVariants(sql: Sql, ids: readonly string[]): Promise<number> {
  const { count } = await sql`
    update variants set words = words
    from (select id from variants where id = any(${[...ids]}::uuid[]) order by id for update) as own
    where variants.id = own.id`;
  return count;
}

/** Every offer that waits: a search finds each by folded words. */
export const waitingOffers: RowCheck = {
  source: '(select id from offers where awaiting_since is not null) as waiting',
  pageSize: 5000,
  wrong: (sql) => sql`select id, 'waits for a reviewer' as text from page`,
};
