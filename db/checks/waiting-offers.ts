import type { Sql } from '../core/client.ts';
import type { RowCheck } from './scan.ts';

/** Waiting offers that no search of the queue finds, or not at their position. */
export const unfoundOffers: RowCheck = {
  source: '(select id from offers where awaiting_since is not null) as waiting',
  pageSize: 5000,
  wrong: (sql) => sql`
    select id, 'waits for a reviewer, and a search does not find it' as text
    from page join offers using (id)
    where awaiting_since is not null and not exists (
      select from waiting_offers
      where offer_id = offers.id and waiting_offers.awaiting_since = offers.awaiting_since
    )`,
};

/** Writes what a search finds offers by; returns how many. */
export async function indexOffers(sql: Sql, offerIds: readonly string[]): Promise<number> {
  const { count } = await sql`
    select index_waiting_offer(offers, false)
    from (select * from offers where id = any(${[...offerIds]}::uuid[]) order by id for update)
      as offers`;
  return count;
}
