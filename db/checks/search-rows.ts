import type { Sql } from '../core/client.ts';
import { rowCountOf } from '../core/rows.ts';
import type { Scan, TableCheck } from './scan.ts';

/** Variants that a search does not find by their words, folded as they are now. */
export const unfoundVariants = {
  source: 'variants',
  pageSize: 1000,
  wrong: (sql) => sql`
    select id, 'is not found by its words' as text from page join variants using (id)
    where folded_brand is distinct from fold_name(brand_name)
      or words is distinct from words_of(
        brand_name || ' ' || product_name || ' ' || coalesce(concentration, '') || ' ' || sku
      )`,
  /** Folds their texts again: the trigger of variants does. */
  repair: (sql, ids) =>
    rowCountOf(sql`
      update variants set words = words from (
        select id from variants where id = any(${[...ids]}::uuid[]) order by id for update
      ) as own
      where variants.id = own.id`),
} satisfies Scan;

/** Writes what a search finds offers by; returns how many. */
const indexOffers = (sql: Sql, ids: readonly string[]): Promise<number> =>
  rowCountOf(sql`
    select index_waiting_offer(offers, false)
    from (select * from offers where id = any(${[...ids]}::uuid[]) order by id for update)
      as offers`);

/** Every offer that waits: a search finds each by folded words. */
export const waitingOffers = {
  source: '(select id from offers where awaiting_since is not null) as waiting',
  pageSize: 5000,
  wrong: (sql) => sql`select id, 'waits for a reviewer' as text from page`,
  repair: indexOffers,
} satisfies Scan;

/**
 * Waiting offers that no search of the queue finds, or not at their position, and offers that it
 * finds although they do not wait.
 */
export const unfoundOffers = {
  id: 'offer-unfound',
  title: 'A search of the queue finds each offer that waits',
  subjectType: 'offer',
  source: `(
    select id from offers where awaiting_since is not null union select offer_id from waiting_offers
  ) as waiting`,
  pageSize: 5000,
  wrong: (sql) => sql`
    select id, case when offers.awaiting_since is null
      then 'does not wait for a reviewer, and a search finds it'
      else 'waits for a reviewer, and a search does not find it' end as text
    from page join offers using (id) left join waiting_offers on offer_id = id
    where waiting_offers.awaiting_since is distinct from offers.awaiting_since`,
  repair: indexOffers,
} satisfies TableCheck;
