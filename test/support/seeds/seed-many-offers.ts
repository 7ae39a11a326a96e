import type { Sql } from '../../../db/core/client.ts';

/**
 * Offers straight in SQL, for long lists: several of one instant, in three states.
 * Each has `historyLength` status changes.
 */
export async function seedManyOffers(
  sql: Sql,
  vendorId: string,
  count: number,
  { historyLength = 0 } = {},
): Promise<void> {
  // On a loaded machine, all offers in one statement take longer than its timeout.
  for (let first = 1; first <= count; first += 5000) {
    const last = Math.min(count, first + 4999);
    await sql`
      with made as (
        select gen_random_uuid() as id,
          (array['Draft', 'Approved', 'PendingReview'])[1 + i % 3] as status,
          timestamptz '2026-01-01' + (i / 4) * interval '1 millisecond' as at
        from generate_series(${first}::int, ${last}::int) as i
      ), offered as (
        insert into offers (id, vendor_id, status, source, pricing_model, cost_net, cost_vat,
          cost_entered_vat_inclusive, declared_in_stock, awaiting_since, created_at, changed_at,
          change_time)
        select id, ${vendorId}::uuid, status, 'Api', 'CostPlusMargin', 100, 15, false, true,
          case when status = 'PendingReview' then at end, at, at + interval '1 millisecond',
            at + interval '1 millisecond'
        from made returning id, status, created_at
      )
      insert into offer_status_changes (offer_id, from_status, to_status, reason, at)
      select id, case when n > 1 then 'Draft' end, status, 'change ' || n,
        created_at + n * interval '1 second'
      from offered, generate_series(1, ${historyLength}::int) as n order by n`;
  }
}
