import type { Sql } from '../core/client.ts';
import type { RowCheck } from './scan.ts';

/**
 * Waiting offers that no search of the queue finds, or not at their position, and offers that it
 * finds although they do not wait.
 */
export const unfoundOffers: RowCheck = {
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
};

/** Writes what a search finds offers by; returns how many. */
export async function indexOffers(sql: Sql, offerIds: readonly string[]): Promise<number> {
  const { count } = await sql`
    select index_waiting_offer(offers, false)
    from (select * from offers where id = any(${[...offerIds]}::uuid[]) order by id for update)
      as offers`;
  return count;
}
